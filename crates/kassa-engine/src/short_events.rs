//! Events that were short when they were last read: with all their sets, of which each may say much. What is read with
//! an event of which that is not known is read as a list is, so that it holds up no look-up.

use std::collections::HashMap;
use std::time::Duration;

use kassa_domain::event::EventId;
use kassa_domain::{ReadSet, View};
use moka::sync::Cache;

/// The most that the sets of a short event say together, in bytes.
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
        let mut said: HashMap<EventId, usize> = read_set.sets_of.iter().map(|event| (*event, 0)).collect();
        for set in view.sets.rows() {
            if let Some(bytes) = said.get_mut(&set.event) {
                *bytes += set.approximate_bytes();
            }
        }
        said.into_iter().filter(|(_, bytes)| *bytes <= SHORT_BYTES_MAX).for_each(|(event, _)| self.0.insert(event, ()));
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
