//! `…/events/{event}/sales`: what was sold of an event, by set, by whoever sold, and by day; and how quickly, beside other
//! events.

use std::collections::BTreeMap;

use askama::Template;
use bytes::Bytes;
use jiff::civil::Date;
use kassa_http::http::{Response, StatusCode};
use serde_json::Value;

use super::plots::{self, Column};
use super::{Sums, date_of, days_up_to, money, name_of, read, rows, today};
use crate::console::events::{events_of, own_event, row_of};
use crate::console::fault::Fault;
use crate::console::frame::{ConsoleFrame, Section};
use crate::console::visit::{Visit, page_answer};
use crate::model::EventData;

/// The longest time that is shown by day; of older sales the sums stand in the table by month.
const DAYS_MAX: i32 = 90;
/// From how many days before it begins an event is compared with others.
const PACE_DAYS: u8 = 60;
/// Other events that one is compared with, at most.
const OTHERS_MAX: usize = 50;

/// What was sold of a set.
struct SetRow {
    name: String,
    amount: i64,
    sold: i64,
    held: i64,
    free: i64,
    blocked: i64,
    full: String,
}

/// What somebody has sold.
struct SellerRow {
    name: String,
    tickets: i64,
    full: String,
    own: String,
    agent: String,
}

/// How quickly tickets go.
struct Pace {
    plot: String,
    /// In words, where there are other events to compare with.
    words: String,
    /// Days before, tickets of this event if the day has come, and of others on average.
    rows: Vec<(usize, Option<i64>, i64)>,
}

#[derive(Template)]
#[template(path = "console/event_sales.html")]
struct EventSalesPage<'a> {
    frame: ConsoleFrame<'a>,
    script: &'a str,
    title: String,
    event_path: String,
    sold: i64,
    held: i64,
    free: i64,
    full: String,
    own: String,
    agents: String,
    platform: String,
    retained: Option<String>,
    is_complete: bool,
    sets: Vec<SetRow>,
    sellers: Vec<SellerRow>,
    plot: String,
    days: Vec<Column>,
    pace: Option<Pace>,
}

/// The page of an event of the partner's own.
pub(crate) async fn respond(visit: &Visit<'_>) -> Result<Response<Bytes>, Fault> {
    let event = &own_event(visit).await?;
    let of_event = |by: &str| format!("event={}&by={by}", event.id);
    let sets = read(visit, &of_event("set")).await?;
    let sellers = read(visit, &of_event("vendor")).await?;
    let by_day = read(visit, &of_event("day")).await?;
    let sums: BTreeMap<Date, Sums> = rows(&by_day).filter_map(|(row, sums)| Some((date_of(row)?, sums))).collect();
    let last = event.span().map_or(today(visit), |(start, _)| start.date().min(today(visit)));
    let last = sums.keys().next_back().map_or(last, |sold| last.max(*sold));
    let first = sums.keys().next().copied().unwrap_or(last);
    let count = first.until(last).map_or(0, |span| span.get_days()).clamp(13, DAYS_MAX - 1) + 1;
    let mut days = days_up_to(visit, last, count, |day| sums.get(&day).copied().unwrap_or_default());
    let plot = plots::columns(&days);
    days.retain(|day| day.value > 0);
    days.reverse();
    let total = Sums::of(&sets["total"]);
    let counts = |name: &str| -> i64 {
        sets["inventory"].as_array().into_iter().flatten().filter_map(|set| set[name].as_i64()).sum()
    };
    let page = EventSalesPage {
        frame: ConsoleFrame::of_partner(visit, &event.title.text, Section::Events).await?,
        script: visit.shop.assets.path("console.js"),
        title: event.title.text.clone(),
        event_path: row_of(visit, event).path,
        sold: counts("sold"),
        held: counts("held"),
        free: counts("free"),
        full: money(visit, total.full),
        own: money(visit, total.organizer),
        agents: money(visit, total.agent),
        platform: money(visit, total.platform),
        retained: (total.retained > 0).then(|| money(visit, total.retained)),
        is_complete: sets["is_complete"] == true,
        sets: set_rows(visit, &sets),
        sellers: seller_rows(visit, &sellers),
        plot,
        days,
        pace: pace(visit, event, &sums).await?,
    };
    page_answer(StatusCode::OK, &page)
}

/// Every set of the event, sold or not.
fn set_rows(visit: &Visit<'_>, sets: &Value) -> Vec<SetRow> {
    let sold: BTreeMap<&str, Sums> = rows(sets).filter_map(|(row, sums)| Some((row["set"].as_str()?, sums))).collect();
    let row = |set: &Value| {
        let count = |name: &str| set[name].as_i64().unwrap_or_default();
        let sums = set["set"].as_str().and_then(|id| sold.get(id)).copied().unwrap_or_default();
        SetRow {
            name: name_of(sets, "sets", &set["set"]),
            amount: count("amount"),
            sold: count("sold"),
            held: count("held"),
            free: count("free"),
            blocked: count("blocked"),
            full: money(visit, sums.full),
        }
    };
    sets["inventory"].as_array().into_iter().flatten().map(row).collect()
}

fn seller_rows(visit: &Visit<'_>, sellers: &Value) -> Vec<SellerRow> {
    let mut found: Vec<(&Value, Sums)> = rows(sellers).filter(|(_, sums)| *sums != Sums::default()).collect();
    found.sort_by_key(|(_, sums)| std::cmp::Reverse((sums.tickets, sums.full)));
    let row = |(row, sums): (&Value, Sums)| SellerRow {
        name: name_of(sellers, "partners", &row["vendor"]),
        tickets: sums.tickets,
        full: money(visit, sums.full),
        own: money(visit, sums.organizer),
        agent: money(visit, sums.agent),
    };
    found.into_iter().map(row).collect()
}

/// Tickets that were sold up to each day before an event begins, from [`PACE_DAYS`] days before on.
fn cumulated(sums: &BTreeMap<Date, i64>, begins: Date) -> Vec<i64> {
    let before = |day: &Date| day.until(begins).map_or(0, |span| span.get_days());
    (0..=i32::from(PACE_DAYS))
        .rev()
        .map(|left| sums.iter().filter(|(day, _)| before(day) >= left).map(|(_, tickets)| tickets).sum())
        .collect()
}

/// The pace of this event beside that of others of the partner that have sold something; `None` without a time, or others.
async fn pace(visit: &Visit<'_>, event: &EventData, sums: &BTreeMap<Date, Sums>) -> Result<Option<Pace>, Fault> {
    let Some((begins, _)) = event.span() else { return Ok(None) };
    let sales = read(visit, "by=event,day").await?;
    let mut by_event = BTreeMap::<&str, BTreeMap<Date, i64>>::new();
    for (row, sums) in rows(&sales).filter(|(_, sums)| sums.tickets > 0) {
        if let (Some(other), Some(day)) = (row["event"].as_str().filter(|id| *id != event.id), date_of(row)) {
            *by_event.entry(other).or_default().entry(day).or_default() += sums.tickets;
        }
    }
    let ids: Vec<&str> = by_event.keys().copied().rev().take(OTHERS_MAX).collect();
    if ids.is_empty() {
        return Ok(None);
    }
    let (others, _) = events_of(visit, &format!("&ids={}&limit={OTHERS_MAX}", ids.join(","))).await?;
    let paces: Vec<Vec<i64>> = others
        .iter()
        .filter_map(|other| Some(cumulated(by_event.get(other.id.as_str())?, other.span()?.0.date())))
        .collect();
    if paces.is_empty() {
        return Ok(None);
    }
    let count = i64::try_from(paces.len()).unwrap_or(1);
    let mean = |at: usize| (paces.iter().map(|pace| pace[at]).sum::<i64>() + count / 2).div_euclid(count);
    let average: Vec<i64> = (0..=usize::from(PACE_DAYS)).map(mean).collect();
    let tickets: BTreeMap<Date, i64> = sums.iter().map(|(day, sums)| (*day, sums.tickets)).collect();
    let own = cumulated(&tickets, begins.date());
    // Days that have not come yet are left out.
    let left = today(visit).until(begins.date()).map_or(0, |span| span.get_days()).clamp(0, PACE_DAYS.into());
    let left = usize::try_from(left).unwrap_or_default();
    let come = usize::from(PACE_DAYS) - left;
    let texts = visit.texts();
    let words = texts.with(
        "pace-words",
        &[("own", &own[come].to_string()), ("others", &average[come].to_string()), ("days", &left.to_string())],
    );
    let row = |at: usize| {
        let before = usize::from(PACE_DAYS) - at;
        (before, (at <= come).then(|| own[at]), average[at])
    };
    Ok(Some(Pace {
        plot: plots::pace(&own[..=come], &average, (&texts.text("pace-first"), &texts.text("pace-last"))),
        words,
        rows: (0..=usize::from(PACE_DAYS)).rev().filter(|at| at % 5 == 0).map(row).collect(),
    }))
}
