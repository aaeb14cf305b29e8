//! An event as v1 shows it, and as requests write it.

use kassa_domain::event::{
    DEFAULT_TICKETS_LIMIT, EffectiveEventStatus, Event, EventDetailsPatch, EventPatch, EventStatus, HOLD_MINUTES_MAX,
};
use kassa_domain::geo::{CityId, CountryId};
use kassa_domain::hall_map::HallMap;
use kassa_domain::price::Terms;
use kassa_domain::set::TicketSet;
use kassa_domain::venue::Venue;
use kassa_domain::{Patch, Timestamp};
use utoipa::PartialSchema;
use utoipa::openapi::{RefOr, Schema};

use super::questions::{QuestionBody, QuestionsInput, buyer_field_schema, questions};
use super::translations::{TranslationBody, TranslationsInput, translations};
use crate::base_url::BaseUrl;
use crate::error::ErrorDetail;
use crate::input::{
    BoundedNumber, Flag, FromJson, Input, LineText, List, LongText, NameText, Problems, fields, parse_object,
    parse_word, requires,
};
use crate::openapi::schema;
use crate::route::ResourceKind;
use crate::v1::refund_policy::{RefundPolicyBody, RefundPolicyInput};
use crate::v1::sets::model::SetBody;
use crate::v1::venues::model::PointBody;
use crate::wire::{
    BUYER_FIELDS, BuyerFieldInput, CoverBody, CoverInput, EVENT_STATUSES, EventRef, HallMapRef, IdRef, PartnerRef,
    Referenced, SINGLE_SEAT_RULES, SingleSeatRuleInput, Time, TimeInput, VenueRef, VeventInput, WireField,
    event_status_schema, media_patch, show_vevent, single_seats_schema, wire_form,
};

wire_form! {
    /// An event, with its sets whole.
    #[derive(Debug)]
    #[schema(as = Event)]
    pub(crate) struct EventBody {
        /// The id of the event.
        id: EventRef,
        /// The organizer.
        org: PartnerRef,
        /// The title and the description.
        title: EventTitleBody,
        /// Both in further languages.
        translations: Vec<TranslationBody>,
        /// When it takes place: a VEVENT (RFC 5545), in UTC. `null` until it is set.
        lifetime: Option<String>,
        #[schema(schema_with = event_status_schema)]
        status: &'static str,
        /// Labels to search by.
        tags: Vec<String>,
        /// Where it takes place; `null` if that is not known.
        venue: Option<VenueRef>,
        /// Where its venue is; `null` without one.
        place: Option<PlaceBody>,
        /// The hall map that its seats are on; `null` for an event without one.
        map: Option<HallMapRef>,
        /// The cover: `cover`, `cover_small` and `cover_original`, as far as they are set.
        media: CoverBody,
        /// The age from which it is suitable, in years; 0 if there is no restriction.
        age_rating: u32,
        /// The most tickets that one order can hold.
        tickets_limit: u32,
        /// How long a new order holds its tickets until payment begins, in minutes.
        hold_minutes: u32,
        /// What is kept of the price when customers return tickets. `null`: the organizer's own policy applies.
        refund_policy: Option<RefundPolicyBody>,
        #[schema(schema_with = single_seats_schema)]
        single_seats: &'static str,
        #[schema(schema_with = buyer_field_schema)]
        buyer_name: &'static str,
        #[schema(schema_with = buyer_field_schema)]
        buyer_phone: &'static str,
        /// What those who buy are asked.
        questions: Vec<QuestionBody>,
        /// Until when whoever has bought may change the names on tickets. `null`: not at all.
        name_change_until: Option<Time>,
        /// Whether it is removed. Only the organizer sees removed events.
        removed: bool,
        /// Its sets in full, at the caller's prices, ordered by `pos`.
        sets: Vec<SetBody>,
        /// When it was created.
        created_at: Time,
        /// When it was last changed.
        updated_at: Time,
    }
}

pub(crate) static EVENT: ResourceKind = ResourceKind::new("event", EventBody::KIND);

impl Referenced for Event {
    fn kind() -> &'static ResourceKind {
        &EVENT
    }
}

wire_form! {
    /// A title and a description.
    #[derive(Debug, Default)]
    #[schema(as = Title)]
    pub(crate) struct EventTitleBody {
        /// The title, in one line.
        text: String,
        /// The description, which may have several lines; `null` if there is none.
        desc: Option<String>,
    }
}

impl EventTitleBody {
    pub(crate) fn new(event: &Event) -> Self {
        Self { text: event.details.title.clone(), desc: event.details.desc.clone() }
    }
}

impl EventBody {
    /// The event as it is at `now`, with its sets in the order given, at the prices that the caller
    /// sells at: under `terms`, if it has a deal.
    pub(crate) fn new<'a>(
        event: &Event,
        sets: impl IntoIterator<Item = &'a TicketSet>,
        terms: Option<&Terms>,
        now: Timestamp,
        base: &BaseUrl,
    ) -> Self {
        Self {
            id: IdRef(event.id),
            org: IdRef(event.organizer),
            title: EventTitleBody::new(event),
            translations: event.details.translations.iter().map(TranslationBody::from).collect(),
            lifetime: event.lifetime.as_ref().map(show_vevent),
            status: EVENT_STATUSES.name(event.effective_status(now)),
            tags: event.details.tags.clone(),
            venue: event.venue.map(IdRef),
            place: None,
            map: event.hall_map.map(IdRef),
            media: CoverBody::new(&event.details.media, base),
            age_rating: event.details.age_rating,
            tickets_limit: event.tickets_limit,
            hold_minutes: event.hold_minutes,
            refund_policy: event.details.refund_policy.map(RefundPolicyBody::from),
            single_seats: SINGLE_SEAT_RULES.name(event.details.single_seats),
            buyer_name: BUYER_FIELDS.name(event.details.buyer_name),
            buyer_phone: BUYER_FIELDS.name(event.details.buyer_phone),
            questions: event.details.questions.iter().map(QuestionBody::from).collect(),
            name_change_until: event.details.name_change_until.map(Time),
            removed: event.removed,
            sets: sets.into_iter().map(|set| SetBody::new(set, terms, now)).collect(),
            created_at: Time(event.created_at),
            updated_at: Time(event.updated_at),
        }
    }

    /// The same, with the place of its venue.
    pub(crate) fn with_venue(self, venue: Option<&Venue>) -> Self {
        Self { place: venue.map(PlaceBody::new), ..self }
    }
}

wire_form! {
    /// Where an event takes place.
    #[derive(Debug)]
    #[schema(as = Place)]
    struct PlaceBody {
        /// The postal address; `null` if it is not set.
        address: Option<String>,
        /// The city's number in GeoNames; `null` if it is not set.
        #[schema(value_type = Option<u32>)]
        city: Option<CityId>,
        /// The country: two capital letters (ISO 3166-1). `null` if it is not set.
        #[schema(value_type = Option<String>)]
        country: Option<CountryId>,
        /// Where it is on the globe; `null` if that is not set.
        point: Option<PointBody>,
    }
}

impl PlaceBody {
    fn new(venue: &Venue) -> Self {
        Self {
            address: venue.profile.address.clone(),
            city: venue.city,
            country: venue.country,
            point: venue.profile.point.map(PointBody::from),
        }
    }
}

fields! {
    /// An event in a request.
    pub(crate) struct EventInput {
        /// The title, or an object of title and description.
        title: Input<TitleInput>,
        /// Both in further languages: up to 20 translations, which replace those that it has. What a language does not say
        /// is as the event says it. Pages, mails and documents are in the language of their reader.
        translations: Input<TranslationsInput>,
        /// When it takes place: a VEVENT (RFC 5545). Tickets are sold until it ends.
        lifetime: Input<VeventInput>,
        /// Only `public` events sell; `canceled` is final. A new event is `stand_by` by default.
        status: Input<EventStatusInput>,
        /// Labels to search by: up to 50 of up to 64 characters, which replace those that it has.
        tags: Input<List<LineText<64>, 50>>,
        /// The age from which it is suitable, in years: 0 (the default) to 99.
        age_rating: Input<BoundedNumber<99>>,
        /// The cover, by the ids of image attachments. `null` or `[]` removes all pictures.
        media: Input<CoverInput>,
        /// The most tickets that one order can hold: 1 to 100; 100 by default.
        tickets_limit: Input<BoundedNumber<DEFAULT_TICKETS_LIMIT, 1>>,
        /// How long a new order holds its tickets until payment begins, in minutes: 1 to 10080; 15 by default.
        hold_minutes: Input<BoundedNumber<HOLD_MINUTES_MAX, 1>>,
        /// The id of the venue.
        venue: Input<IdRef<Venue>>,
        /// The id of a hall map of the venue: its sets then take their seats from there.
        map: Input<IdRef<HallMap>>,
        /// What is kept of the price when customers return tickets. Orders keep the policy that held when they were
        /// made. `null`: the organizer's own policy applies.
        refund_policy: Input<RefundPolicyInput>,
        /// What becomes of orders that leave a seat without a free neighbour: `off` by default, `warn` or `forbid`.
        single_seats: Input<SingleSeatRuleInput>,
        /// Whether those who buy for themselves give their name before they pay: `required`, `optional` (by default) or
        /// `hidden`.
        buyer_name: Input<BuyerFieldInput>,
        /// The same of their telephone number.
        buyer_phone: Input<BuyerFieldInput>,
        /// What those who buy are asked: up to 20 questions, which replace those that it has.
        questions: Input<QuestionsInput>,
        /// Until when whoever has bought may change the names on tickets. `null`, the default: not at all.
        name_change_until: Input<TimeInput>,
        /// `true` removes the event, `false` restores it. It cannot be removed while tickets are held or sold.
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
            title => title.patch_non_null("title", problems).value(),
        };
        let title = title.unwrap_or_default();
        if is_new && matches!(title.text, Patch::Keep | Patch::Clear) && problems.is_empty() {
            problems.add("title.text", "is required");
        }
        let translations_patch =
            self.translations.patch("translations", problems).map(|list| translations(list, problems));
        let media = media_patch(self.media.patch("media", problems));
        // Clients may show the problems as they come: in this order, which is not that of the patch.
        let lifetime = self.lifetime.patch("lifetime", problems).map(|vevent| vevent.0);
        let status = self.status.patch_non_null("status", problems).value().map(|status| status.0);
        let must_be_finished = status == Some(EffectiveEventStatus::Finished);
        if must_be_finished && is_new {
            problems.add("status", "is finished only once the lifetime has ended");
        }
        let venue = self.venue.patch("venue", problems).map(|venue| venue.0);
        let hall_map = self.map.patch("map", problems).map(|map| map.0);
        let tags = self.tags.patch("tags", problems).map(|list| list.0.into_iter().map(|tag| tag.0).collect());
        let age_rating = self.age_rating.patch("age_rating", problems).map(|count| count.0);
        let tickets_limit = self.tickets_limit.patch("tickets_limit", problems).map(|count| count.0);
        let hold_minutes = self.hold_minutes.patch("hold_minutes", problems).map(|count| count.0);
        EventPatch {
            media,
            lifetime,
            status: status.and_then(settable_status).into(),
            must_be_finished,
            venue,
            hall_map,
            tickets_limit,
            hold_minutes,
            details: EventDetailsPatch {
                title: title.text,
                desc: title.desc,
                translations: translations_patch,
                tags,
                age_rating,
                refund_policy: self.refund_policy.patch("refund_policy", problems).map(|policy| policy.0),
                single_seats: self.single_seats.patch("single_seats", problems).map(|rule| rule.0),
                buyer_name: self.buyer_name.patch("buyer_name", problems).map(|rule| rule.0),
                buyer_phone: self.buyer_phone.patch("buyer_phone", problems).map(|rule| rule.0),
                questions: self.questions.patch("questions", problems).map(|list| questions(list, problems)),
                name_change_until: self.name_change_until.patch("name_change_until", problems).map(|time| time.0),
            },
            removed: self.removed.patch("removed", problems).map(|flag| flag.0),
        }
    }
}

fields! {
    struct TitleFields {
        /// The title, in one line; up to 255 characters.
        text: Input<NameText>,
        /// The description, which may have several lines; up to 10000 characters.
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
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        if json.starts_with('"') {
            return NameText::from_json(json).map(|text| Self { text: Patch::Set(text.0), desc: Patch::Keep });
        }
        let fields: TitleFields = parse_object(json)?;
        let mut problems = Problems::default();
        let text = fields.text.patch_non_null("text", &mut problems).map(|text| text.0);
        let desc = fields.desc.patch("desc", &mut problems).map(|text| text.0);
        problems.into_result(Self { text, desc })
    }

    fn json_schema() -> RefOr<Schema> {
        schema::any_of([TitleFields::schema(), NameText::json_schema()])
    }
}

/// A status; the one that the clock sets can only be sent back.
struct EventStatusInput(EffectiveEventStatus);

impl FromJson for EventStatusInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        parse_word(EVENT_STATUSES.words, json).map(Self)
    }

    fn json_schema() -> RefOr<Schema> {
        EVENT_STATUSES.schema().into()
    }
}

/// The status that somebody has decided on; `None` for the one that the clock sets.
fn settable_status(status: EffectiveEventStatus) -> Option<EventStatus> {
    match status {
        EffectiveEventStatus::StandBy => Some(EventStatus::StandBy),
        EffectiveEventStatus::Public => Some(EventStatus::Public),
        EffectiveEventStatus::Finished => None,
        EffectiveEventStatus::Canceled => Some(EventStatus::Canceled),
    }
}
