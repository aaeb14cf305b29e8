//! Lists of tickets, streamed: a page of the database at a time.

use std::collections::BTreeMap;
use std::sync::Arc;

use kassa_domain::event::Event;
use kassa_domain::natural_sort::natural_key;
use kassa_domain::set::{TicketCounts, TicketSet};
use kassa_domain::ticket::{Ticket, TicketId};
use kassa_domain::{Actor, ReadSet, View, permission};
use kassa_engine::{Engine, Failure};
use kassa_store::memory_budget::MemoryMeter;
use kassa_store::queries::{SeatsFilter, TicketsFilter};
use kassa_store::{PageWindow, RowCount};
use utoipa::openapi::path::Parameter;

use super::model::TicketBody;
use crate::app::AppState;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::words;
use crate::response::list_stream::{JsonItems, PageSource};
use crate::v1::sets::VisibleEvent;
use crate::wire::{TICKET_STATUSES, TicketStatus};

/// Tickets that are read at a time.
const PAGE_SIZE: u32 = 2_000;

/// The words of the parameter `status`; `pending` tickets are not made yet.
fn status_words() -> Vec<(&'static str, Option<TicketStatus>)> {
    let mut words = TICKET_STATUSES.words_for(|status| Some(Some(status)));
    words.push(("pending", None));
    words
}

/// Where [`TicketsFilter::states`] and counts have a status.
fn place_of(status: TicketStatus) -> usize {
    match status {
        TicketStatus::Vacant => 0,
        TicketStatus::Reserved => 1,
        TicketStatus::Sold => 2,
        TicketStatus::Blocked => 3,
    }
}

/// The parameter `status`.
pub(super) fn status_parameter() -> Parameter {
    words(
        "status",
        &status_words(),
        "Only those with these statuses. `pending` is accepted, and no listed ticket has it.",
    )
}

/// Which tickets are wanted.
pub(super) struct TicketsQuery {
    states: [bool; 4],
    ids: Option<Vec<TicketId>>,
}

impl TicketsQuery {
    /// The parameters `status` and `ids`.
    pub(super) fn read(query: &Query, problems: &mut Problems) -> Self {
        let wanted = query.words("status", &status_words(), problems);
        let mut states = [wanted.is_none(); 4];
        wanted.into_iter().flatten().flatten().for_each(|status| states[place_of(status)] = true);
        Self { states, ids: query.ids("ids", problems) }
    }

    /// Those of `sets`, which are of the event, and how many they are.
    pub(super) async fn begin(
        self,
        app: &AppState,
        actor: Actor,
        VisibleEvent { event, view }: VisibleEvent,
        sets: Vec<TicketSet>,
    ) -> Result<(TicketsStream, u64), ApiError> {
        let Self { states, ids } = self;
        let of_sets = sets.iter().map(|set| set.id).collect();
        let filter = TicketsFilter { event: event.id, sets: of_sets, states, ids, after: 0, are_few: false };
        let total = match &filter.ids {
            None => sets.iter().map(|set| count_in_states(&set.counts, states)).sum(),
            Some(_) => {
                app.engine.page(filter.clone(), PageWindow { limit: 0, offset: 0, count: RowCount::All }).await?.total
            }
        };
        let sections = list_sections(&sets, &filter, &view);
        Ok((TicketsStream { engine: app.engine.clone(), actor, event, view, sections }, total))
    }
}

/// A part of the list: the tickets of some sets that share a sector.
enum ListSection {
    /// Those without seats, by number.
    ByNumber(TicketsFilter),
    /// Those with seats, by row and number in the row.
    BySeat(SeatsFilter),
}

/// The parts of the list, the last one first: they are taken from the end. Sectors are in their
/// natural order.
fn list_sections(sets: &[TicketSet], filter: &TicketsFilter, view: &View) -> Vec<ListSection> {
    // Whoever looks for tickets one by one passes those of all sets.
    let of_event: u64 = view.sets_of(filter.event).iter().map(|set| set.counts.amount.unsigned_abs()).sum();
    let mut sectors: BTreeMap<(String, bool), Vec<&TicketSet>> = BTreeMap::new();
    for set in sets {
        sectors.entry((natural_key(&set.sector), set.seats.is_some())).or_default().push(set);
    }
    let part = |((_, seated), of_sector): ((String, bool), Vec<&TicketSet>)| {
        let count: u64 = of_sector.iter().map(|set| count_in_states(&set.counts, filter.states)).sum();
        // Found by their state, they are all read for each page.
        let pages = count.div_ceil(PAGE_SIZE.into());
        let are_few = filter.ids.is_none() && count * pages <= of_event;
        let numbers = TicketsFilter { sets: of_sector.iter().map(|set| set.id).collect(), are_few, ..filter.clone() };
        if !seated {
            return ListSection::ByNumber(numbers);
        }
        let sector = of_sector.first().map_or_else(String::new, |set| set.sector.clone());
        let TicketsFilter { event, sets, states, ids, are_few, .. } = numbers;
        ListSection::BySeat(SeatsFilter { event, sector, sets, states, ids, after: None, are_few })
    };
    sectors.into_iter().rev().map(part).collect()
}

impl ListSection {
    /// The next page. Where it is not full, there is none behind it.
    async fn next_page(&mut self, engine: &Engine) -> Result<Vec<Ticket>, Failure> {
        match self {
            Self::ByNumber(filter) => {
                let tickets = engine.page(filter.clone(), PageWindow::first(PAGE_SIZE)).await?.rows;
                filter.after = tickets.last().map_or(filter.after, |last| last.number);
                Ok(tickets)
            }
            Self::BySeat(filter) => {
                let tickets = engine.page(filter.clone(), PageWindow::first(PAGE_SIZE)).await?.rows;
                if let Some(seat) = tickets.last().and_then(|last| last.seat.as_deref()) {
                    filter.after = Some((seat.row.clone(), seat.number));
                }
                Ok(tickets)
            }
        }
    }
}

fn count_in_states(counts: &TicketCounts, states: [bool; 4]) -> u64 {
    let each = [counts.vacant, counts.held, counts.sold, counts.blocked];
    each.iter().zip(states).filter(|(_, on)| *on).map(|(count, _)| count.unsigned_abs()).sum()
}

/// Tickets of an event that are still to be shown.
pub(super) struct TicketsStream {
    engine: Engine,
    actor: Actor,
    event: Event,
    /// All of its sets.
    view: View,
    /// What is still to come.
    sections: Vec<ListSection>,
}

impl PageSource for TicketsStream {
    fn is_over(&self) -> bool {
        self.sections.is_empty()
    }

    async fn next(&mut self, items: &mut JsonItems, _held: &Arc<MemoryMeter>) -> Result<bool, Failure> {
        let tickets = loop {
            let Some(part) = self.sections.last_mut() else { return Ok(false) };
            let tickets = part.next_page(&self.engine).await?;
            if tickets.len() < PAGE_SIZE as usize {
                self.sections.pop();
            }
            if !tickets.is_empty() {
                break tickets;
            }
        };
        let holders = self.holder_orders(&tickets).await?;
        for ticket in &tickets {
            if let Some(set) = self.view.sets.get(ticket.set) {
                items.push(&TicketBody::new(ticket, set, self.sees_barcode(ticket, &holders)))?;
            }
        }
        Ok(true)
    }
}

impl TicketsStream {
    /// The orders of sold tickets, where they decide who sees a barcode.
    async fn holder_orders(&self, tickets: &[Ticket]) -> Result<View, Failure> {
        let matters = self.actor != Actor::Anonymous && !permission::organizes(&self.actor, &self.event);
        let sold = tickets.iter().filter(|ticket| ticket.barcode().is_some());
        let orders = if matters { sold.filter_map(Ticket::holder).collect() } else { Vec::new() };
        self.engine.view(&ReadSet { orders, ..ReadSet::default() }).await
    }

    fn sees_barcode(&self, ticket: &Ticket, holders: &View) -> bool {
        let holder = ticket.holder().and_then(|order| holders.orders.get(order));
        permission::sees_barcode(&self.actor, &self.event, holder)
    }
}
