//! Orders as rows of a table, for spreadsheets and for other programs. They are read page
//! by page, newest first, each page by the key behind which it begins: no transaction stays open, and a
//! long list costs as much for each row as a short one.

mod csv;
mod mail;

use std::collections::VecDeque;

use jiff::tz::TimeZone;
use kassa_domain::checkout::AnswerValue;
use kassa_domain::event::Event;
use kassa_domain::order::{Answer, Holder, Order, OrderId, OrderStatus, OrderStatusKind};
use kassa_domain::ticket::TicketId;
use kassa_domain::user::Email;
use kassa_domain::{ReadSet, Timestamp, View};
use kassa_store::PageWindow;
use kassa_store::queries::{ExportScope, OrderExportFilter, OrdersFilter};

use crate::engine::Engine;
use crate::failure::Failure;

pub use csv::CsvWriter;

/// Orders that are read at a time.
const PAGE_ORDERS: u32 = 500;

/// The names of the columns.
pub const EXPORT_COLUMNS: [&str; 25] = [
    "number",
    "id",
    "status",
    "created_at",
    "done_at",
    "event",
    "event_title",
    "org",
    "vendor",
    "origin",
    "customer_name",
    "customer_email",
    "customer_phone",
    "customer_lang",
    "tickets",
    "price",
    "discount",
    "nominal",
    "extra",
    "full",
    "refunded",
    "promocodes",
    "vendor_order_id",
    "ticket_names",
    "answers",
];

/// What stands in one column of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportCell {
    /// Nothing.
    Empty,
    /// A whole number.
    Number(i64),
    /// A text; times as `2026-01-31 20:00:00` in UTC, money as `100.00`.
    Text(String),
}

/// An order: one cell for each of [`EXPORT_COLUMNS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportRow(pub [ExportCell; EXPORT_COLUMNS.len()]);

/// Orders, page by page.
pub struct ExportPages {
    engine: Engine,
    sources: VecDeque<ExportScope>,
    filter: OrdersFilter,
    after: Option<OrderId>,
}

impl ExportPages {
    /// The orders of these, in turn, as far as the filter lets them pass; who may see them is not asked.
    pub fn new(engine: &Engine, whose: impl IntoIterator<Item = ExportScope>, narrowed: OrdersFilter) -> Self {
        Self { engine: engine.clone(), sources: whose.into_iter().collect(), filter: narrowed, after: None }
    }

    /// The next rows; `None` behind the last.
    pub async fn next(&mut self) -> Result<Option<Vec<ExportRow>>, Failure> {
        while let Some(whose) = self.sources.front() {
            let filter = OrderExportFilter { scope: *whose, criteria: self.filter.clone(), older_than: self.after };
            let orders = self.engine.page(filter, PageWindow::first(PAGE_ORDERS)).await?.rows;
            self.after = orders.last().map(|order| order.id);
            if orders.len() < PAGE_ORDERS as usize {
                self.sources.pop_front();
                self.after = None;
            }
            if !orders.is_empty() {
                return self.rows(&orders).await.map(Some);
            }
        }
        Ok(None)
    }

    async fn rows(&self, orders: &[Order]) -> Result<Vec<ExportRow>, Failure> {
        let mut read_set = ReadSet {
            events: orders.iter().map(|order| order.event).collect(),
            promocodes: orders.iter().flat_map(|order| order.promocodes.iter().copied()).collect(),
            ..ReadSet::default()
        };
        read_set.normalize();
        let around = self.engine.view(&read_set).await?;
        Ok(orders.iter().map(|order| ExportRow::new(order, &around)).collect())
    }
}

impl ExportRow {
    /// `around` has the order's event and its promocodes.
    fn new(order: &Order, around: &View) -> Self {
        let done_at = match &order.status {
            OrderStatus::Paid { at, .. } | OrderStatus::Refunded { paid_at: at, .. } => Some(*at),
            OrderStatus::Reserved | OrderStatus::AwaitingPayment | OrderStatus::Canceled | OrderStatus::Expired => None,
        };
        let (customer, values, event) = (&order.customer, order.totals(), around.events.get(order.event));
        let codes: Vec<&str> = order
            .promocodes
            .iter()
            .filter_map(|id| around.promocodes.get(*id))
            .map(|promocode| promocode.code.as_str())
            .collect();
        Self([
            ExportCell::Number(order.number),
            text_cell(&order.id),
            text_cell(&status_text(order.state())),
            text_cell(&format_time(order.created_at)),
            optional_cell(done_at.map(format_time).as_deref()),
            text_cell(&order.event),
            optional_cell(event.map(|event| event.details.title.as_str())),
            text_cell(&order.organizer),
            text_cell(&order.vendor),
            text_cell(&order.origin.name()),
            optional_cell(customer.full_name().as_deref()),
            optional_cell(customer.email.as_ref().map(Email::as_str)),
            optional_cell(customer.mobile.as_deref()),
            optional_cell(customer.lang.as_deref()),
            ExportCell::Number(i64::try_from(order.lines.len()).unwrap_or(i64::MAX)),
            text_cell(&values.price),
            text_cell(&values.discount),
            text_cell(&values.nominal),
            text_cell(&values.surcharge),
            text_cell(&values.full),
            text_cell(&order.refunded.returned),
            optional_cell(Some(codes.join(" ").as_str()).filter(|codes| !codes.is_empty())),
            optional_cell(order.notes.vendor_data.order_id.as_deref()),
            optional_cell(Some(names_in_words(order).as_str()).filter(|names| !names.is_empty())),
            optional_cell(Some(answers_in_words(order, event).as_str()).filter(|answers| !answers.is_empty())),
        ])
    }
}

/// The number of a ticket that the order has.
fn ticket_number(order: &Order, ticket: TicketId) -> Option<i64> {
    order.lines.iter().find(|line| line.ticket == ticket).map(|line| line.number)
}

/// The names on its tickets, by their numbers: `17: Ann Fox; 18: Bo Fox`.
fn names_in_words(order: &Order) -> String {
    let name = |holder: &Holder| Some(format!("{}: {}", ticket_number(order, holder.ticket)?, holder.name));
    order.notes.holders.iter().filter_map(name).collect::<Vec<_>>().join("; ")
}

/// Its answers, each behind its question, or behind the id of one that the event asks no more: `Diet: vegan; Size (17): M`.
fn answers_in_words(order: &Order, event: Option<&Event>) -> String {
    let asked = |id: &str| event.and_then(|event| event.details.questions.iter().find(|question| question.id == id));
    let answer = |answer: &Answer| {
        let question = asked(&answer.question).map_or(answer.question.as_str(), |question| &question.text);
        let ticket = answer.ticket.and_then(|ticket| ticket_number(order, ticket));
        let ticket = ticket.map_or_else(String::new, |number| format!(" ({number})"));
        match &answer.value {
            AnswerValue::Flag(is_so) => format!("{question}{ticket}: {}", if *is_so { "yes" } else { "no" }),
            AnswerValue::Text(text) => format!("{question}{ticket}: {text}"),
        }
    };
    order.notes.answers.iter().map(answer).collect::<Vec<_>>().join("; ")
}

fn text_cell(value: &impl ToString) -> ExportCell {
    ExportCell::Text(value.to_string())
}

fn optional_cell(value: Option<&str>) -> ExportCell {
    value.map_or(ExportCell::Empty, |value| ExportCell::Text(value.to_owned()))
}

/// The status of an order in a table, as version 2 names it.
fn status_text(kind: OrderStatusKind) -> &'static str {
    match kind {
        OrderStatusKind::Canceled => "cancelled",
        OrderStatusKind::Reserved
        | OrderStatusKind::AwaitingPayment
        | OrderStatusKind::Paid
        | OrderStatusKind::Expired => kind.name(),
        // What was given back stands in a column of its own.
        OrderStatusKind::Refunded => OrderStatusKind::Paid.name(),
    }
}

fn format_time(at: Timestamp) -> String {
    let at = jiff::Timestamp::from_millisecond(at.ms()).unwrap_or_default();
    at.to_zoned(TimeZone::UTC).strftime("%Y-%m-%d %H:%M:%S").to_string()
}
