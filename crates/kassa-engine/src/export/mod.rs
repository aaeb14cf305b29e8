//! Orders as rows of a table, for spreadsheets and for other programs (decisions §9). They are read page
//! by page, newest first, each page by the key behind which it begins: no transaction stays open, and a
//! long list costs as much for each row as a short one.

mod csv;
mod letter;

use std::collections::VecDeque;

use jiff::tz::TimeZone;
use kassa_domain::order::{Order, OrderId, OrderStatus};
use kassa_domain::user::Email;
use kassa_domain::{Needs, Timestamp, View};
use kassa_store::Slice;
use kassa_store::queries::{ExportedOrders, OrdersFilter, Whose};

use crate::{Engine, Failure};

pub use csv::Csv;

/// Orders that are read at a time.
const PAGE: u32 = 500;

/// The names of the columns.
pub const COLUMNS: [&str; 23] = [
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
];

/// What stands in one column of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Nothing.
    Nothing,
    /// A whole number.
    Number(i64),
    /// A text; times as `2026-01-31 20:00:00` in UTC, money as `100.00`.
    Text(String),
}

/// An order: one cell for each of [`COLUMNS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row(pub [Cell; COLUMNS.len()]);

/// Orders, page by page.
pub struct Pages {
    engine: Engine,
    whose: VecDeque<Whose>,
    narrowed: OrdersFilter,
    below: Option<OrderId>,
}

impl Pages {
    /// The orders of these, in turn, as far as the filter lets them pass; who may see them is not asked.
    pub fn new(engine: &Engine, whose: impl IntoIterator<Item = Whose>, narrowed: OrdersFilter) -> Self {
        Self { engine: engine.clone(), whose: whose.into_iter().collect(), narrowed, below: None }
    }

    /// The next rows; `None` behind the last.
    pub async fn next(&mut self) -> Result<Option<Vec<Row>>, Failure> {
        while let Some(whose) = self.whose.front() {
            let filter = ExportedOrders { whose: *whose, narrowed: self.narrowed.clone(), below: self.below };
            let orders = self.engine.page(filter, Slice::first(PAGE)).await?.rows;
            self.below = orders.last().map(|order| order.id);
            if orders.len() < PAGE as usize {
                self.whose.pop_front();
                self.below = None;
            }
            if !orders.is_empty() {
                return self.rows(&orders).await.map(Some);
            }
        }
        Ok(None)
    }

    async fn rows(&self, orders: &[Order]) -> Result<Vec<Row>, Failure> {
        let mut needs = Needs {
            events: orders.iter().map(|order| order.event).collect(),
            promocodes: orders.iter().flat_map(|order| order.promocodes.iter().copied()).collect(),
            ..Needs::default()
        };
        needs.normalize();
        let around = self.engine.view(&needs).await?;
        Ok(orders.iter().map(|order| Row::new(order, &around)).collect())
    }
}

impl Row {
    /// `around` has the order's event and its promocodes.
    fn new(order: &Order, around: &View) -> Self {
        let done_at = match &order.status {
            OrderStatus::Done { at, .. } | OrderStatus::Refunded { paid_at: at, .. } => Some(*at),
            OrderStatus::Executed | OrderStatus::InProgress | OrderStatus::Canceled | OrderStatus::Expired => None,
        };
        let (customer, values) = (&order.customer, order.values());
        let codes: Vec<&str> = order
            .promocodes
            .iter()
            .filter_map(|id| around.promocodes.get(*id))
            .map(|promocode| promocode.code.as_str())
            .collect();
        Self([
            Cell::Number(order.number),
            text(&order.id),
            text(&order.state().name_in_v2()),
            text(&time(order.created_at)),
            maybe(done_at.map(time).as_deref()),
            text(&order.event),
            maybe(around.events.get(order.event).map(|event| event.about.title.as_str())),
            text(&order.org),
            text(&order.vendor),
            text(&order.origin.name()),
            maybe(customer.full_name().as_deref()),
            maybe(customer.email.as_ref().map(Email::as_str)),
            maybe(customer.mobile.as_deref()),
            maybe(customer.lang.as_deref()),
            Cell::Number(i64::try_from(order.lines.len()).unwrap_or(i64::MAX)),
            text(&values.price),
            text(&values.discount),
            text(&values.nominal),
            text(&values.extra),
            text(&values.full),
            text(&order.refunded.back),
            maybe(Some(codes.join(" ").as_str()).filter(|codes| !codes.is_empty())),
            maybe(order.notes.vendor_data.order_id.as_deref()),
        ])
    }
}

fn text(value: &impl ToString) -> Cell {
    Cell::Text(value.to_string())
}

fn maybe(value: Option<&str>) -> Cell {
    value.map_or(Cell::Nothing, |value| Cell::Text(value.to_owned()))
}

fn time(at: Timestamp) -> String {
    let at = jiff::Timestamp::from_millisecond(at.ms()).unwrap_or_default();
    at.to_zoned(TimeZone::UTC).strftime("%Y-%m-%d %H:%M:%S").to_string()
}
