//! Events that were short when they were last read: with all their sets, of which each may say much. What is read with
//! an event of which that is not known is read as a list is, so that it holds up no look-up.

use std::time::Duration;

use kassa_domain::event::EventId;
use kassa_domain::{ReadSet, View};
use moka::sync::Cache;

use crate::event_bytes::event_bytes;

/// The most that a short event and its sets say together, in bytes.
const SHORT_BYTES_MAX: usize = 64 * 1024;
/// How many events are remembered, and for how long: they may grow.
const REMEMBERED_MAX: u64 = 50_000;
const MEMORY: Duration = Duration::from_secs(10);

/// The events. What is in here is short.
pub(crate) struct ShortEvents(Cache<EventId, ()>);

impl ShortEvents {
    pub(crate) fn new() -> Self {
        Self(Cache::builder().max_capacity(REMEMBERED_MAX).time_to_live(MEMORY).build())
    }

    /// Whether all that is read is short, as far as that is known. Hall maps never are.
    pub(crate) fn cover(&self, read_set: &ReadSet) -> bool {
        read_set.hall_maps.is_empty()
            && read_set.hall_map_of.is_empty()
            && read_set.sets_of.iter().all(|event| self.0.contains_key(event))
    }

    /// Remembers which of the events that were read are short.
    pub(crate) fn learn(&self, read_set: &ReadSet, view: &View) {
        let said = event_bytes(view, read_set.sets_of.iter().map(|event| event.tag()));
        let is_short = |event: &&EventId| said.get(&event.tag()).is_some_and(|bytes| *bytes <= SHORT_BYTES_MAX);
        read_set.sets_of.iter().filter(is_short).for_each(|event| self.0.insert(*event, ()));
    }
}

#[cfg(test)]
mod tests {
    use kassa_domain::Id;

    use super::*;

    #[test]
    fn only_events_that_were_read_and_found_short_are_short() {
        let (events, known, unknown) = (ShortEvents::new(), Id::root(1), Id::root(2));
        let of = |events: &[EventId]| ReadSet { sets_of: events.to_vec(), ..ReadSet::default() };
        assert!(events.cover(&ReadSet::default()) && !events.cover(&of(&[known])));
        events.learn(&of(&[known]), &View::default());
        assert!(events.cover(&of(&[known])) && !events.cover(&of(&[known, unknown])));
        assert!(!events.cover(&ReadSet { hall_maps: vec![Id::root(3)], ..of(&[known]) }));
    }
}
