//! What was sold, in figures and plots: of all events, of one, and by agents. The interface adds up; here it is drawn.

mod agents;
mod event;
mod plots;
mod summary;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::Value;

pub(crate) use self::agents::respond as agents;
pub(crate) use self::event::respond as of_event;
use self::plots::Column;
pub(crate) use self::summary::Summary;
use super::fault::Fault;
use super::visit::Visit;

/// Sums over paid orders, money in cents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sums {
    orders: i64,
    tickets: i64,
    full: i64,
    organizer: i64,
    agent: i64,
    platform: i64,
    retained: i64,
}

impl Sums {
    fn of(value: &Value) -> Self {
        let count = |name: &str| value[name].as_i64().unwrap_or_default();
        let money = |name: &str| cents(&value[name]);
        Self {
            orders: count("orders"),
            tickets: count("tickets"),
            full: money("full"),
            organizer: money("organizer"),
            agent: money("agent"),
            platform: money("platform"),
            retained: money("retained"),
        }
    }

    fn add(&mut self, other: Self) {
        self.orders += other.orders;
        self.tickets += other.tickets;
        self.full += other.full;
        self.organizer += other.organizer;
        self.agent += other.agent;
        self.platform += other.platform;
        self.retained += other.retained;
    }

    /// What whoever sold owes to the organizer and the platform.
    fn owed(&self) -> i64 {
        self.organizer + self.platform
    }
}

/// A sum of money of the interface, in cents.
fn cents(sum: &Value) -> i64 {
    sum.as_str().and_then(|sum| sum.replace('.', "").parse().ok()).unwrap_or_default()
}

/// A sum of money in words.
fn money(visit: &Visit<'_>, cents: i64) -> String {
    let text = format!("{}.{:02}", cents.max(0) / 100, cents.max(0) % 100);
    text.parse().map(|sum| visit.texts().amount(sum, visit.shop.settings.currency)).unwrap_or_default()
}

/// Sums of the interface, by a query.
async fn read(visit: &Visit<'_>, query: &str) -> Result<Value, Fault> {
    Ok(visit.read(&format!("/v2/services/sales?{query}")).await?.value)
}

/// The rows of an answer, each with its sums.
fn rows(sales: &Value) -> impl Iterator<Item = (&Value, Sums)> {
    sales["data"].as_array().into_iter().flatten().map(|row| (row, Sums::of(&row["sums"])))
}

/// Today, in UTC as the sums are.
fn today(visit: &Visit<'_>) -> Date {
    visit.shop.present().0.to_zoned(TimeZone::UTC).date()
}

fn date_of(row: &Value) -> Option<Date> {
    row["date"].as_str()?.parse().ok()
}

/// A column for each of the last days up to one, also for those on which nothing was sold.
fn days_up_to(visit: &Visit<'_>, last: Date, count: i32, sums_on: impl Fn(Date) -> Sums) -> Vec<Column> {
    let language = visit.texts().language();
    let day = |back: i32| last.checked_sub(jiff::Span::new().days(back)).ok();
    let column = |date: Date| {
        let sums = sums_on(date);
        Column {
            name: language.short_date(date),
            full_name: language.date(date),
            value: sums.tickets,
            money: money(visit, sums.full),
        }
    };
    (0..count).rev().filter_map(day).map(column).collect()
}

/// The name of something, by its id.
fn name_of(sales: &Value, kind: &str, id: &Value) -> String {
    id.as_str().and_then(|id| sales["refs"][kind][id].as_str()).unwrap_or("–").to_owned()
}
