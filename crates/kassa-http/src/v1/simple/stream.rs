//! The list, streamed.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use kassa_domain::event::{Event, EventId};
use kassa_engine::Failure;
use kassa_store::memory_budget::MemoryMeter;
use kassa_store::queries::SellableEventsFilter;
use kassa_store::{PageWindow, RowCount};

use super::CallerContext;
use super::related::RelatedEventRows;
use crate::response::list_stream::{JsonItems, PageSource};
use crate::response::row_groups::GroupSize;

/// Events that are read at a time.
const PAGE_SIZE: u32 = 250;
/// Hall maps that are shown at a time: one may have a million seats.
const MAPS_PER_BATCH: usize = 8;

/// What is still to be shown.
pub(super) struct SimpleEventsStream {
    pub(super) caller: CallerContext,
    pub(super) filter: SellableEventsFilter,
    pub(super) remaining: RemainingEvents,
    /// Events of the page that was read last, which are still to be shown.
    pub(super) pending_events: VecDeque<Event>,
    pub(super) groups: GroupSize,
}

/// Which of the events that pass the filter.
pub(super) enum RemainingEvents {
    /// Newest first: at most `left` behind those that were read.
    NewestFirst { left: u32 },
    /// These, in this order.
    Sorted(std::vec::IntoIter<EventId>),
}

impl PageSource for SimpleEventsStream {
    async fn next(&mut self, items: &mut JsonItems, held: &Arc<MemoryMeter>) -> Result<bool, Failure> {
        if self.pending_events.is_empty() {
            held.settle(0);
            let Some(events) = held.scope(self.next_events()).await? else { return Ok(false) };
            self.pending_events = events.into();
        }
        let events = self.take_batch();
        let group = loop {
            let attempt = self.groups.begin(events.len());
            let load = RelatedEventRows::load(&self.caller, &events[..attempt.size], self.filter.now);
            let related = attempt.meter.scope(load).await;
            if let Some(group) = self.groups.finish(attempt, related)? {
                break group;
            }
        };
        group.related.sellable_bodies(&events[..group.size]).try_for_each(|event| items.push(&event))?;
        for event in events.into_iter().skip(group.size).rev() {
            self.pending_events.push_front(event);
        }
        Ok(true)
    }
}

impl SimpleEventsStream {
    /// A part of the events newest first, and how many there are in all: the first of them are read together with
    /// their number.
    pub(super) async fn newest_first(
        caller: CallerContext,
        filter: SellableEventsFilter,
        PageWindow { limit, offset, .. }: PageWindow,
    ) -> Result<(Self, u64), Failure> {
        let slice = PageWindow { limit: PAGE_SIZE.min(limit), offset, count: RowCount::All };
        let page = caller.engine.page(filter.clone(), slice).await?;
        let mut listing = Self {
            caller,
            filter,
            remaining: RemainingEvents::NewestFirst { left: limit },
            pending_events: VecDeque::new(),
            groups: GroupSize::default(),
        };
        listing.pending_events = listing.advance_past(slice, page.rows).into();
        Ok((listing, page.total))
    }

    /// Notes that these events were read of those that are as stored.
    fn advance_past(&mut self, slice: PageWindow, events: Vec<Event>) -> Vec<Event> {
        if let RemainingEvents::NewestFirst { left } = &mut self.remaining {
            // A page that is not full is the last one.
            let is_full = events.len() >= slice.limit as usize;
            *left = if is_full { *left - slice.limit } else { 0 };
        }
        self.filter.before = events.last().map(|event| event.id);
        events
    }

    /// Takes events that wait, at most [`MAPS_PER_BATCH`] with hall maps among them.
    fn take_batch(&mut self) -> Vec<Event> {
        let mut maps = 0;
        let exceeds = |event: &Event| {
            maps += usize::from(event.hall_map.is_some());
            maps > MAPS_PER_BATCH
        };
        let count = self.pending_events.iter().position(exceeds).unwrap_or(self.pending_events.len());
        self.pending_events.drain(..count).collect()
    }

    /// The next events; `None` behind the last.
    async fn next_events(&mut self) -> Result<Option<Vec<Event>>, Failure> {
        let filter = &mut self.filter;
        match &mut self.remaining {
            RemainingEvents::NewestFirst { left: 0 } => Ok(None),
            RemainingEvents::NewestFirst { left } => {
                let slice = PageWindow::first(PAGE_SIZE.min(*left));
                let events = self.caller.engine.page(filter.clone(), slice).await?.rows;
                let events = self.advance_past(slice, events);
                Ok(self.filter.before.map(|_| events))
            }
            RemainingEvents::Sorted(ids) => {
                let next: Vec<EventId> = ids.take(PAGE_SIZE as usize).collect();
                if next.is_empty() {
                    return Ok(None);
                }
                let places: HashMap<EventId, usize> = next.iter().copied().zip(0..).collect();
                filter.ids = Some(next);
                let mut events = self.caller.engine.page(filter.clone(), PageWindow::first(PAGE_SIZE)).await?.rows;
                events.sort_by_key(|event| places.get(&event.id).copied());
                Ok(Some(events))
            }
        }
    }
}
