//! A list of events, streamed: an event has up to 500 sets, each with a text, and is shown with all of them.

use std::collections::VecDeque;
use std::sync::Arc;

use kassa_domain::event::Event;
use kassa_domain::{Actor, ReadSet, Timestamp};
use kassa_engine::{Engine, Failure};
use kassa_store::memory_budget::MemoryMeter;

use super::model::EventBody;
use crate::base_url::BaseUrl;
use crate::related::deals_of;
use crate::response::list_stream::{JsonItems, PageSource};
use crate::response::row_groups::GroupSize;
use crate::v1::sets::seller_terms;

/// Events that are still to be shown, with their sets, to this caller.
pub(super) struct EventsStream {
    pub(super) engine: Engine,
    pub(super) actor: Actor,
    pub(super) base: BaseUrl,
    pub(super) now: Timestamp,
    pub(super) events: VecDeque<Event>,
    pub(super) groups: GroupSize,
}

impl PageSource for EventsStream {
    async fn next(&mut self, items: &mut JsonItems, _held: &Arc<MemoryMeter>) -> Result<bool, Failure> {
        if self.events.is_empty() {
            return Ok(false);
        }
        let group = loop {
            let attempt = self.groups.begin(self.events.len());
            let sets_of: Vec<_> = self.events.iter().take(attempt.size).map(|event| event.id).collect();
            let deals_of = deals_of(&self.actor, sets_of.iter().copied());
            let venues = self.events.iter().take(attempt.size).filter_map(|event| event.venue).collect();
            let read_set = ReadSet { sets_of, deals_of, venues, ..ReadSet::default() };
            let view = attempt.meter.scope(self.engine.view(&read_set)).await;
            if let Some(group) = self.groups.finish(attempt, view)? {
                break group;
            }
        };
        let view = &group.related;
        let mut sets = view.sets_by_event();
        for event in self.events.drain(..group.size) {
            let sets = sets.remove(&event.id).unwrap_or_default();
            let shown = sets.into_iter().filter(|set| !set.removed);
            let terms = seller_terms(view, &self.actor, &event);
            let venue = event.venue.and_then(|venue| view.venues.get(venue));
            items.push(&EventBody::new(&event, shown, terms, self.now, &self.base).with_venue(venue))?;
        }
        Ok(true)
    }
}
