//! An event as those see it who may sell it.

use kassa_domain::hall::{HallMap, Sector};
use kassa_domain::partner::{Partner, PartnerId};
use kassa_domain::permission::PartnerSight;
use kassa_domain::price::{Share, Terms};
use kassa_domain::seating::Layout;
use kassa_domain::set::Set;
use kassa_domain::venue::Venue;
use kassa_domain::{Money, Timestamp, geo};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::base::Base;
use crate::v1::cities::model::CityBody;
use crate::v1::countries::model::CountryBody;
use crate::v1::events::model::{Title, status};
use crate::v1::partners::model::ContactBody;
use crate::v1::sets::model::RuleBody;
use crate::v1::venues::model::PointBody;
use crate::wire::{
    EventRef, LOGO, MapRef, MediaBody, PartnerRef, Price, Ref, Seats, SetRef, Time, VenueRef, show_share,
};

/// An event with all that belongs to it, at the prices that the asker sells at.
// api-facts §4.1
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SimpleEvent)]
pub(crate) struct SimpleBody<'a> {
    pub(super) id: EventRef,
    pub(super) created_at: Time,
    pub(super) updated_at: Time,
    pub(super) age_rating: u32,
    pub(super) allow_other_ps: bool,
    #[schema(schema_with = status)]
    pub(super) status: &'static str,
    pub(super) tags: &'a [String],
    pub(super) title: Title,
    /// When it takes place: a VEVENT (RFC 5545), in UTC.
    pub(super) lifetime: Option<String>,
    /// Of an agent; the organizer has none.
    pub(super) deal: Option<DealBody>,
    pub(super) map: Option<MapBody<'a>>,
    pub(super) media: MediaBody,
    /// The organizer.
    pub(super) org: PartnerBody<'a>,
    /// Who sells it.
    pub(super) partner: PartnerBody<'a>,
    pub(super) sets: Vec<SetBody<'a>>,
    pub(super) ticket_template: TemplateBody,
    pub(super) tickets_amount: i64,
    pub(super) tickets_amount_vacant: i64,
    pub(super) venue: Option<VenueBody<'a>>,
    pub(super) legal_detail: Option<LegalBody<'a>>,
}

/// The terms under which an agent sells.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SimpleDeal)]
pub(super) struct DealBody {
    /// What the agent gets; `null` where it depends on the price.
    agent: Option<String>,
    extra: String,
    #[schema(value_type = Vec<Object>)]
    media: [(); 0],
    org: String,
    pfc: bool,
}

impl DealBody {
    pub(super) fn new(terms: &Terms) -> Self {
        Self {
            agent: terms.agent().map(|percent| show_share(Share::Percent(percent), 2)),
            extra: show_share(terms.extra, 1),
            media: [],
            org: show_share(terms.org.unwrap_or(Share::Amount(Money::ZERO)), 2),
            pfc: terms.pfc,
        }
    }
}

/// A partner; only its id where the asker may not see it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SimplePartner)]
pub(super) struct PartnerBody<'a> {
    id: PartnerRef,
    name: Option<&'a str>,
    desc: Option<&'a str>,
    media: Option<MediaBody>,
    tags: &'a [String],
    contact: Option<ContactBody>,
}

impl<'a> PartnerBody<'a> {
    pub(super) fn new(id: PartnerId, seen: Option<(&'a Partner, PartnerSight)>, base: &Base) -> Self {
        let Some((partner, sight)) = seen else {
            return Self { id: Ref(id), name: None, desc: None, media: None, tags: &[], contact: None };
        };
        let about = &partner.about;
        Self {
            id: Ref(id),
            name: Some(&partner.name),
            desc: about.desc.as_deref(),
            media: Some(MediaBody::new(&about.media, LOGO, base)),
            tags: &about.tags,
            contact: Some(ContactBody::new(about.contact.clone(), sight)),
        }
    }
}

/// A set, without what only its organizer needs.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SimpleSet)]
pub(super) struct SetBody<'a> {
    id: SetRef,
    name: &'a str,
    desc: Option<&'a str>,
    pos: i64,
    amount: i64,
    amount_vacant: i64,
    price: Price,
    price_org: Price,
    price_extra: Price,
    rules: Vec<RuleBody>,
    sector: Option<&'a str>,
    with_seats: bool,
    seats: Option<Seats>,
}

impl<'a> SetBody<'a> {
    pub(super) fn new(set: &'a Set, terms: Option<&Terms>, now: Timestamp) -> Self {
        let rules: Vec<RuleBody> = set.rules.iter().map(|rule| RuleBody::new(rule, terms, now)).collect();
        let shown = set.shown_rule(now).and_then(|shown| rules.iter().find(|rule| rule.id.0 == shown.id));
        let [price, price_org, price_extra] =
            shown.map_or([Price(Money::ZERO); 3], |rule| [rule.price, rule.price_org, rule.price_extra]);
        Self {
            id: Ref(set.id),
            name: &set.name,
            desc: set.desc.as_deref(),
            pos: set.pos,
            amount: set.counts.amount,
            amount_vacant: set.free(),
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
pub(super) struct TemplateBody {
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
pub(super) struct VenueBody<'a> {
    id: VenueRef,
    name: &'a str,
    desc: Option<&'a str>,
    address: Option<&'a str>,
    point: Option<PointBody>,
    city: Option<CityBody>,
    country: Option<CountryBody>,
}

impl<'a> VenueBody<'a> {
    pub(super) fn new(venue: &'a Venue) -> Self {
        Self {
            id: Ref(venue.id),
            name: &venue.name,
            desc: venue.about.desc.as_deref(),
            address: venue.about.address.as_deref(),
            point: venue.about.point.map(PointBody::from),
            city: venue.city.and_then(geo::city).map(CityBody::from),
            country: venue.country.and_then(geo::country).map(CountryBody::from),
        }
    }
}

/// The hall map by which the event sells.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SimpleMap)]
pub(super) struct MapBody<'a> {
    id: MapRef,
    name: &'a str,
    desc: Option<&'a str>,
    sectors: Vec<SectorBody<'a>>,
    svg: SvgBody,
}

/// A part of the hall.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SimpleSector)]
struct SectorBody<'a> {
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
struct SvgBody {
    map: String,
    #[schema(value_type = Option<String>)]
    mapz: Option<()>,
    #[schema(value_type = Option<String>)]
    source: Option<()>,
}

impl<'a> MapBody<'a> {
    pub(super) fn new(map: &'a HallMap, base: &Base) -> Self {
        Self {
            id: Ref(map.id),
            name: &map.name,
            desc: map.desc.as_deref(),
            sectors: map.sectors.iter().map(SectorBody::new).collect(),
            svg: SvgBody { map: base.drawing(map), mapz: None, source: None },
        }
    }
}

impl<'a> SectorBody<'a> {
    fn new(sector: &'a Sector) -> Self {
        let seats = Some(sector.seating()).filter(|seats| !seats.is_empty());
        let seats = seats.map(|seats| Seats(Layout::from(&seats)));
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
pub(super) struct LegalBody<'a> {
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

impl<'a> LegalBody<'a> {
    /// `None` where the organizer does not say it, or not to the asker.
    pub(super) fn new(org: &'a Partner, sight: PartnerSight) -> Option<Self> {
        let detail = org.about.legal.as_ref().filter(|_| sight != PartnerSight::Face)?.get("detail")?.as_object()?;
        let text = |key: &str| detail.get(key).and_then(Value::as_str);
        let [name, inn, ogrn, ogrnip, address] = ["name", "inn", "ogrn", "ogrnip", "address"].map(text);
        Some(Self { name, inn, ogrn, ogrnip, address })
    }
}
