//! Events: what tickets are sold for.

use serde::{Deserialize, Serialize};

use super::row::Row;
use crate::values::checkout::{BuyerField, Question};
use crate::values::media::Media;
use crate::values::patch::{Patch, patchable};
use crate::values::refund_policy::{RefundPolicy, RefundPolicyPatch};
use crate::values::resource_ids::{EventId, HallMapId, PartnerId, VenueId};
use crate::values::revision::Revision;
use crate::values::single_seats::SingleSeatRule;
use crate::values::time::{Timestamp, Window};
use crate::values::translation::Translation;

/// Tickets that one order may hold, unless the event says otherwise.
pub const DEFAULT_TICKETS_LIMIT: u32 = 100;

/// Minutes that an order holds its tickets, unless the event says otherwise.
pub const DEFAULT_HOLD_MINUTES: u32 = 15;

/// The longest hold that an event may ask for: one week.
pub const HOLD_MINUTES_MAX: u32 = 7 * 24 * 60;

/// What an organizer has decided about an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    /// Whether it was taken off sale after tickets of it had been in orders: some may still be, or come back.
    pub withdrawn: bool,
    /// Its description for customers.
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
    pub revision: Revision,
}

patchable! {
    /// The description of an event for customers.
    #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct EventDetails {
        /// Its name.
        title: String = Patch<String>,
        /// Its description.
        desc: Option<String> = Patch<String>,
        /// Both in further languages: each language once.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        translations: Vec<Translation> = Patch<Vec<Translation>>,
        /// Labels.
        tags: Vec<String> = Patch<Vec<String>>,
        /// From which age, in years.
        age_rating: u32 = Patch<u32>,
        /// What is kept of tickets that customers give back; `None` is as the organizer usually does.
        #[serde(skip_serializing_if = "Option::is_none")]
        refund_policy: Option<RefundPolicy> = Patch<RefundPolicyPatch>,
        /// What becomes of orders that leave single seats.
        single_seats: SingleSeatRule = Patch<SingleSeatRule>,
        /// Whether those who buy for themselves give their name.
        #[serde(skip_serializing_if = "BuyerField::is_default")]
        buyer_name: BuyerField = Patch<BuyerField>,
        /// Whether those who buy for themselves give their telephone.
        #[serde(skip_serializing_if = "BuyerField::is_default")]
        buyer_phone: BuyerField = Patch<BuyerField>,
        /// What those who buy are asked: no two questions have one id.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        questions: Vec<Question> = Patch<Vec<Question>>,
        /// Until when whoever has bought changes the names on tickets; never, where it is not said.
        #[serde(skip_serializing_if = "Option::is_none")]
        name_change_until: Option<Timestamp> = Patch<Timestamp>,
    }
    unpatched {
        /// Its cover.
        media: Media,
    }

    /// A partial update of the description of an event.
    pub struct EventDetailsPatch;
}

impl EventDetails {
    /// Its name for readers of a language, such as `de`.
    pub fn title_in(&self, lang: &str) -> &str {
        let translation = Translation::find(&self.translations, lang);
        translation.and_then(|translation| translation.title.as_deref()).unwrap_or(&self.title)
    }

    /// How long its texts are, in bytes: all are read with every command on the event.
    pub fn text_bytes(&self) -> usize {
        let translations: usize = self.translations.iter().map(Translation::text_bytes).sum();
        let tags: usize = self.tags.iter().map(String::len).sum();
        let questions: usize = self.questions.iter().map(Question::text_bytes).sum();
        self.title.len() + self.desc.as_ref().map_or(0, String::len) + translations + tags + questions
    }
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

    /// Whether its venue and its map must stay as it uses them at `now`: people may hold tickets, or buy some. A draft
    /// claims nothing, whoever makes it; it meets what is there when it becomes public.
    pub fn occupies_venue(&self, now: Timestamp) -> bool {
        let is_sold = self.status == EventStatus::Public || self.withdrawn;
        is_sold && !self.removed && !self.is_over(now)
    }
}

impl Row for Event {
    type Key = EventId;

    fn key(&self) -> EventId {
        self.id
    }

    fn moments(&self, note: &mut dyn FnMut(Timestamp)) {
        self.lifetime.iter().for_each(|lifetime| lifetime.moments(note));
    }
}
