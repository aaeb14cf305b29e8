//! Lists in another order than newest first, and those by price. What a ticket costs under a deal is no
//! matter of SQL: a few words of each event are read, put in order, and kept instead of the events.

use std::cmp::Ordering;

use kassa_domain::event::EventId;
use kassa_domain::price::{Terms, TicketPrice};
use kassa_domain::set::TicketSet;
use kassa_domain::{Actor, Money, ReadSet, Timestamp};
use kassa_engine::{Engine, Failure};
use kassa_store::PageWindow;
use kassa_store::memory_budget::MemoryMeter;

use super::list_query::{SimpleEventSortField, SimpleEventsQuery};
use crate::error::ApiError;
use crate::input::Problems;
use crate::related::sets_and_deals;
use crate::v1::sets::seller_terms;

/// The most events that are read for one list.
const SORTED_EVENTS_MAX: u64 = 10_000;
/// Events that are read at a time.
const PAGE_SIZE: u32 = 500;

/// An event, as far as its place in the list depends on it.
struct SortKey {
    event: EventId,
    start: Option<Timestamp>,
    end: Option<Timestamp>,
    price: Option<Money>,
}

/// Refuses a list for which too many events would be read.
pub(super) fn check_sortable_count(total: u64, wanted: &SimpleEventsQuery) -> Result<(), ApiError> {
    let mut problems = Problems::default();
    if total > SORTED_EVENTS_MAX {
        let name = if wanted.sort.is_empty() { "price" } else { "sort" };
        problems.add_parameter(
            name,
            format!("must be of {SORTED_EVENTS_MAX} events at most: narrow the list by other parameters"),
        );
    }
    problems.finish()
}

/// All events that are wanted, in the order that is wanted.
pub(super) async fn sorted_event_ids(
    engine: &Engine,
    actor: &Actor,
    wanted: &SimpleEventsQuery,
) -> Result<Vec<EventId>, Failure> {
    let (mut keys, mut filter) = (Vec::new(), wanted.filter.clone());
    loop {
        // These rows are gone when their keys are made.
        let meter = MemoryMeter::current().part();
        let events = meter.scope(engine.page(filter.clone(), PageWindow::first(PAGE_SIZE))).await?.rows;
        let Some(last) = events.last() else { break };
        filter.before = Some(last.id);
        let read_set = if wanted.needs_prices() { sets_and_deals(actor, &events) } else { ReadSet::default() };
        let view = meter.scope(engine.view(&read_set)).await?;
        let sets = view.sets_by_event();
        keys.extend(events.iter().map(|event| {
            let sets = sets.get(&event.id).map_or(&[][..], Vec::as_slice);
            SortKey {
                event: event.id,
                start: event.lifetime.map(|lifetime| lifetime.start),
                end: event.ends_at(),
                price: lowest_price(sets, seller_terms(&view, actor, event), filter.now),
            }
        }));
    }
    let costs = |key: &SortKey| {
        let within = |(from, to)| key.price.is_some_and(|price| from <= price && price <= to);
        wanted.price.is_none_or(within)
    };
    keys.retain(costs);
    keys.sort_by(|one, other| one.compare(other, &wanted.sort));
    Ok(keys.into_iter().map(|key| key.event).collect())
}

/// The lowest of the prices at which sets are shown to a seller under `terms`; `None` without any.
fn lowest_price(sets: &[&TicketSet], terms: Option<&Terms>, now: Timestamp) -> Option<Money> {
    let rules = sets.iter().filter(|set| !set.removed).filter_map(|set| set.shown_rule(now));
    rules.map(|rule| terms.map_or(rule.price, |terms| TicketPrice::new(rule.price, Money::ZERO, terms).full())).min()
}

impl SortKey {
    /// By the fields in turn; what they leave open, newest first.
    fn compare(&self, other: &Self, sort: &[(SimpleEventSortField, bool)]) -> Ordering {
        let by = |(field, descends): &(SimpleEventSortField, bool)| match field {
            SimpleEventSortField::Start => compare_unknown_last(self.start, other.start, *descends),
            SimpleEventSortField::End => compare_unknown_last(self.end, other.end, *descends),
            SimpleEventSortField::Price => compare_unknown_last(self.price, other.price, *descends),
        };
        sort.iter().map(by).find(|order| order.is_ne()).unwrap_or_else(|| other.event.cmp(&self.event))
    }
}

/// What is not known stands last, whether the others ascend or descend.
fn compare_unknown_last<T: Ord>(one: Option<T>, other: Option<T>, descends: bool) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) if descends => other.cmp(&one),
        (Some(one), Some(other)) => one.cmp(&other),
        (one, other) => other.is_some().cmp(&one.is_some()),
    }
}
