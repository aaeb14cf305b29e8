//! What answers refer to by ids, each thing once.

use std::collections::BTreeMap;

use kassa_domain::event::{Event, EventId};
use kassa_domain::geo::{self, City, CityId, Country, CountryId};
use kassa_domain::order::Order;
use kassa_domain::partner::{Partner, PartnerId};
use kassa_domain::price::Share;
use kassa_domain::promocode::{Promocode, PromocodeId};
use kassa_domain::set::{SetId, TicketSet};
use kassa_domain::venue::{Venue, VenueId};
use kassa_domain::{Money, Timestamp, View, Window};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::related::RelatedRowsLookup;
use crate::wire::{
    EVENT_STATUSES, EventRef, IdRef, MoneyBody, PartnerRef, PlaceNames, PromocodeRef, SetRef, TimeV2, VenueRef,
    event_status_schema, show_share,
};

/// What the time zone of a place is taken for that nobody knows.
const DEFAULT_TIMEZONE: &str = "UTC";

/// The things that orders refer to, by id.
#[derive(Default, Serialize, ToSchema)]
#[schema(as = Refs)]
pub(super) struct RefsBody<'a> {
    /// Events, by id.
    #[schema(value_type = BTreeMap<EventRef, RefEventBody>)]
    pub(super) events: BTreeMap<EventId, RefEventBody<'a>>,
    /// Organizers and vendors, by id.
    #[schema(value_type = BTreeMap<PartnerRef, RefPartnerBody>)]
    pub(super) partners: BTreeMap<PartnerId, RefPartnerBody<'a>>,
    /// Promocodes of the orders, by id.
    #[schema(value_type = BTreeMap<PromocodeRef, RefPromocodeBody>)]
    promocodes: BTreeMap<PromocodeId, RefPromocodeBody<'a>>,
    /// Sets that the orders have tickets of, by id.
    #[schema(value_type = BTreeMap<SetRef, RefSetBody>)]
    sets: BTreeMap<SetId, RefSetBody<'a>>,
    /// Venues of the events, by id.
    #[schema(value_type = BTreeMap<VenueRef, RefVenueBody>)]
    venues: BTreeMap<VenueId, RefVenueBody<'a>>,
}

impl<'a> RefsBody<'a> {
    /// What these orders refer to, as far as it is there.
    pub(super) fn of(orders: impl IntoIterator<Item = &'a Order>, related: RelatedRowsLookup<'a>) -> Self {
        let mut refs = Self::default();
        for order in orders {
            if let Some(event) = related.event(order.event) {
                let venue = event.venue.and_then(|venue| related.venue(venue));
                refs.events.entry(event.id).or_insert_with(|| RefEventBody::new(event, venue, related.now));
                refs.venues.extend(venue.map(|venue| (venue.id, RefVenueBody::new(venue))));
            }
            let partners = [order.organizer, order.vendor].into_iter().filter_map(|partner| related.partner(partner));
            refs.partners.extend(partners.map(|partner| (partner.id, RefPartnerBody::new(partner))));
            let promocodes = order.promocodes.iter().filter_map(|promocode| related.promocode(*promocode));
            refs.promocodes.extend(promocodes.map(|promocode| (promocode.id, RefPromocodeBody::new(promocode))));
            let sets = order.lines.iter().filter_map(|line| related.set(line.set));
            refs.sets.extend(sets.map(|set| (set.id, RefSetBody::new(set, related.now))));
        }
        refs
    }
}

/// An event.
#[derive(Serialize, ToSchema)]
#[schema(as = RefEvent)]
pub(super) struct RefEventBody<'a> {
    /// The id of the event.
    id: EventRef,
    /// When it takes place; `null` until it is set.
    lifetime: Option<TimeSpanBody>,
    /// The organizer.
    org: PartnerRef,
    #[schema(schema_with = event_status_schema)]
    status: &'static str,
    /// The time zone of the venue, by its name in the tz database; `UTC` if it is not known. All times in responses
    /// are in UTC.
    timezone: &'static str,
    /// The title and the description.
    title: TitleBody<'a>,
    /// Where it takes place; `null` if that is not known.
    venue: Option<VenueRef>,
    /// The age from which it is suitable, in years; 0 if there is no restriction.
    age_rating: u32,
}

/// A title and a description.
#[derive(Serialize, ToSchema)]
#[schema(as = Title)]
struct TitleBody<'a> {
    /// The title, in one line.
    text: &'a str,
    /// The description, which may have several lines; `null` if there is none.
    desc: Option<&'a str>,
}

/// A span of time.
#[derive(Serialize, ToSchema)]
#[schema(as = Span)]
pub(super) struct TimeSpanBody {
    /// When it begins.
    start: TimeV2,
    /// When it ends; `null` if it has no end.
    finish: Option<TimeV2>,
}

impl From<Window> for TimeSpanBody {
    fn from(window: Window) -> Self {
        Self { start: TimeV2(window.start), finish: window.finish.map(TimeV2) }
    }
}

impl<'a> RefEventBody<'a> {
    fn new(event: &'a Event, venue: Option<&Venue>, now: Timestamp) -> Self {
        let city = venue.and_then(|venue| venue.city).and_then(geo::city);
        Self {
            id: IdRef(event.id),
            lifetime: event.lifetime.map(TimeSpanBody::from),
            org: IdRef(event.organizer),
            status: EVENT_STATUSES.name(event.effective_status(now)),
            timezone: city.map_or(DEFAULT_TIMEZONE, |city| city.timezone),
            title: TitleBody { text: &event.details.title, desc: event.details.desc.as_deref() },
            venue: event.venue.map(IdRef),
            age_rating: event.details.age_rating,
        }
    }
}

/// A partner.
#[derive(Serialize, ToSchema)]
#[schema(as = RefPartner)]
pub(super) struct RefPartnerBody<'a> {
    /// The id of the partner.
    id: PartnerRef,
    /// The name of the partner.
    name: &'a str,
}

impl<'a> RefPartnerBody<'a> {
    fn new(partner: &'a Partner) -> Self {
        Self { id: IdRef(partner.id), name: &partner.name }
    }
}

/// A promocode.
#[derive(Serialize, ToSchema)]
#[schema(as = RefPromocode)]
struct RefPromocodeBody<'a> {
    /// The id of the promocode.
    id: PromocodeRef,
    /// The code that customers type.
    code: &'a str,
    /// What it takes off each ticket.
    discount: DiscountV2Body,
    /// When orders can start using it; `null`: at any time.
    lifetime: Option<TimeSpanBody>,
    /// Always `false`.
    viral: bool,
}

/// What a promocode takes off each ticket: `{"percentage": "30%"}` or `{"fix": "100.00"}`.
#[derive(Serialize, ToSchema)]
#[schema(as = Discount)]
#[serde(rename_all = "snake_case")]
pub(super) enum DiscountV2Body {
    /// A percentage of the price, such as `30%`.
    Percentage(String),
    /// An amount per ticket, such as `100.00`.
    Fix(String),
}

impl From<Share> for DiscountV2Body {
    fn from(discount: Share) -> Self {
        let shown = show_share(discount, 0);
        match discount {
            Share::Percent(_) => Self::Percentage(shown),
            Share::Amount(_) => Self::Fix(shown),
        }
    }
}

impl<'a> RefPromocodeBody<'a> {
    fn new(promocode: &'a Promocode) -> Self {
        Self {
            id: IdRef(promocode.id),
            code: promocode.code.as_str(),
            discount: promocode.discount.into(),
            lifetime: promocode.lifetime.map(TimeSpanBody::from),
            viral: false,
        }
    }
}

/// A set, at the price that its organizer asks.
#[derive(Serialize, ToSchema)]
#[schema(as = RefSet)]
struct RefSetBody<'a> {
    /// The id of the set.
    id: SetRef,
    /// The name of the set.
    name: &'a str,
    /// The organizer's price now, else of the next price rule, else of the last.
    price: MoneyBody,
    /// Whether its tickets have numbered seats.
    with_seats: bool,
}

impl<'a> RefSetBody<'a> {
    fn new(set: &'a TicketSet, now: Timestamp) -> Self {
        Self { id: IdRef(set.id), name: &set.name, price: shown_price(set, now), with_seats: set.seats.is_some() }
    }
}

/// What the organizer asks for a ticket of a set now, else next, else last.
pub(super) fn shown_price(set: &TicketSet, now: Timestamp) -> MoneyBody {
    MoneyBody(set.shown_rule(now).map_or(Money::ZERO, |rule| rule.price))
}

/// A venue.
#[derive(Serialize, ToSchema)]
#[schema(as = RefVenue)]
struct RefVenueBody<'a> {
    /// The id of the venue.
    id: VenueRef,
    /// The name of the venue.
    name: &'a str,
    /// A description; `null` if there is none.
    desc: Option<&'a str>,
    /// The postal address; `null` if it is not set.
    address: Option<&'a str>,
    /// The city; `null` if it is not set.
    city: Option<RefCityBody>,
    /// The country; `null` if it is not set.
    country: Option<RefCountryBody>,
}

/// A city.
#[derive(Serialize, ToSchema)]
#[schema(as = RefCity)]
struct RefCityBody {
    /// The city's number in GeoNames.
    #[schema(value_type = u32)]
    _id: CityId,
    /// The city's names, by language.
    name: PlaceNames,
    /// The time zone, by its name in the tz database: `Europe/Moscow`.
    timezone: &'static str,
}

/// A country.
#[derive(Serialize, ToSchema)]
#[schema(as = RefCountry)]
struct RefCountryBody {
    /// Two capital letters (ISO 3166-1).
    #[schema(value_type = String)]
    _id: CountryId,
    /// The country's names, by language.
    name: PlaceNames,
}

impl<'a> RefVenueBody<'a> {
    fn new(venue: &'a Venue) -> Self {
        Self {
            id: IdRef(venue.id),
            name: &venue.name,
            desc: venue.profile.desc.as_deref(),
            address: venue.profile.address.as_deref(),
            city: venue.city.and_then(geo::city).map(RefCityBody::from),
            country: venue.country.and_then(geo::country).map(RefCountryBody::from),
        }
    }
}

impl From<City> for RefCityBody {
    fn from(city: City) -> Self {
        Self { _id: city.id, name: PlaceNames(city.names), timezone: city.timezone }
    }
}

impl From<Country> for RefCountryBody {
    fn from(country: Country) -> Self {
        Self { _id: country.id, name: PlaceNames(country.names) }
    }
}

/// An event by itself. The view has its venue.
pub(super) fn event_form(event: &Event, view: &View, now: Timestamp) -> Option<Value> {
    let venue = event.venue.and_then(|venue| view.venues.get(venue));
    serde_json::to_value(RefEventBody::new(event, venue, now)).ok()
}

/// A set by itself.
pub(super) fn set_form(set: &TicketSet, now: Timestamp) -> Option<Value> {
    serde_json::to_value(RefSetBody::new(set, now)).ok()
}

/// A partner by itself.
pub(super) fn partner_form(partner: &Partner) -> Option<Value> {
    serde_json::to_value(RefPartnerBody::new(partner)).ok()
}

/// A promocode by itself.
pub(super) fn promocode_form(promocode: &Promocode) -> Option<Value> {
    serde_json::to_value(RefPromocodeBody::new(promocode)).ok()
}

/// A venue by itself.
pub(super) fn venue_form(venue: &Venue) -> Option<Value> {
    serde_json::to_value(RefVenueBody::new(venue)).ok()
}
