//! Events: what tickets are sold for (decisions §5).

mod create;
mod update;

pub use create::CreateEvent;
pub use update::UpdateEvent;

use serde::{Deserialize, Serialize};

use crate::hall_map::{HallMap, HallMapId};
use crate::id::Id;
use crate::media::{Media, MediaItem, MediaPatch};
use crate::partner::PartnerId;
use crate::patch::Patch;
use crate::permission;
use crate::refund::{RefundPolicy, RefundPolicyPatch};
use crate::refusal::Refusal;
use crate::time::{Timestamp, Window};
use crate::venue::VenueId;
use crate::view::{ReadSet, Row, View};

/// The id of an event.
pub type EventId = Id<Event>;

/// Tickets that one order may hold, unless the event says otherwise.
pub const DEFAULT_TICKETS_LIMIT: u32 = 100;
/// Minutes that an order holds its tickets, unless the event says otherwise.
pub const DEFAULT_HOLD_MINUTES: u32 = 15;
/// The longest hold that an event may ask for: one week.
pub const HOLD_MINUTES_MAX: u32 = 7 * 24 * 60;

/// What an organizer has decided about an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventStatus {
    /// Being prepared, or sales stopped.
    StandBy,
    /// On sale.
    Public,
    /// Called off, for good.
    Canceled,
}

/// What the world sees: the clock finishes an event when its lifetime has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectiveEventStatus {
    /// Being prepared, or sales stopped.
    StandBy,
    /// On sale.
    Public,
    /// Over.
    Finished,
    /// Called off.
    Canceled,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The id; its tag is that of all that hangs on the event.
    pub id: EventId,
    /// The organizer.
    pub organizer: PartnerId,
    /// What the organizer has decided.
    pub status: EventStatus,
    /// From the doors to the end; `None` while it is not fixed.
    pub lifetime: Option<Window>,
    /// Where it takes place.
    pub venue: Option<VenueId>,
    /// The hall map by which it sells: one of its venue.
    pub hall_map: Option<HallMapId>,
    /// Whether it was deleted.
    pub removed: bool,
    /// What is told about it.
    pub details: EventDetails,
    /// Tickets that one order may hold, 1..100.
    pub tickets_limit: u32,
    /// Minutes that an order holds its tickets.
    pub hold_minutes: u32,
    /// The number of the next ticket that is made.
    pub next_ticket_number: i64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last edited.
    pub updated_at: Timestamp,
    /// Counts edits.
    pub revision: i64,
}

/// What is told about an event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EventDetails {
    /// Its name.
    pub title: String,
    /// Its description.
    pub desc: Option<String>,
    /// Labels.
    pub tags: Vec<String>,
    /// From which age, in years.
    pub age_rating: u32,
    /// Its cover.
    pub media: Media,
    /// What is kept of tickets that customers give back; `None` is as the organizer usually does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refund_policy: Option<RefundPolicy>,
}

/// A partial update of an event; what a new one is made of, too.
#[derive(Clone, Debug, Default)]
pub struct EventPatch {
    /// Its name.
    pub title: Patch<String>,
    /// Its description.
    pub desc: Patch<String>,
    /// From the doors to the end.
    pub lifetime: Patch<Window>,
    /// Whether it sells.
    pub status: Patch<EventStatus>,
    /// Where it takes place.
    pub venue: Patch<VenueId>,
    /// By which hall map it sells.
    pub hall_map: Patch<HallMapId>,
    /// All its labels.
    pub tags: Patch<Vec<String>>,
    /// From which age.
    pub age_rating: Patch<u32>,
    /// Its cover, key by key.
    pub media: MediaPatch,
    /// Tickets per order.
    pub tickets_limit: Patch<u32>,
    /// Minutes of a hold.
    pub hold_minutes: Patch<u32>,
    /// What is kept of tickets that are given back, key by key.
    pub refund_policy: Patch<RefundPolicyPatch>,
    /// Whether it is deleted.
    pub removed: Patch<bool>,
}

impl Event {
    /// The status that the world sees at `now`.
    pub fn effective_status(&self, now: Timestamp) -> EffectiveEventStatus {
        let over = self.lifetime.is_some_and(|lifetime| lifetime.has_ended_at(now));
        match self.status {
            EventStatus::Canceled => EffectiveEventStatus::Canceled,
            EventStatus::StandBy | EventStatus::Public if over => EffectiveEventStatus::Finished,
            EventStatus::StandBy => EffectiveEventStatus::StandBy,
            EventStatus::Public => EffectiveEventStatus::Public,
        }
    }

    /// Whether tickets are sold at `now`.
    pub fn is_on_sale(&self, now: Timestamp) -> bool {
        !self.removed && self.effective_status(now) == EffectiveEventStatus::Public
    }

    /// Whether everybody may see it: it stays public when it is over.
    pub fn is_public(&self) -> bool {
        !self.removed && self.status == EventStatus::Public
    }

    /// When it ends.
    pub fn ends_at(&self) -> Option<Timestamp> {
        self.lifetime.and_then(|lifetime| lifetime.finish)
    }

    /// Whether it has ended by `now`, or was canceled.
    pub fn is_over(&self, now: Timestamp) -> bool {
        matches!(self.effective_status(now), EffectiveEventStatus::Finished | EffectiveEventStatus::Canceled)
    }

    /// Whether it still holds its venue at `now`: it is neither removed nor canceled, nor over.
    pub fn occupies_venue(&self, now: Timestamp) -> bool {
        !self.removed && !self.is_over(now)
    }

    fn apply(&mut self, patch: EventPatch, media: MediaPatch<MediaItem>) {
        patch.title.apply_or(&mut self.details.title, String::new());
        patch.desc.apply(&mut self.details.desc);
        patch.lifetime.apply(&mut self.lifetime);
        patch.status.apply_or(&mut self.status, EventStatus::StandBy);
        patch.venue.apply(&mut self.venue);
        patch.hall_map.apply(&mut self.hall_map);
        patch.tags.apply_or(&mut self.details.tags, Vec::new());
        patch.age_rating.apply_or(&mut self.details.age_rating, 0);
        self.details.media.apply(media);
        patch.tickets_limit.apply_or(&mut self.tickets_limit, DEFAULT_TICKETS_LIMIT);
        patch.hold_minutes.apply_or(&mut self.hold_minutes, DEFAULT_HOLD_MINUTES);
        RefundPolicyPatch::apply(patch.refund_policy, &mut self.details.refund_policy);
        patch.removed.apply_or(&mut self.removed, false);
    }
}

impl EventPatch {
    /// Names the venue and the pictures that the event is given.
    fn read_set(&self, read_set: &mut ReadSet) {
        if let Patch::Set(venue) = self.venue {
            read_set.venues.push(venue);
        }
        if let Patch::Set(map) = self.hall_map {
            read_set.hall_maps.push(map);
        }
        read_set.attachments.extend(self.media.attachments());
    }

    /// Refuses a new venue that is not to be had. One that the event has already may be named again.
    fn check_venue(&self, had: Option<VenueId>, view: &View) -> Result<(), Refusal> {
        match self.venue {
            Patch::Set(venue) if had != Some(venue) => {
                let found = view.venues.get(venue).filter(|venue| permission::is_venue_usable(venue));
                found.map(drop).ok_or_else(|| Refusal::VenueUnknown(venue.to_string()))
            }
            Patch::Keep | Patch::Clear | Patch::Set(_) => Ok(()),
        }
    }
}

impl Event {
    /// The map by which it sells from now on, if a patch gave it another venue or another map: it must be
    /// one of its venue.
    fn check_hall_map<'a>(&self, was: Option<&Self>, view: &'a View) -> Result<Option<&'a HallMap>, Refusal> {
        let same = was.is_some_and(|was| (was.venue, was.hall_map) == (self.venue, self.hall_map));
        let Some(map) = self.hall_map.filter(|_| !same) else { return Ok(None) };
        let found = view.hall_maps.get(map).filter(|map| Some(map.venue) == self.venue);
        found.map(Some).ok_or_else(|| Refusal::MapUnknown(map.to_string()))
    }
}

impl Row for Event {
    type Key = EventId;

    fn key(&self) -> EventId {
        self.id
    }
}
