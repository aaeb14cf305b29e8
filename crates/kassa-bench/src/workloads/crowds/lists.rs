//! Pages of events of a long catalogue, each event with many sets, beside the same pages of a short one.

use std::path::Path;

use hdrhistogram::Histogram;

use super::{PageTimes, TIME_GOAL, asked_per_round, time_page};
use crate::api_client::ApiClient;
use crate::audit::audit_sale;
use crate::context::BenchContext;
use crate::error::BenchError;
use crate::report::ReportRow;
use crate::scripts::{ORDERS_PATH, OrderId, find_order_id, order_body};
use crate::sellers::{Sale, Sellers};
use crate::server::ServerProcess;

/// A long catalogue has this many times as many events as a page.
const PAGES: usize = 10;

/// How large catalogues are.
#[derive(Clone, Copy)]
struct CatalogueSize {
    events_per_page: usize,
    sets_per_event: usize,
}

const SIZE: CatalogueSize = CatalogueSize { events_per_page: 100, sets_per_event: 100 };
const SIZE_QUICK: CatalogueSize = CatalogueSize { events_per_page: 10, sets_per_event: 10 };
/// Tickets of each set.
const TICKETS_PER_SET: u32 = 2;
/// Tickets of the set that is ordered of: more than pages are asked for.
const TICKETS_OF_CHANGING_SET: u32 = 10_000;

/// Where lists are, and what they are called.
const LISTS: [(&str, &str); 2] = [("events to sell", "/v1/services/simple/events"), ("events", "/v1/resources/events")];

/// What is asked for, and when.
#[derive(Clone, Copy)]
enum Question {
    /// The first page, when an event on it has just changed: it is made anew.
    PageAfterOrder,
    /// The same page again. Pages are not kept: only what is asked for without a query is.
    PageAgain,
    /// An event on it, again. In the list of events that answer is kept, with all sets; among events to sell it is not.
    EventAgain,
}

const QUESTIONS: [(Question, &str); 3] = [
    (Question::PageAfterOrder, "after an order"),
    (Question::PageAgain, "asked again"),
    (Question::EventAgain, "one of them, asked again"),
];

/// Measures servers that have nothing but their catalogues.
pub(super) async fn measure(bench: &BenchContext, scratch: &Path) -> Result<Vec<ReportRow>, BenchError> {
    let size = if bench.is_quick { SIZE_QUICK } else { SIZE };
    let CatalogueSize { events_per_page: page, sets_per_event: sets } = size;
    let all = PAGES * page;
    bench.report_progress(&format!("putting {all} events with {sets} sets each on sale"));
    // The long one comes first: its agent's connection would not outlast the making of all these events.
    let mut long = Catalogue::open(bench, &scratch.join("long-catalogue"), all, size).await?;
    let mut short = Catalogue::open(bench, &scratch.join("short-catalogue"), page, size).await?;
    let mut rows = Vec::new();
    for (name, path) in LISTS {
        let what = format!("{page} of {all} {name} with {sets} sets each, beside {page} of {page}");
        let mut of_list = QUESTIONS.map(|(_, how)| ReportRow::new("o", format!("{what}: {how}"), "ms").goal(TIME_GOAL));
        for round in 1..=bench.rounds {
            bench.report_progress(&format!("{page} of {all} {name}, round {round} of {}", bench.rounds));
            for (row, (question, _)) in of_list.iter_mut().zip(QUESTIONS) {
                let mut times = PageTimes::new()?;
                for _ in 0..asked_per_round(bench) {
                    short.ask(question, path, size, &mut times.beside_us).await?;
                    long.ask(question, path, size, &mut times.ours_us).await?;
                }
                times.add_to(row);
            }
        }
        rows.extend(of_list);
    }
    short.close().await?;
    long.close().await?;
    Ok(rows)
}

/// A server with events on sale, and who sells them.
struct Catalogue {
    server: ServerProcess,
    sellers: Sellers,
    agent: ApiClient,
    /// The event that is on the first page, and changes.
    newest: Sale,
    orders: Vec<OrderId>,
}

impl Catalogue {
    async fn open(bench: &BenchContext, data: &Path, events: usize, size: CatalogueSize) -> Result<Self, BenchError> {
        let server = bench.start_kassa(data)?;
        let sellers = Sellers::open(server.address).await?;
        let mut amounts = vec![TICKETS_PER_SET; size.sets_per_event];
        sellers.open_sales(events - 1, &amounts).await?;
        amounts[0] = TICKETS_OF_CHANGING_SET;
        let newest = sellers.open_sales(1, &amounts).await?.pop().ok_or("no event was made")?;
        let mut agent = ApiClient::open(server.address, sellers.agent_key.clone()).await?;
        for (_, path) in LISTS {
            check_page(&mut agent, path, events, size).await?;
        }
        Ok(Self { server, sellers, agent, newest, orders: Vec::new() })
    }

    /// Asks a question of a list, and notes how long the answer took.
    async fn ask(
        &mut self,
        question: Question,
        list: &str,
        size: CatalogueSize,
        took_us: &mut Histogram<u64>,
    ) -> Result<(), BenchError> {
        let page = format!("{list}?limit={}", size.events_per_page);
        let path = match question {
            Question::PageAfterOrder => {
                self.order().await?;
                page
            }
            Question::PageAgain => page,
            Question::EventAgain => format!("{list}/{}", self.newest.event),
        };
        time_page(&mut self.agent, &path, took_us).await
    }

    /// Changes the first page.
    async fn order(&mut self) -> Result<(), BenchError> {
        let answer = self.agent.send("POST", ORDERS_PATH, Some(&order_body(&self.newest, 0))).await?;
        self.orders.push(find_order_id(answer.body)?);
        Ok(())
    }

    /// Holds the orders against their tickets, and ends the server.
    async fn close(mut self) -> Result<(), BenchError> {
        self.sellers.reconnect().await?;
        audit_sale(&mut self.sellers, &self.newest, &self.orders).await?;
        self.server.stop()
    }
}

/// Sees that a page has what is to be measured.
async fn check_page(agent: &mut ApiClient, path: &str, events: usize, size: CatalogueSize) -> Result<(), BenchError> {
    let path = format!("{path}?limit={}", size.events_per_page);
    let answer = agent.send("GET", &path, None).await?;
    let total = answer.total;
    let page: Vec<serde_json::Value> = serde_json::from_slice(answer.body)?;
    let has_all_sets = |event: &serde_json::Value| event["sets"].as_array().map(Vec::len) == Some(size.sets_per_event);
    if total == Some(events as u64) && page.len() == size.events_per_page && page.iter().all(has_all_sets) {
        return Ok(());
    }
    Err(format!("{path} has not the page that is to be measured, of {events} events: {} of {total:?}", page.len())
        .into())
}
