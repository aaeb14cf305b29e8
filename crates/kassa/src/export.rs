//! `kassa export`: all orders, or some of them, on standard output, beside the server or without one.

use std::io::{self, BufWriter, Write};

use clap::{Args, ValueEnum};
use kassa_domain::Timestamp;
use kassa_domain::event::EventId;
use kassa_domain::order::OrderStatusKind;
use kassa_domain::partner::PartnerId;
use kassa_engine::Engine;
use kassa_engine::export::{CsvWriter, EXPORT_COLUMNS, ExportCell, ExportPages, ExportRow};
use kassa_store::queries::{ExportScope, OrdersFilter};
use serde_json::{Map, Value};

use crate::config::InstallationArguments;
use crate::error::Fatal;
use crate::installation;

/// Flags of `kassa export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    #[command(flatten)]
    installation: InstallationArguments,
    /// Output format.
    #[arg(long, value_enum, default_value_t = ExportFormat::Csv)]
    format: ExportFormat,
    /// Only orders that this partner sold or organizes.
    #[arg(long, value_name = "ID")]
    partner: Option<PartnerId>,
    /// Only orders for this event; may be repeated.
    #[arg(long, value_name = "ID")]
    event: Vec<EventId>,
    /// Only orders in this state; may be repeated.
    #[arg(long, value_enum, value_name = "STATUS")]
    status: Vec<OrderStatusArgument>,
    /// Only orders created at or after this time, such as 2026-01-31T20:00:00Z.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    since: Option<Timestamp>,
    /// Only orders created before this time.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    until: Option<Timestamp>,
    /// Only orders with a customer e-mail.
    #[arg(long)]
    only_with_customer: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ExportFormat {
    /// CSV (RFC 4180), escaped so that spreadsheets run no formulas.
    Csv,
    /// JSON Lines: one object per line.
    Jsonl,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
enum OrderStatusArgument {
    Executed,
    InProgress,
    Done,
    Cancelled,
    Expired,
    Refunded,
}

impl From<OrderStatusArgument> for OrderStatusKind {
    fn from(status: OrderStatusArgument) -> Self {
        match status {
            OrderStatusArgument::Executed => Self::Reserved,
            OrderStatusArgument::InProgress => Self::AwaitingPayment,
            OrderStatusArgument::Done => Self::Paid,
            OrderStatusArgument::Cancelled => Self::Canceled,
            OrderStatusArgument::Expired => Self::Expired,
            OrderStatusArgument::Refunded => Self::Refunded,
        }
    }
}

fn parse_time(text: &str) -> Result<Timestamp, String> {
    let at: jiff::Timestamp = text.parse().map_err(|error: jiff::Error| error.to_string())?;
    Ok(Timestamp::from_ms(at.as_millisecond()))
}

/// Writes the orders of the installation to standard output.
pub(crate) async fn run(arguments: ExportArguments) -> Result<(), Fatal> {
    let installation = installation::open_alongside_server(&arguments.installation).await?;
    let mut out = BufWriter::new(io::stdout().lock());
    let result = write_orders(&installation.engine, &arguments, &mut out).await;
    installation.engine.close().await;
    result.and_then(|()| out.flush().map_err(Fatal::from))
}

async fn write_orders(engine: &Engine, arguments: &ExportArguments, out: &mut impl Write) -> Result<(), Fatal> {
    let from = arguments.since.unwrap_or(Timestamp::from_ms(i64::MIN));
    let till = arguments.until.map_or(Timestamp::from_ms(i64::MAX), |until| until.plus_ms(-1));
    let given = |is_empty: bool| (!is_empty).then_some(());
    let narrowed = OrdersFilter {
        created: Some((from, till)),
        events: given(arguments.event.is_empty()).map(|()| arguments.event.clone()),
        status: given(arguments.status.is_empty())
            .map(|()| arguments.status.iter().copied().map(OrderStatusKind::from).collect()),
        with_customer: arguments.only_with_customer,
        ..OrdersFilter::default()
    };
    let whose = match arguments.partner {
        Some(partner) => vec![ExportScope::OfOrganizer(partner), ExportScope::OfAgent(partner)],
        None => vec![ExportScope::All],
    };
    let mut pages = ExportPages::new(engine, whose, narrowed);
    let mut csv = CsvWriter::default();
    loop {
        let rows = pages.next().await?;
        match arguments.format {
            ExportFormat::Csv => {
                rows.iter().flatten().for_each(|row| csv.push(row));
                out.write_all(csv.take().as_bytes())?;
            }
            ExportFormat::Jsonl => {
                rows.iter().flatten().try_for_each(|row| writeln!(out, "{}", row_as_json(row)))?;
            }
        }
        if rows.is_none() {
            return Ok(());
        }
    }
}

/// A row as an object, by the names of its columns.
fn row_as_json(row: &ExportRow) -> Value {
    let value = |cell: &ExportCell| match cell {
        ExportCell::Empty => Value::Null,
        ExportCell::Number(number) => (*number).into(),
        ExportCell::Text(text) => text.as_str().into(),
    };
    let pairs = EXPORT_COLUMNS.iter().zip(&row.0);
    pairs.map(|(name, cell)| ((*name).to_owned(), value(cell))).collect::<Map<String, Value>>().into()
}
