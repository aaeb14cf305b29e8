//! What was sold in the last month, for the overview.

use std::collections::BTreeMap;

use jiff::Span;
use jiff::civil::Date;

use super::plots::{self, Column};
use super::{Sums, date_of, days_up_to, money, read, rows, today};
use crate::console::fault::Fault;
use crate::console::visit::Visit;

/// How many days are shown.
const DAYS: i32 = 30;

/// What was sold in the last 30 days.
pub(crate) struct Summary {
    pub(crate) tickets: i64,
    pub(crate) full: String,
    pub(crate) own: String,
    pub(crate) plot: String,
    /// Days on which something was sold, the newest first: the day, tickets, money.
    pub(crate) days: Vec<(String, i64, String)>,
    /// Whether older orders are still being counted.
    pub(crate) is_complete: bool,
}

impl Summary {
    pub(crate) async fn load(visit: &Visit<'_>) -> Result<Self, Fault> {
        let last = today(visit);
        let first = last.checked_sub(Span::new().days(DAYS - 1)).unwrap_or(last);
        let sales = read(visit, &format!("by=day&days={first},{last}")).await?;
        let by_day: BTreeMap<Date, Sums> = rows(&sales).filter_map(|(row, sums)| Some((date_of(row)?, sums))).collect();
        let columns = days_up_to(visit, last, DAYS, |day| by_day.get(&day).copied().unwrap_or_default());
        let total = Sums::of(&sales["total"]);
        Ok(Self {
            tickets: total.tickets,
            full: money(visit, total.full),
            own: money(visit, total.organizer + total.retained),
            plot: plots::columns(&columns),
            days: days_of(columns),
            is_complete: sales["is_complete"] == true,
        })
    }
}

fn days_of(columns: Vec<Column>) -> Vec<(String, i64, String)> {
    let sold = columns.into_iter().rev().filter(|column| column.value > 0);
    sold.map(|column| (column.full_name, column.value, column.money)).collect()
}
