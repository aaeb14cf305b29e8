//! A partial update of an event, and the checks of what it names.

use crate::context::command::{HALL_MAP_WEIGHT, rows_of_text};
use crate::model::event::{DEFAULT_HOLD_MINUTES, DEFAULT_TICKETS_LIMIT, Event, EventDetailsPatch, EventStatus};
use crate::model::hall_map::HallMap;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::media::{MediaItem, MediaPatch};
use crate::values::patch::{ApplyTo, Patch};
use crate::values::resource_ids::{HallMapId, VenueId};
use crate::values::time::Window;
use crate::values::translation::Translation;
use crate::view::{ReadSet, View};

/// A partial update of an event; what a new one is made of, too.
#[derive(Clone, Debug, Default)]
pub struct EventPatch {
    /// Its description for customers.
    pub details: EventDetailsPatch,
    /// Its cover, key by key.
    pub media: MediaPatch,
    /// From the doors to the end.
    pub lifetime: Patch<Window>,
    /// Whether it sells.
    pub status: Patch<EventStatus>,
    /// Whether its status was said to be the one that only the clock makes.
    pub must_be_finished: bool,
    /// Where it takes place.
    pub venue: Patch<VenueId>,
    /// By which hall map it sells.
    pub hall_map: Patch<HallMapId>,
    /// Tickets per order.
    pub tickets_limit: Patch<u32>,
    /// Minutes of a hold.
    pub hold_minutes: Patch<u32>,
    /// Whether it is deleted.
    pub removed: Patch<bool>,
}

impl Event {
    pub(super) fn apply(&mut self, patch: EventPatch, media: MediaPatch<MediaItem>) {
        patch.details.apply_to(&mut self.details);
        self.details.media.apply(media);
        patch.lifetime.apply(&mut self.lifetime);
        patch.status.apply_or(&mut self.status, EventStatus::StandBy);
        patch.venue.apply(&mut self.venue);
        patch.hall_map.apply(&mut self.hall_map);
        patch.tickets_limit.apply_or(&mut self.tickets_limit, DEFAULT_TICKETS_LIMIT);
        patch.hold_minutes.apply_or(&mut self.hold_minutes, DEFAULT_HOLD_MINUTES);
        patch.removed.apply_or(&mut self.removed, false);
    }

    /// Refuses a public event that does not say when it takes place, unless it was one already.
    pub(super) fn check_sellable(&self, was: Option<&Self>) -> Result<(), Refusal> {
        let is_endless = |event: &Self| event.status == EventStatus::Public && event.lifetime.is_none();
        if is_endless(self) && !was.is_some_and(is_endless) { Err(Refusal::LifetimeRequired) } else { Ok(()) }
    }

    /// Refuses its own venue where that is not to be had any more.
    pub(super) fn check_own_venue(&self, view: &View) -> Result<(), Refusal> {
        self.venue.map_or(Ok(()), |venue| check_usable(venue, view))
    }

    /// The map by which it sells from now on, if it has another venue or another map than it had: it must be one of its
    /// venue.
    pub(super) fn check_hall_map<'a>(
        &self,
        was: Option<&Self>,
        view: &'a View,
    ) -> Result<Option<&'a HallMap>, Refusal> {
        let same = was.is_some_and(|was| (was.venue, was.hall_map) == (self.venue, self.hall_map));
        let Some(map) = self.hall_map.filter(|_| !same) else { return Ok(None) };
        let found = view.hall_maps.get(map).filter(|map| Some(map.venue) == self.venue);
        found.map(Some).ok_or_else(|| Refusal::MapUnknown(map.to_string()))
    }
}

impl EventPatch {
    /// What its texts and the hall map that it names weigh.
    pub(super) fn weight(&self) -> u32 {
        let map = if let Patch::Set(_) = self.hall_map { HALL_MAP_WEIGHT } else { 0 };
        map + rows_of_text(self.text_bytes())
    }

    /// How long its texts are, in bytes.
    pub fn text_bytes(&self) -> usize {
        let EventDetailsPatch { title, desc, tags, translations, .. } = &self.details;
        let tags = if let Patch::Set(tags) = tags { tags.iter().map(String::len).sum() } else { 0 };
        let translations = if let Patch::Set(translations) = translations {
            translations.iter().map(Translation::text_bytes).sum()
        } else {
            0
        };
        title.text_bytes() + desc.text_bytes() + tags + translations
    }

    /// Names the venue and the pictures that the event is given.
    pub(super) fn read_set(&self, read_set: &mut ReadSet) {
        if let Patch::Set(venue) = self.venue {
            read_set.venues.push(venue);
        }
        if let Patch::Set(map) = self.hall_map {
            read_set.hall_maps.push(map);
        }
        read_set.attachments.extend(self.media.attachments());
    }

    /// Refuses a new venue that is not to be had. One that the event has already may be named again.
    pub(super) fn check_venue(&self, had: Option<VenueId>, view: &View) -> Result<(), Refusal> {
        match self.venue {
            Patch::Set(venue) if had != Some(venue) => check_usable(venue, view),
            Patch::Keep | Patch::Clear | Patch::Set(_) => Ok(()),
        }
    }

    /// Whether it may make an event one that occupies its venue.
    pub(super) fn may_occupy(&self) -> bool {
        self.status == Patch::Set(EventStatus::Public)
            || self.lifetime.is_given()
            || matches!(self.removed, Patch::Clear | Patch::Set(false))
    }
}

/// Refuses a venue that is not to be had.
fn check_usable(venue: VenueId, view: &View) -> Result<(), Refusal> {
    let found = view.venues.get(venue).filter(|venue| permission::is_venue_usable(venue));
    found.map(drop).ok_or_else(|| Refusal::VenueUnknown(venue.to_string()))
}
