//! An event as v1 shows it, and as requests write it.

use kassa_domain::event::{Event, EventPatch, EventStatus, HOLD_MINUTES_MAX, ShownStatus, TICKETS_LIMIT};
use kassa_domain::hall::HallMap;
use kassa_domain::price::Terms;
use kassa_domain::set::Set;
use kassa_domain::venue::Venue;
use kassa_domain::{Patch, Timestamp};
use serde::Serialize;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::base::Base;
use crate::error::Detail;
use crate::input::{
    Count, Cover, Flag, FromJson, Input, List, LongText, Name, Problems, Text, fields, media_patch, object, one_of,
    requires,
};
use crate::openapi::schema;
use crate::v1::refund_requests::policy::{PolicyBody, PolicyInput};
use crate::v1::sets::model::SetBody;
use crate::wire::{COVER, EventRef, MapRef, MediaBody, PartnerRef, Ref, Time, VenueRef, Vevent, show_vevent};

/// An event, with its sets whole.
// seed, Event
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Event)]
pub(crate) struct EventBody {
    id: EventRef,
    /// The organizer.
    org: PartnerRef,
    title: Title,
    /// When it takes place: a VEVENT (RFC 5545), in UTC.
    lifetime: Option<String>,
    #[schema(schema_with = status)]
    status: &'static str,
    tags: Vec<String>,
    venue: Option<VenueRef>,
    /// The hall map by which it sells.
    map: Option<MapRef>,
    media: MediaBody,
    age_rating: u32,
    tickets_limit: u32,
    hold_minutes: u32,
    /// What is kept of tickets that customers give back; null is as the organizer usually does.
    refund_policy: Option<PolicyBody>,
    removed: bool,
    sets: Vec<SetBody>,
    created_at: Time,
    updated_at: Time,
}

/// A title and a description.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct Title {
    text: String,
    desc: Option<String>,
}

impl Title {
    pub(crate) fn new(event: &Event) -> Self {
        Self { text: event.about.title.clone(), desc: event.about.desc.clone() }
    }
}

impl EventBody {
    /// The event as it is at `now`, with its sets in the order given, at the prices that the caller
    /// sells at: under `terms`, if it has a deal.
    pub(crate) fn new<'a>(
        event: &Event,
        sets: impl IntoIterator<Item = &'a Set>,
        terms: Option<&Terms>,
        now: Timestamp,
        base: &Base,
    ) -> Self {
        Self {
            id: Ref(event.id),
            org: Ref(event.org),
            title: Title::new(event),
            lifetime: event.lifetime.as_ref().map(show_vevent),
            status: status_name(event.shown_status(now)),
            tags: event.about.tags.clone(),
            venue: event.venue.map(Ref),
            map: event.map.map(Ref),
            media: MediaBody::new(&event.about.media, COVER, base),
            age_rating: event.about.age_rating,
            tickets_limit: event.tickets_limit,
            hold_minutes: event.hold_minutes,
            refund_policy: event.about.refund_policy.map(PolicyBody::from),
            removed: event.removed,
            sets: sets.into_iter().map(|set| SetBody::new(set, terms, now)).collect(),
            created_at: Time(event.created_at),
            updated_at: Time(event.updated_at),
        }
    }
}

/// The statuses by name.
pub(crate) const STATUSES: [(&str, ShownStatus); 4] = [
    ("stand_by", ShownStatus::StandBy),
    ("public", ShownStatus::Public),
    ("finished", ShownStatus::Finished),
    ("canceled", ShownStatus::Canceled),
];

pub(crate) fn status() -> RefOr<Schema> {
    schema::words(STATUSES.map(|(name, _)| name)).into()
}

pub(crate) fn status_name(status: ShownStatus) -> &'static str {
    match status {
        ShownStatus::StandBy => "stand_by",
        ShownStatus::Public => "public",
        ShownStatus::Finished => "finished",
        ShownStatus::Canceled => "canceled",
    }
}

fields! {
    /// An event in a request.
    pub(crate) struct EventInput {
        title: Input<TitleInput>,
        /// When it takes place. Tickets are sold until it ends.
        lifetime: Input<Vevent>,
        /// Only a public event sells; a canceled one stays so.
        status: Input<StatusInput>,
        tags: Input<List<Text<64>, 50>>,
        age_rating: Input<Count<99>>,
        /// The pictures, by the ids of attachments.
        media: Input<Cover>,
        /// How many tickets an order may have.
        tickets_limit: Input<Count<TICKETS_LIMIT, 1>>,
        /// How long an order holds its tickets before payment begins.
        hold_minutes: Input<Count<HOLD_MINUTES_MAX, 1>>,
        venue: Input<Ref<Venue>>,
        /// A map of the venue, by which it sells.
        map: Input<Ref<HallMap>>,
        /// What is kept of tickets that customers give back. Orders keep the one under which they were made.
        refund_policy: Input<PolicyInput>,
        removed: Input<Flag>,
    }
}

requires! {
    /// A new event.
    pub(crate) struct NewEvent: EventInput { title }
}

impl EventInput {
    /// The patch; a new event must have a title.
    pub(crate) fn into_patch(self, is_new: bool, problems: &mut Problems) -> EventPatch {
        let title = match self.title {
            title if is_new => title.required("title", problems),
            title => title.patch_some("title", problems).value(),
        };
        let title = title.unwrap_or_default();
        if is_new && matches!(title.text, Patch::Keep | Patch::Clear) && problems.is_empty() {
            problems.add("title.text", "is required");
        }
        let media = media_patch(self.media.patch("media", problems));
        EventPatch {
            media,
            title: title.text,
            desc: title.desc,
            lifetime: self.lifetime.patch("lifetime", problems).map(|vevent| vevent.0),
            status: self.status.patch_some("status", problems).map(|status| status.0),
            venue: self.venue.patch("venue", problems).map(|venue| venue.0),
            map: self.map.patch("map", problems).map(|map| map.0),
            tags: self.tags.patch("tags", problems).map(|list| list.0.into_iter().map(|tag| tag.0).collect()),
            age_rating: self.age_rating.patch("age_rating", problems).map(|count| count.0),
            tickets_limit: self.tickets_limit.patch("tickets_limit", problems).map(|count| count.0),
            hold_minutes: self.hold_minutes.patch("hold_minutes", problems).map(|count| count.0),
            refund_policy: self.refund_policy.patch("refund_policy", problems).map(|policy| policy.0),
            removed: self.removed.patch("removed", problems).map(|flag| flag.0),
        }
    }
}

fields! {
    struct TitleFields {
        text: Input<Name>,
        desc: Input<LongText>,
    }
}

/// `{"text": …, "desc": …}`, or the text alone.
#[derive(Default)]
struct TitleInput {
    text: Patch<String>,
    desc: Patch<String>,
}

impl FromJson for TitleInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        if json.starts_with('"') {
            return Name::from_json(json).map(|text| Self { text: Patch::Set(text.0), desc: Patch::Keep });
        }
        let fields: TitleFields = object(json)?;
        let mut problems = Problems::default();
        let text = fields.text.patch_some("text", &mut problems).map(|text| text.0);
        let desc = fields.desc.patch("desc", &mut problems).map(|text| text.0);
        problems.settle(Self { text, desc })
    }

    fn form() -> RefOr<Schema> {
        schema::any_of([TitleFields::schema(), Name::form()])
    }
}

const SET_BY_HAND: [(&str, EventStatus); 3] =
    [("stand_by", EventStatus::StandBy), ("public", EventStatus::Public), ("canceled", EventStatus::Canceled)];

/// A status that can be set by hand.
struct StatusInput(EventStatus);

impl FromJson for StatusInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        one_of(&SET_BY_HAND, json).map(Self)
    }

    fn form() -> RefOr<Schema> {
        schema::words(SET_BY_HAND.map(|(name, _)| name)).into()
    }
}
