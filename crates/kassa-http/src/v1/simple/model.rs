//! An event as those see it who may sell it.

use kassa_domain::hall_map::{HallMap, Sector};
use kassa_domain::partner::{Partner, PartnerId};
use kassa_domain::permission::PartnerVisibility;
use kassa_domain::price::{Share, Terms};
use kassa_domain::seating::SeatingJson;
use kassa_domain::set::TicketSet;
use kassa_domain::venue::Venue;
use kassa_domain::{Money, Timestamp, geo};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::base_url::BaseUrl;
use crate::v1::cities::model::CityBody;
use crate::v1::countries::model::CountryBody;
use crate::v1::events::model::{EventTitleBody, status_schema};
use crate::v1::partners::model::ContactBody;
use crate::v1::sets::model::PriceRuleBody;
use crate::v1::venues::model::PointBody;
use crate::wire::{
    EventRef, HallMapRef, IdRef, LOGO_KEYS, MediaBody, MoneyBody, PartnerRef, Seats, SetRef, Time, VenueRef, show_share,
};

/// An event with all that belongs to it, at the prices that the caller sells at.
// api-facts §4.1
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SimpleEvent)]
pub(crate) struct SimpleEventBody<'a> {
    pub(super) id: EventRef,
    pub(super) created_at: Time,
    pub(super) updated_at: Time,
    pub(super) age_rating: u32,
    pub(super) allow_other_ps: bool,
    #[schema(schema_with = status_schema)]
    pub(super) status: &'static str,
    pub(super) tags: &'a [String],
    pub(super) title: EventTitleBody,
    /// When it takes place: a VEVENT (RFC 5545), in UTC.
    pub(super) lifetime: Option<String>,
    /// Of an agent; the organizer has none.
    pub(super) deal: Option<SimpleDealBody>,
    pub(super) map: Option<SimpleMapBody<'a>>,
    pub(super) media: MediaBody,
    /// The organizer.
    pub(super) org: SimplePartnerBody<'a>,
    /// Who sells it.
    pub(super) partner: SimplePartnerBody<'a>,
    pub(super) sets: Vec<SimpleSetBody<'a>>,
    pub(super) ticket_template: TicketTemplateBody,
    pub(super) tickets_amount: i64,
    pub(super) tickets_amount_vacant: i64,
    pub(super) venue: Option<SimpleVenueBody<'a>>,
    pub(super) legal_detail: Option<LegalDetailBody<'a>>,
}

/// The terms under which an agent sells.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SimpleDeal)]
pub(super) struct SimpleDealBody {
    /// What the agent gets; `null` where it depends on the price.
    agent: Option<String>,
    extra: String,
    #[schema(value_type = Vec<Object>)]
    media: [(); 0],
    org: String,
    pfc: bool,
}

impl SimpleDealBody {
    pub(super) fn new(terms: &Terms) -> Self {
        Self {
            agent: terms.agent_percent().map(|percent| show_share(Share::Percent(percent), 2)),
            extra: show_share(terms.markup, 1),
            media: [],
            org: show_share(terms.organizer_share.unwrap_or(Share::Amount(Money::ZERO)), 2),
            pfc: terms.platform_fee_on_top,
        }
    }
}

/// A partner; only its id where the caller may not see it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SimplePartner)]
pub(super) struct SimplePartnerBody<'a> {
    id: PartnerRef,
    name: Option<&'a str>,
    desc: Option<&'a str>,
    media: Option<MediaBody>,
    tags: &'a [String],
    contact: Option<ContactBody>,
}

impl<'a> SimplePartnerBody<'a> {
    pub(super) fn new(id: PartnerId, seen: Option<(&'a Partner, PartnerVisibility)>, base: &BaseUrl) -> Self {
        let Some((partner, sight)) = seen else {
            return Self { id: IdRef(id), name: None, desc: None, media: None, tags: &[], contact: None };
        };
        let about = &partner.profile;
        Self {
            id: IdRef(id),
            name: Some(&partner.name),
            desc: about.desc.as_deref(),
            media: Some(MediaBody::new(&about.media, LOGO_KEYS, base)),
            tags: &about.tags,
            contact: Some(ContactBody::new(about.contact.clone(), sight)),
        }
    }
}

/// A set, without what only its organizer needs.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SimpleSet)]
pub(super) struct SimpleSetBody<'a> {
    id: SetRef,
    name: &'a str,
    desc: Option<&'a str>,
    pos: i64,
    amount: i64,
    amount_vacant: i64,
    price: MoneyBody,
    price_org: MoneyBody,
    price_extra: MoneyBody,
    rules: Vec<PriceRuleBody>,
    sector: Option<&'a str>,
    with_seats: bool,
    seats: Option<Seats>,
}

impl<'a> SimpleSetBody<'a> {
    pub(super) fn new(set: &'a TicketSet, terms: Option<&Terms>, now: Timestamp) -> Self {
        let rules: Vec<PriceRuleBody> = set.rules.iter().map(|rule| PriceRuleBody::new(rule, terms, now)).collect();
        let shown = set.shown_rule(now).and_then(|shown| rules.iter().find(|rule| rule.id.0 == shown.id));
        let [price, price_org, price_extra] =
            shown.map_or([MoneyBody(Money::ZERO); 3], |rule| [rule.price, rule.price_org, rule.price_extra]);
        Self {
            id: IdRef(set.id),
            name: &set.name,
            desc: set.desc.as_deref(),
            pos: set.pos,
            amount: set.counts.amount,
            amount_vacant: set.available(),
            price,
            price_org,
            price_extra,
            rules,
            sector: Some(set.sector.as_str()).filter(|sector| !sector.is_empty()),
            with_seats: set.seats.is_some(),
            seats: set.seats.as_ref().map(|seats| Seats(seats.layout.clone())),
        }
    }
}

/// How tickets look: always as they do by themselves.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = TicketTemplate)]
pub(super) struct TicketTemplateBody {
    #[schema(value_type = Option<String>)]
    fan_cover_url: Option<()>,
    #[schema(value_type = Option<String>)]
    name: Option<()>,
    #[schema(value_type = Option<String>)]
    text_color: Option<()>,
}

/// A venue with its city and its country.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SimpleVenue)]
pub(super) struct SimpleVenueBody<'a> {
    id: VenueRef,
    name: &'a str,
    desc: Option<&'a str>,
    address: Option<&'a str>,
    point: Option<PointBody>,
    city: Option<CityBody>,
    country: Option<CountryBody>,
}

impl<'a> SimpleVenueBody<'a> {
    pub(super) fn new(venue: &'a Venue) -> Self {
        Self {
            id: IdRef(venue.id),
            name: &venue.name,
            desc: venue.profile.desc.as_deref(),
            address: venue.profile.address.as_deref(),
            point: venue.profile.point.map(PointBody::from),
            city: venue.city.and_then(geo::city).map(CityBody::from),
            country: venue.country.and_then(geo::country).map(CountryBody::from),
        }
    }
}

/// The hall map by which the event sells.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SimpleMap)]
pub(super) struct SimpleMapBody<'a> {
    id: HallMapRef,
    name: &'a str,
    desc: Option<&'a str>,
    sectors: Vec<SimpleSectorBody<'a>>,
    svg: SimpleDrawingBody,
}

/// A part of the hall.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SimpleSector)]
struct SimpleSectorBody<'a> {
    /// What sets name it by.
    id: &'a str,
    name: &'a str,
    desc: Option<&'a str>,
    with_seats: bool,
    /// `null` in a sector where people stand.
    seats: Option<Seats>,
    r#type: &'static str,
}

/// Where the drawing is.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SimpleDrawing)]
struct SimpleDrawingBody {
    map: String,
    #[schema(value_type = Option<String>)]
    mapz: Option<()>,
    #[schema(value_type = Option<String>)]
    source: Option<()>,
}

impl<'a> SimpleMapBody<'a> {
    pub(super) fn new(map: &'a HallMap, base: &BaseUrl) -> Self {
        Self {
            id: IdRef(map.id),
            name: &map.name,
            desc: map.desc.as_deref(),
            sectors: map.sectors.iter().map(SimpleSectorBody::new).collect(),
            svg: SimpleDrawingBody { map: base.drawing_url(map), mapz: None, source: None },
        }
    }
}

impl<'a> SimpleSectorBody<'a> {
    fn new(sector: &'a Sector) -> Self {
        let seats = Some(sector.seating()).filter(|seats| !seats.is_empty());
        let seats = seats.map(|seats| Seats(SeatingJson::from(&seats)));
        Self {
            id: &sector.id,
            name: &sector.name,
            desc: sector.desc.as_deref(),
            with_seats: seats.is_some(),
            seats,
            r#type: "chairs",
        }
    }
}

/// Who the organizer is before the law: what its `legal.detail` says of it in words.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LegalDetail)]
pub(super) struct LegalDetailBody<'a> {
    name: Option<&'a str>,
    inn: Option<&'a str>,
    // A company has the one, a person in trade the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ogrn: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ogrnip: Option<&'a str>,
    address: Option<&'a str>,
}

impl<'a> LegalDetailBody<'a> {
    /// `None` where the organizer does not say it, or not to the caller.
    pub(super) fn new(org: &'a Partner, sight: PartnerVisibility) -> Option<Self> {
        let detail =
            org.profile.legal.as_ref().filter(|_| sight != PartnerVisibility::Public)?.get("detail")?.as_object()?;
        let text = |key: &str| detail.get(key).and_then(Value::as_str);
        let [name, inn, ogrn, ogrnip, address] = ["name", "inn", "ogrn", "ogrnip", "address"].map(text);
        Some(Self { name, inn, ogrn, ogrnip, address })
    }
}
