//! Lists in another order than newest first, and those by price. What a ticket costs under a deal is no
//! matter of SQL: a few words of each event are read, put in order, and kept instead of the events.

use std::cmp::Ordering;

use kassa_domain::event::EventId;
use kassa_domain::price::{Price, Terms};
use kassa_domain::set::Set;
use kassa_domain::{Actor, Money, Needs, Timestamp};
use kassa_engine::{Engine, Failure};
use kassa_store::Slice;

use super::needs_of;
use super::wanted::Wanted;
use crate::error::ApiError;
use crate::input::Problems;
use crate::v1::sets::terms_of;

/// The most events that are read for one list.
const EVENTS_MAX: u64 = 10_000;
/// Events that are read at a time.
const PAGE: u32 = 500;

/// What a list is sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// When the event begins.
    Start,
    /// When it ends.
    End,
    /// Its lowest price.
    Price,
}

/// An event, as far as its place in the list depends on it.
struct Key {
    event: EventId,
    start: Option<Timestamp>,
    end: Option<Timestamp>,
    price: Option<Money>,
}

/// Refuses a list for which too many events would be read.
pub(super) fn few_enough(total: u64, wanted: &Wanted) -> Result<(), ApiError> {
    let mut problems = Problems::default();
    if total > EVENTS_MAX {
        let name = if wanted.sort.is_empty() { "price" } else { "sort" };
        problems
            .parameter(name, format!("must be of {EVENTS_MAX} events at most: narrow the list by other parameters"));
    }
    problems.finish()
}

/// All events that are wanted, in the order that is wanted.
pub(super) async fn sorted(engine: &Engine, actor: &Actor, wanted: &Wanted) -> Result<Vec<EventId>, Failure> {
    let (mut keys, mut filter) = (Vec::new(), wanted.filter.clone());
    loop {
        let events = engine.page(filter.clone(), Slice::first(PAGE)).await?.rows;
        let Some(last) = events.last() else { break };
        filter.before = Some(last.id);
        let around = if wanted.asks_for_prices() { needs_of(actor, &events) } else { Needs::default() };
        let view = engine.view(&around).await?;
        let sets = view.sets_by_event();
        keys.extend(events.iter().map(|event| {
            let sets = sets.get(&event.id).map_or(&[][..], Vec::as_slice);
            Key {
                event: event.id,
                start: event.lifetime.map(|lifetime| lifetime.start),
                end: event.finish(),
                price: lowest_price(sets, terms_of(&view, actor, event), filter.now),
            }
        }));
    }
    let costs = |key: &Key| {
        let within = |(from, to)| key.price.is_some_and(|price| from <= price && price <= to);
        wanted.price.is_none_or(within)
    };
    keys.retain(costs);
    keys.sort_by(|one, other| one.compare(other, &wanted.sort));
    Ok(keys.into_iter().map(|key| key.event).collect())
}

/// The lowest of the prices at which sets are shown to a seller under `terms`; `None` without any.
fn lowest_price(sets: &[&Set], terms: Option<&Terms>, now: Timestamp) -> Option<Money> {
    let rules = sets.iter().filter(|set| !set.removed).filter_map(|set| set.shown_rule(now));
    rules.map(|rule| terms.map_or(rule.price, |terms| Price::new(rule.price, Money::ZERO, terms).full())).min()
}

impl Key {
    /// By the fields in turn; what they leave open, newest first.
    fn compare(&self, other: &Self, sort: &[(Field, bool)]) -> Ordering {
        let by = |(field, descends): &(Field, bool)| match field {
            Field::Start => in_order(self.start, other.start, *descends),
            Field::End => in_order(self.end, other.end, *descends),
            Field::Price => in_order(self.price, other.price, *descends),
        };
        sort.iter().map(by).find(|order| order.is_ne()).unwrap_or_else(|| other.event.cmp(&self.event))
    }
}

/// What is not known stands last, whether the others ascend or descend.
fn in_order<T: Ord>(one: Option<T>, other: Option<T>, descends: bool) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) if descends => other.cmp(&one),
        (Some(one), Some(other)) => one.cmp(&other),
        (one, other) => other.is_some().cmp(&one.is_some()),
    }
}
