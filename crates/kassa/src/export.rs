//! `kassa export`: all orders, or some of them, on standard output, beside the server or without one.

use std::io::{self, BufWriter, Write};

use clap::{Args, ValueEnum};
use kassa_domain::Timestamp;
use kassa_domain::event::EventId;
use kassa_domain::order::OrderState;
use kassa_domain::partner::PartnerId;
use kassa_engine::Engine;
use kassa_engine::export::{COLUMNS, Cell, Csv, Pages, Row};
use kassa_store::queries::{OrdersFilter, Whose};
use serde_json::{Map, Value};

use crate::config::Place;
use crate::installation::{self, Fatal};

/// Flags of `kassa export`.
#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    #[command(flatten)]
    place: Place,
    /// How each order is written.
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
    /// Only orders that this partner sold or organizes.
    #[arg(long, value_name = "ID")]
    partner: Option<PartnerId>,
    /// Only orders for this event; may be repeated.
    #[arg(long, value_name = "ID")]
    event: Vec<EventId>,
    /// Only orders in this state; may be repeated.
    #[arg(long, value_enum, value_name = "STATUS")]
    status: Vec<Status>,
    /// Only orders made from then on, as 2026-01-31T20:00:00Z.
    #[arg(long, value_name = "TIME", value_parser = time)]
    since: Option<Timestamp>,
    /// Only orders made before then.
    #[arg(long, value_name = "TIME", value_parser = time)]
    until: Option<Timestamp>,
    /// Only orders whose customer's e-mail is known.
    #[arg(long)]
    only_with_customer: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// A table (RFC 4180) that spreadsheets read; no cell of it is a formula.
    Csv,
    /// An object on each line.
    Jsonl,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Status {
    Executed,
    InProgress,
    Done,
    Cancelled,
    Expired,
    Refunded,
}

impl From<Status> for OrderState {
    fn from(status: Status) -> Self {
        match status {
            Status::Executed => Self::Executed,
            Status::InProgress => Self::InProgress,
            Status::Done => Self::Done,
            Status::Cancelled => Self::Canceled,
            Status::Expired => Self::Expired,
            Status::Refunded => Self::Refunded,
        }
    }
}

fn time(text: &str) -> Result<Timestamp, String> {
    let at: jiff::Timestamp = text.parse().map_err(|error: jiff::Error| error.to_string())?;
    Ok(Timestamp::from_ms(at.as_millisecond()))
}

/// Writes the orders of the installation to standard output.
pub(crate) async fn run(arguments: ExportArguments) -> Result<(), Fatal> {
    let installation = installation::open_beside(&arguments.place).await?;
    let mut out = BufWriter::new(io::stdout().lock());
    let result = write(&installation.engine, &arguments, &mut out).await;
    installation.engine.close().await;
    result.and_then(|()| out.flush().map_err(Fatal::from))
}

async fn write(engine: &Engine, arguments: &ExportArguments, out: &mut impl Write) -> Result<(), Fatal> {
    let from = arguments.since.unwrap_or(Timestamp::from_ms(i64::MIN));
    let till = arguments.until.map_or(Timestamp::from_ms(i64::MAX), |until| until.plus_ms(-1));
    let given = |is_empty: bool| (!is_empty).then_some(());
    let narrowed = OrdersFilter {
        created: Some((from, till)),
        events: given(arguments.event.is_empty()).map(|()| arguments.event.clone()),
        status: given(arguments.status.is_empty())
            .map(|()| arguments.status.iter().copied().map(OrderState::from).collect()),
        with_customer: arguments.only_with_customer,
        ..OrdersFilter::default()
    };
    let whose = match arguments.partner {
        Some(partner) => vec![Whose::OrganizedBy(partner), Whose::SoldForOthersBy(partner)],
        None => vec![Whose::Everybodys],
    };
    let mut pages = Pages::new(engine, whose, narrowed);
    let mut csv = Csv::default();
    loop {
        let rows = pages.next().await?;
        match arguments.format {
            Format::Csv => {
                rows.iter().flatten().for_each(|row| csv.push(row));
                out.write_all(csv.take().as_bytes())?;
            }
            Format::Jsonl => {
                rows.iter().flatten().try_for_each(|row| writeln!(out, "{}", object(row)))?;
            }
        }
        if rows.is_none() {
            return Ok(());
        }
    }
}

/// A row as an object, by the names of its columns.
fn object(row: &Row) -> Value {
    let value = |cell: &Cell| match cell {
        Cell::Nothing => Value::Null,
        Cell::Number(number) => (*number).into(),
        Cell::Text(text) => text.as_str().into(),
    };
    let pairs = COLUMNS.iter().zip(&row.0);
    pairs.map(|(name, cell)| ((*name).to_owned(), value(cell))).collect::<Map<String, Value>>().into()
}
