//! What answers refer to by ids, each thing once (api-facts §5.1).

use std::collections::BTreeMap;

use kassa_domain::event::{Event, EventId, ShownStatus};
use kassa_domain::geo::{self, City, CityId, Country, CountryId};
use kassa_domain::order::Order;
use kassa_domain::partner::{Partner, PartnerId};
use kassa_domain::price::Share;
use kassa_domain::promocode::{Promocode, PromocodeId};
use kassa_domain::set::{Set, SetId};
use kassa_domain::venue::{Venue, VenueId};
use kassa_domain::{Money, Timestamp, Window};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use super::around::Around;
use crate::openapi::schema;
use crate::wire::{EventRef, Moment, PartnerRef, PlaceNames, Price, PromocodeRef, Ref, SetRef, VenueRef, show_share};

/// What the time zone of a place is taken for that nobody knows.
const UTC: &str = "UTC";

/// The things that orders refer to, by id.
#[derive(Default, Serialize, ToSchema)]
#[schema(as = Refs)]
pub(super) struct RefsBody<'a> {
    #[schema(value_type = BTreeMap<EventRef, EventBody>)]
    pub(super) events: BTreeMap<EventId, EventBody<'a>>,
    /// Organizers and vendors.
    #[schema(value_type = BTreeMap<PartnerRef, PartnerBody>)]
    pub(super) partners: BTreeMap<PartnerId, PartnerBody<'a>>,
    #[schema(value_type = BTreeMap<PromocodeRef, PromocodeBody>)]
    promocodes: BTreeMap<PromocodeId, PromocodeBody<'a>>,
    /// Sets of which there are tickets.
    #[schema(value_type = BTreeMap<SetRef, SetBody>)]
    sets: BTreeMap<SetId, SetBody<'a>>,
    #[schema(value_type = BTreeMap<VenueRef, VenueBody>)]
    venues: BTreeMap<VenueId, VenueBody<'a>>,
}

impl<'a> RefsBody<'a> {
    /// What these orders refer to, as far as it is there.
    pub(super) fn of(orders: impl IntoIterator<Item = &'a Order>, around: Around<'a>) -> Self {
        let mut refs = Self::default();
        for order in orders {
            if let Some(event) = around.event(order.event) {
                let venue = event.venue.and_then(|venue| around.venue(venue));
                refs.events.entry(event.id).or_insert_with(|| EventBody::new(event, venue, around.now));
                refs.venues.extend(venue.map(|venue| (venue.id, VenueBody::new(venue))));
            }
            let partners = [order.org, order.vendor].into_iter().filter_map(|partner| around.partner(partner));
            refs.partners.extend(partners.map(|partner| (partner.id, PartnerBody::new(partner))));
            let promocodes = order.promocodes.iter().filter_map(|promocode| around.promocode(*promocode));
            refs.promocodes.extend(promocodes.map(|promocode| (promocode.id, PromocodeBody::new(promocode))));
            let sets = order.lines.iter().filter_map(|line| around.set(line.set));
            refs.sets.extend(sets.map(|set| (set.id, SetBody::new(set, around.now))));
        }
        refs
    }
}

/// An event.
#[derive(Serialize, ToSchema)]
#[schema(as = RefEvent)]
pub(super) struct EventBody<'a> {
    id: EventRef,
    lifetime: Option<SpanBody>,
    /// The organizer.
    org: PartnerRef,
    #[schema(schema_with = event_status)]
    status: &'static str,
    /// Where its venue is, by its name in the tz database. All times here are in UTC.
    timezone: &'static str,
    title: TitleBody<'a>,
    venue: Option<VenueRef>,
    age_rating: u32,
}

/// A title and a description.
#[derive(Serialize, ToSchema)]
#[schema(as = Title)]
struct TitleBody<'a> {
    text: &'a str,
    desc: Option<&'a str>,
}

/// A span of time.
#[derive(Serialize, ToSchema)]
#[schema(as = Span)]
pub(super) struct SpanBody {
    start: Moment,
    /// `null` where it has no end.
    finish: Option<Moment>,
}

impl From<Window> for SpanBody {
    fn from(window: Window) -> Self {
        Self { start: Moment(window.start), finish: window.finish.map(Moment) }
    }
}

impl<'a> EventBody<'a> {
    fn new(event: &'a Event, venue: Option<&Venue>, now: Timestamp) -> Self {
        let city = venue.and_then(|venue| venue.city).and_then(geo::city);
        Self {
            id: Ref(event.id),
            lifetime: event.lifetime.map(SpanBody::from),
            org: Ref(event.org),
            status: event_status_name(event.shown_status(now)),
            timezone: city.map_or(UTC, |city| city.timezone),
            title: TitleBody { text: &event.about.title, desc: event.about.desc.as_deref() },
            venue: event.venue.map(Ref),
            age_rating: event.about.age_rating,
        }
    }
}

fn event_status() -> RefOr<Schema> {
    let all = [ShownStatus::StandBy, ShownStatus::Public, ShownStatus::Finished, ShownStatus::Canceled];
    schema::words(all.map(event_status_name)).into()
}

fn event_status_name(status: ShownStatus) -> &'static str {
    match status {
        ShownStatus::StandBy => "stand_by",
        ShownStatus::Public => "public",
        ShownStatus::Finished => "finished",
        ShownStatus::Canceled => "canceled",
    }
}

/// A partner.
#[derive(Serialize, ToSchema)]
#[schema(as = RefPartner)]
pub(super) struct PartnerBody<'a> {
    id: PartnerRef,
    name: &'a str,
}

impl<'a> PartnerBody<'a> {
    fn new(partner: &'a Partner) -> Self {
        Self { id: Ref(partner.id), name: &partner.name }
    }
}

/// A promocode.
#[derive(Serialize, ToSchema)]
#[schema(as = RefPromocode)]
struct PromocodeBody<'a> {
    id: PromocodeRef,
    code: &'a str,
    discount: DiscountBody,
    lifetime: Option<SpanBody>,
    /// Always `false`: customers are given no codes of their own.
    viral: bool,
}

/// What a promocode takes off each ticket: `{"percentage": "30%"}` or `{"fix": "100.00"}`.
#[derive(Serialize, ToSchema)]
#[schema(as = Discount)]
#[serde(rename_all = "snake_case")]
pub(super) enum DiscountBody {
    Percentage(String),
    Fix(String),
}

impl From<Share> for DiscountBody {
    fn from(discount: Share) -> Self {
        let shown = show_share(discount, 0);
        match discount {
            Share::Percent(_) => Self::Percentage(shown),
            Share::Amount(_) => Self::Fix(shown),
        }
    }
}

impl<'a> PromocodeBody<'a> {
    fn new(promocode: &'a Promocode) -> Self {
        Self {
            id: Ref(promocode.id),
            code: promocode.code.as_str(),
            discount: promocode.discount.into(),
            lifetime: promocode.lifetime.map(SpanBody::from),
            viral: false,
        }
    }
}

/// A set, at the price that its organizer asks.
#[derive(Serialize, ToSchema)]
#[schema(as = RefSet)]
struct SetBody<'a> {
    id: SetRef,
    name: &'a str,
    price: Price,
    with_seats: bool,
}

impl<'a> SetBody<'a> {
    fn new(set: &'a Set, now: Timestamp) -> Self {
        Self { id: Ref(set.id), name: &set.name, price: shown_price(set, now), with_seats: set.seats.is_some() }
    }
}

/// What the organizer asks for a ticket of a set now, else next, else last.
pub(super) fn shown_price(set: &Set, now: Timestamp) -> Price {
    Price(set.shown_rule(now).map_or(Money::ZERO, |rule| rule.price))
}

/// A venue.
#[derive(Serialize, ToSchema)]
#[schema(as = RefVenue)]
struct VenueBody<'a> {
    id: VenueRef,
    name: &'a str,
    desc: Option<&'a str>,
    address: Option<&'a str>,
    city: Option<CityBody>,
    country: Option<CountryBody>,
}

/// A city.
#[derive(Serialize, ToSchema)]
#[schema(as = RefCity)]
struct CityBody {
    #[schema(value_type = u32)]
    _id: CityId,
    name: PlaceNames,
    timezone: &'static str,
}

/// A country.
#[derive(Serialize, ToSchema)]
#[schema(as = RefCountry)]
struct CountryBody {
    #[schema(value_type = String)]
    _id: CountryId,
    name: PlaceNames,
}

impl<'a> VenueBody<'a> {
    fn new(venue: &'a Venue) -> Self {
        Self {
            id: Ref(venue.id),
            name: &venue.name,
            desc: venue.about.desc.as_deref(),
            address: venue.about.address.as_deref(),
            city: venue.city.and_then(geo::city).map(CityBody::from),
            country: venue.country.and_then(geo::country).map(CountryBody::from),
        }
    }
}

impl From<City> for CityBody {
    fn from(city: City) -> Self {
        Self { _id: city.id, name: PlaceNames(city.names), timezone: city.timezone }
    }
}

impl From<Country> for CountryBody {
    fn from(country: Country) -> Self {
        Self { _id: country.id, name: PlaceNames(country.names) }
    }
}
