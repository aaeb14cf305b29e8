//! Pages of events of a long catalogue, each event with many sets, beside the same pages of a short one.

use std::path::Path;

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
/// What an overview shows of each event. An answer with all sets is too long to be kept.
const OVERVIEW_FIELDS: &str = "id,title,lifetime";

/// Measures servers that have nothing but their catalogues.
pub(super) async fn measure(bench: &BenchContext, scratch: &Path) -> Result<Vec<ReportRow>, BenchError> {
    let size = if bench.is_quick { SIZE_QUICK } else { SIZE };
    let CatalogueSize { events_per_page: page, sets_per_event: sets } = size;
    let all = PAGES * page;
    bench.report_progress(&format!("putting {all} events with {sets} sets each on sale"));
    let mut short = Catalogue::open(bench, &scratch.join("short-catalogue"), page, size).await?;
    let mut long = Catalogue::open(bench, &scratch.join("long-catalogue"), all, size).await?;
    let mut rows = Vec::new();
    for (name, path) in LISTS {
        let page_path = format!("{path}?limit={page}");
        let overview_path = format!("{page_path}&fields-schema={OVERVIEW_FIELDS}");
        let what = format!("{page} of {all} {name} with {sets} sets each, beside {page} of {page}");
        let row = |how: &str| ReportRow::new("o", format!("{what}: {how}"), "ms").goal(TIME_GOAL);
        let mut made_anew = row("after an order");
        let mut overview_made_anew = row("their titles, after an order");
        let mut overview_kept = row("their titles, asked again");
        for round in 1..=bench.rounds {
            bench.report_progress(&format!("{page} of {all} {name}, round {round} of {}", bench.rounds));
            for (row, path, is_kept) in [
                (&mut made_anew, &page_path, false),
                (&mut overview_made_anew, &overview_path, false),
                (&mut overview_kept, &overview_path, true),
            ] {
                let mut times = PageTimes::new()?;
                for _ in 0..asked_per_round(bench) {
                    for (catalogue, took_us) in [(&mut short, &mut times.beside_us), (&mut long, &mut times.ours_us)] {
                        if !is_kept {
                            catalogue.order().await?;
                        }
                        time_page(&mut catalogue.agent, path, took_us).await?;
                    }
                }
                times.add_to(row);
            }
        }
        rows.extend([made_anew, overview_made_anew, overview_kept]);
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

    /// Changes the first page: what was kept of it is of no use any more.
    async fn order(&mut self) -> Result<(), BenchError> {
        let answer = self.agent.send("POST", ORDERS_PATH, Some(&order_body(&self.newest, 0))).await?;
        self.orders.push(find_order_id(answer.body)?);
        Ok(())
    }

    /// Holds the orders against their tickets, and ends the server.
    async fn close(mut self) -> Result<(), BenchError> {
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
