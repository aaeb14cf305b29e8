//! The list, streamed.

use std::collections::{HashMap, VecDeque};

use kassa_domain::event::{Event, EventId};
use kassa_engine::Failure;
use kassa_store::Slice;
use kassa_store::queries::SellableFilter;

use super::Asker;
use super::around::Around;
use crate::stream::{Items, Pages};

/// Events that are read at a time.
const PAGE: u32 = 250;
/// Hall maps that are shown at a time: one may have a million seats.
const MAPS: usize = 8;

/// What is still to be shown.
pub(super) struct Listing {
    pub(super) asker: Asker,
    pub(super) filter: SellableFilter,
    pub(super) rest: Rest,
    /// Events of the page that was read last, which are still to be shown.
    pub(super) waiting: VecDeque<Event>,
}

/// Which of the events that pass the filter.
pub(super) enum Rest {
    /// Newest first: at most `left` behind those that were read.
    AsStored { left: u32 },
    /// These, in this order.
    Sorted(std::vec::IntoIter<EventId>),
}

impl Pages for Listing {
    async fn next(&mut self, items: &mut Items) -> Result<bool, Failure> {
        if self.waiting.is_empty() {
            let Some(events) = self.events().await? else { return Ok(false) };
            self.waiting = events.into();
        }
        let events = self.few_maps();
        let around = Around::load(&self.asker, &events, self.filter.now).await?;
        around.show(&events).try_for_each(|event| items.push(&event))?;
        Ok(true)
    }
}

impl Listing {
    /// The events newest first, `limit` at most after `offset`, and how many there are in all: the first of them are
    /// read together with their number.
    pub(super) async fn as_stored(
        asker: Asker,
        filter: SellableFilter,
        (offset, limit): (u64, u32),
    ) -> Result<(Self, u64), Failure> {
        let slice = Slice { limit: PAGE.min(limit), offset, count: true };
        let page = asker.engine.page(filter.clone(), slice).await?;
        let mut listing = Self { asker, filter, rest: Rest::AsStored { left: limit }, waiting: VecDeque::new() };
        listing.waiting = listing.read(slice, page.rows).into();
        Ok((listing, page.total))
    }

    /// Notes that these events were read of those that are as stored.
    fn read(&mut self, slice: Slice, events: Vec<Event>) -> Vec<Event> {
        if let Rest::AsStored { left } = &mut self.rest {
            // A page that is not full is the last one.
            let is_full = events.len() >= slice.limit as usize;
            *left = if is_full { *left - slice.limit } else { 0 };
        }
        self.filter.before = events.last().map(|event| event.id);
        events
    }

    /// Takes events that wait, at most [`MAPS`] with hall maps among them.
    fn few_maps(&mut self) -> Vec<Event> {
        let mut maps = 0;
        let exceeds = |event: &Event| {
            maps += usize::from(event.map.is_some());
            maps > MAPS
        };
        let count = self.waiting.iter().position(exceeds).unwrap_or(self.waiting.len());
        self.waiting.drain(..count).collect()
    }

    /// The next events; `None` behind the last.
    async fn events(&mut self) -> Result<Option<Vec<Event>>, Failure> {
        let filter = &mut self.filter;
        match &mut self.rest {
            Rest::AsStored { left: 0 } => Ok(None),
            Rest::AsStored { left } => {
                let slice = Slice::first(PAGE.min(*left));
                let events = self.asker.engine.page(filter.clone(), slice).await?.rows;
                let events = self.read(slice, events);
                Ok(self.filter.before.map(|_| events))
            }
            Rest::Sorted(ids) => {
                let next: Vec<EventId> = ids.take(PAGE as usize).collect();
                if next.is_empty() {
                    return Ok(None);
                }
                let places: HashMap<EventId, usize> = next.iter().copied().zip(0..).collect();
                filter.ids = Some(next);
                let mut events = self.asker.engine.page(filter.clone(), Slice::first(PAGE)).await?.rows;
                events.sort_by_key(|event| places.get(&event.id).copied());
                Ok(Some(events))
            }
        }
    }
}
