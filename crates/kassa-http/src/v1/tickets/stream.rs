//! Lists of tickets, streamed: a page of the database at a time, so that no transaction stays open
//! while a slow client reads.

use std::collections::BTreeMap;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use http_body_util::channel::{Channel, Sender};
use kassa_domain::event::Event;
use kassa_domain::set::{Counts, Set, SetId};
use kassa_domain::ticket::{Ticket, TicketId};
use kassa_domain::{Actor, Needs, View, permission};
use kassa_engine::{Engine, Failure};
use kassa_store::Slice;
use kassa_store::queries::TicketsFilter;

use super::model::TicketBody;
use crate::answer::{JSON, TOTAL};
use crate::app::App;
use crate::error::ApiError;
use crate::input::{Problems, Query};

/// Tickets that are read at a time.
const PAGE: u32 = 2_000;
/// Pages that wait for a slow client.
const PAGES_WAITING: usize = 2;

/// The states by name, as places in [`TicketsFilter::states`]; `pending` ones are not made yet.
const STATES: [(&str, Option<usize>); 5] =
    [("vacant", Some(0)), ("reserved", Some(1)), ("sold", Some(2)), ("blocked", Some(3)), ("pending", None)];

/// Which tickets are wanted.
pub(super) struct Wanted {
    states: [bool; 4],
    ids: Option<Vec<TicketId>>,
}

impl Wanted {
    /// The parameters `status` and `ids`.
    pub(super) fn read(query: &Query, problems: &mut Problems) -> Self {
        let wanted = query.words("status", &STATES, problems);
        let mut states = [wanted.is_none(); 4];
        wanted.into_iter().flatten().flatten().for_each(|at| states[at] = true);
        Self { states, ids: query.ids("ids", problems) }
    }

    /// Answers those of `sets`, which are of the event in the view.
    pub(super) async fn stream(
        self,
        app: &App,
        actor: Actor,
        (event, view): (Event, View),
        sets: Vec<Set>,
    ) -> Result<Response, ApiError> {
        let Self { states, ids } = self;
        let of_sets = sets.iter().map(|set| set.id).collect();
        let filter = TicketsFilter { event: event.id, sets: of_sets, states, ids, after: 0 };
        let total = match &filter.ids {
            None => sets.iter().map(|set| count(&set.counts, states)).sum(),
            Some(_) => app.engine.page(filter.clone(), Slice { limit: 0, offset: 0, count: true }).await?.total,
        };
        let sectors = by_sector(&sets);
        let (sender, body) = Channel::<Bytes, Failure>::new(PAGES_WAITING);
        tokio::spawn(send(app.engine.clone(), Listing { actor, event, view, filter, sectors }, sender));
        Ok(([(header::CONTENT_TYPE, JSON), (TOTAL, total.into())], Body::new(body)).into_response())
    }
}

/// The sets of each sector, the last sector first: they are taken from the end.
fn by_sector(sets: &[Set]) -> Vec<Vec<SetId>> {
    let mut sectors: BTreeMap<(Vec<Piece<'_>>, &str), Vec<SetId>> = BTreeMap::new();
    for set in sets {
        sectors.entry((naturally(&set.sector), &set.sector)).or_default().push(set.id);
    }
    sectors.into_values().rev().collect()
}

/// A piece of a name: digits count as the number that they are.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Piece<'a> {
    /// By size: without leading zeros, the longer number is the larger one.
    Number(usize, &'a str),
    Text(&'a str),
}

/// A name as people sort it: 2 before 10.
fn naturally(name: &str) -> Vec<Piece<'_>> {
    let is_digit = |c: char| c.is_ascii_digit();
    let (mut pieces, mut rest) = (Vec::new(), name);
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_digit(c) != is_digit(first)).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        pieces.push(if is_digit(first) {
            let number = piece.trim_start_matches('0');
            Piece::Number(number.len(), number)
        } else {
            Piece::Text(piece)
        });
    }
    pieces
}

fn count(counts: &Counts, states: [bool; 4]) -> u64 {
    let each = [counts.vacant, counts.held, counts.sold, counts.blocked];
    each.iter().zip(states).filter(|(_, on)| *on).map(|(count, _)| count.unsigned_abs()).sum()
}

struct Listing {
    actor: Actor,
    event: Event,
    view: View,
    filter: TicketsFilter,
    /// Sectors that are still to come.
    sectors: Vec<Vec<SetId>>,
}

/// Sends the list, page by page. A failure breaks the answer off, so that no client takes half of a
/// list for the whole.
async fn send(engine: Engine, mut listing: Listing, mut sender: Sender<Bytes, Failure>) {
    let mut begun = false;
    loop {
        let page = match listing.next(&engine).await {
            Ok(page) => page,
            Err(failure) => return sender.abort(failure),
        };
        let ends = page.is_none();
        let text = match page {
            Some(items) if begun => format!(",{items}"),
            Some(items) => format!("[{items}"),
            None if begun => "]".to_owned(),
            None => "[]".to_owned(),
        };
        // A client that went away needs no more.
        if sender.send_data(text.into()).await.is_err() || ends {
            return;
        }
        begun = true;
    }
}

impl Listing {
    /// The next tickets, rendered and separated by commas; `None` behind the last.
    async fn next(&mut self, engine: &Engine) -> Result<Option<String>, Failure> {
        let page = loop {
            let Some(sets) = self.sectors.last() else { return Ok(None) };
            self.filter.sets.clone_from(sets);
            let page = engine.page(self.filter.clone(), Slice::first(PAGE)).await?;
            if let Some(last) = page.rows.last() {
                self.filter.after = last.number;
                break page;
            }
            self.sectors.pop();
            self.filter.after = 0;
        };
        let holders = self.holders(engine, &page.rows).await?;
        let item = |ticket: &Ticket| {
            let set = self.view.sets.get(ticket.set)?;
            serde_json::to_string(&TicketBody::new(ticket, set, self.sees_barcode(ticket, &holders))).ok()
        };
        Ok(Some(page.rows.iter().filter_map(item).collect::<Vec<String>>().join(",")))
    }

    /// The orders of sold tickets, where they decide who sees a barcode.
    async fn holders(&self, engine: &Engine, tickets: &[Ticket]) -> Result<View, Failure> {
        let matters = self.actor != Actor::Anonymous && !permission::organizes(&self.actor, &self.event);
        let sold = tickets.iter().filter(|ticket| ticket.barcode().is_some());
        let orders = if matters { sold.filter_map(Ticket::holder).collect() } else { Vec::new() };
        engine.view(&Needs { orders, ..Needs::default() }).await
    }

    fn sees_barcode(&self, ticket: &Ticket, holders: &View) -> bool {
        let holder = ticket.holder().and_then(|order| holders.orders.get(order));
        permission::sees_barcode(&self.actor, &self.event, holder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_as_people_sort_them() {
        let sorted = ["", "2", "10", "10a", "A", "B2", "B02x", "B10", "B10 row 9", "B10 row 11", "\u{416}"];
        for pair in sorted.windows(2) {
            assert!(naturally(pair[0]) < naturally(pair[1]), "{pair:?}");
        }
    }
}
