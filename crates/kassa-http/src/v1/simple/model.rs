//! An event as those see it who may sell it.

use kassa_domain::event::Event;
use kassa_domain::hall_map::{HallMap, Sector};
use kassa_domain::partner::{Partner, PartnerId};
use kassa_domain::permission::PartnerVisibility;
use kassa_domain::price::{Share, Terms};
use kassa_domain::seating::SeatingJson;
use kassa_domain::set::TicketSet;
use kassa_domain::venue::Venue;
use kassa_domain::{Money, Timestamp, geo};
use serde_json::Value;

use crate::base_url::BaseUrl;
use crate::route::ResourceKind;
use crate::v1::cities::model::CityBody;
use crate::v1::countries::model::CountryBody;
use crate::v1::events::model::EventTitleBody;
use crate::v1::partners::model::ContactBody;
use crate::v1::sets::model::PriceRuleBody;
use crate::v1::venues::model::PointBody;
use crate::wire::{
    CoverBody, EVENT_STATUSES, EventRef, HallMapRef, IdRef, LogoBody, MoneyBody, PartnerRef, Seats, SetRef, Time,
    VenueRef, WireField, event_status_schema, show_share, show_vevent, wire_form,
};

wire_form! {
    /// An event with everything needed to sell it, at the caller's prices.
    #[derive(Debug)]
    #[schema(as = SimpleEvent)]
    pub(crate) struct SimpleEventBody<'a> {
        /// The id of the event.
        id: EventRef,
        /// When it was created.
        created_at: Time,
        /// When it was last changed.
        updated_at: Time,
        /// The age from which it is suitable, in years; 0 if there is no restriction.
        age_rating: u32,
        /// Always `false`.
        allow_other_ps: bool,
        #[schema(schema_with = event_status_schema)]
        status: &'static str,
        /// Labels of the event.
        tags: &'a [String],
        /// The title and the description.
        title: EventTitleBody,
        /// When it takes place: a VEVENT (RFC 5545), in UTC. `null` until it is set.
        lifetime: Option<String>,
        /// The terms that the caller sells under; `null` for the organizer.
        deal: Option<SimpleDealBody>,
        /// The hall map that its seats are on; `null` for an event without one.
        map: Option<SimpleMapBody<'a>>,
        /// The cover: `cover`, `cover_small` and `cover_original`, as far as they are set.
        media: CoverBody,
        /// The organizer.
        org: SimplePartnerBody<'a>,
        /// The partner that sells it: the organizer or an agent.
        partner: SimplePartnerBody<'a>,
        /// Its sets, at the caller's prices, ordered by `pos`.
        sets: Vec<SimpleSetBody<'a>>,
        /// How its tickets look.
        ticket_template: TicketTemplateBody,
        /// How many tickets its sets have in total.
        tickets_amount: i64,
        /// How many of them are available now.
        tickets_amount_vacant: i64,
        /// Where it takes place; `null` if that is not known.
        venue: Option<SimpleVenueBody<'a>>,
        /// The organizer's legal details; `null` if it has given none, or if the caller may not see them.
        legal_detail: Option<LegalDetailBody<'a>>,
    }
}

pub(crate) static SIMPLE_EVENT: ResourceKind = ResourceKind::new("simple_event", SimpleEventBody::KIND);

/// What belongs to an event, as far as the caller may see it.
pub(super) struct RelatedToEvent<'a> {
    /// The terms that the caller sells under; the organizer sells without.
    pub(super) terms: Option<&'a Terms>,
    pub(super) map: Option<&'a HallMap>,
    pub(super) organizer: Option<VisiblePartner<'a>>,
    pub(super) seller: (PartnerId, Option<VisiblePartner<'a>>),
    /// In the order in which they are shown.
    pub(super) sets: Vec<&'a TicketSet>,
    pub(super) venue: Option<&'a Venue>,
}

/// A partner, and how much of it the caller may see.
pub(super) type VisiblePartner<'a> = (&'a Partner, PartnerVisibility);

impl<'a> SimpleEventBody<'a> {
    /// The event as it is at `now`.
    pub(super) fn new(event: &'a Event, related: &RelatedToEvent<'a>, now: Timestamp, base: &BaseUrl) -> Self {
        let RelatedToEvent { terms, map, organizer, seller, ref sets, venue } = *related;
        Self {
            id: IdRef(event.id),
            created_at: Time(event.created_at),
            updated_at: Time(event.updated_at),
            age_rating: event.details.age_rating,
            allow_other_ps: false,
            status: EVENT_STATUSES.name(event.effective_status(now)),
            tags: &event.details.tags,
            title: EventTitleBody::new(event),
            lifetime: event.lifetime.as_ref().map(show_vevent),
            deal: terms.map(SimpleDealBody::new),
            map: map.map(|map| SimpleMapBody::new(map, base)),
            media: CoverBody::new(&event.details.media, base),
            org: SimplePartnerBody::new(event.organizer, organizer, base),
            partner: SimplePartnerBody::new(seller.0, seller.1, base),
            sets: sets.iter().map(|set| SimpleSetBody::new(set, terms, now)).collect(),
            ticket_template: TicketTemplateBody::default(),
            tickets_amount: sets.iter().map(|set| set.counts.amount).sum(),
            tickets_amount_vacant: sets.iter().map(|set| set.available()).sum(),
            venue: venue.map(SimpleVenueBody::new),
            legal_detail: organizer.and_then(|(org, sight)| LegalDetailBody::new(org, sight)),
        }
    }
}

wire_form! {
    /// The terms that an agent sells under.
    #[derive(Debug)]
    #[schema(as = SimpleDeal)]
    struct SimpleDealBody {
        /// The agent's share, as a percentage such as `10.00%`; `null` if it depends on the price.
        agent: Option<String>,
        /// What the agent adds to the price: a percentage of it such as `10.0%`, or an amount per ticket.
        extra: String,
        /// Always empty.
        #[schema(value_type = Vec<Object>)]
        media: [(); 0],
        /// The organizer's share of the price: a percentage such as `90.00%`, or an amount per ticket such as `150.00`.
        org: String,
        /// Whether the customer pays the platform's commission on top of the price.
        pfc: bool,
    }
}

impl SimpleDealBody {
    fn new(terms: &Terms) -> Self {
        Self {
            agent: terms.agent_percent().map(|percent| show_share(Share::Percent(percent), 2)),
            extra: show_share(terms.markup, 1),
            media: [],
            org: show_share(terms.organizer_share.unwrap_or(Share::Amount(Money::ZERO)), 2),
            pfc: terms.platform_fee_on_top,
        }
    }
}

wire_form! {
    /// A partner; only its id if the caller may not see it.
    #[derive(Debug)]
    #[schema(as = SimplePartner)]
    struct SimplePartnerBody<'a> {
        /// The id of the partner.
        id: PartnerRef,
        /// The name; `null` if the caller may not see the partner.
        name: Option<&'a str>,
        /// A description; `null` if there is none, or if the caller may not see it.
        desc: Option<&'a str>,
        /// The logo; `null` if the caller may not see the partner.
        media: Option<LogoBody>,
        /// Labels of the partner.
        tags: &'a [String],
        /// How to reach it, as far as the caller may know; `null` if the caller may not see the partner.
        contact: Option<ContactBody>,
    }
}

impl<'a> SimplePartnerBody<'a> {
    fn new(id: PartnerId, seen: Option<VisiblePartner<'a>>, base: &BaseUrl) -> Self {
        let Some((partner, sight)) = seen else {
            return Self { id: IdRef(id), name: None, desc: None, media: None, tags: &[], contact: None };
        };
        let about = &partner.profile;
        Self {
            id: IdRef(id),
            name: Some(&partner.name),
            desc: about.desc.as_deref(),
            media: Some(LogoBody::new(&about.media, base)),
            tags: &about.tags,
            contact: Some(ContactBody::new(partner.id, about.contact.clone(), sight)),
        }
    }
}

wire_form! {
    /// A set, without what only its organizer needs.
    #[derive(Debug)]
    #[schema(as = SimpleSet)]
    struct SimpleSetBody<'a> {
        /// The id of the set.
        id: SetRef,
        /// The name of the set.
        name: &'a str,
        /// A description; `null` if there is none.
        desc: Option<&'a str>,
        /// Its place among the sets of the event: the lower, the earlier.
        pos: i64,
        /// How many tickets it has.
        amount: i64,
        /// How many of them are available now.
        amount_vacant: i64,
        /// What the caller sells a ticket for: `price_org` and `price_extra`. Outside all rules, that of the next rule,
        /// else of the last.
        price: MoneyBody,
        /// The organizer's price.
        price_org: MoneyBody,
        /// What the caller's deal adds; 0.00 without a deal.
        price_extra: MoneyBody,
        /// All its price rules.
        rules: Vec<PriceRuleBody>,
        /// Where in the hall: for an event with a hall map, the id of a sector. `null` if that is not set.
        sector: Option<&'a str>,
        /// Whether its tickets have numbered seats.
        with_seats: bool,
        /// Its seats; `null` for a set without seats.
        seats: Option<Seats>,
    }
}

impl<'a> SimpleSetBody<'a> {
    fn new(set: &'a TicketSet, terms: Option<&Terms>, now: Timestamp) -> Self {
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

wire_form! {
    /// How tickets look. There is only the default look.
    #[derive(Debug, Default)]
    #[schema(as = TicketTemplate)]
    struct TicketTemplateBody {
        /// Always `null`.
        #[schema(value_type = Option<String>)]
        fan_cover_url: Option<()>,
        /// Always `null`.
        #[schema(value_type = Option<String>)]
        name: Option<()>,
        /// Always `null`.
        #[schema(value_type = Option<String>)]
        text_color: Option<()>,
    }
}

wire_form! {
    /// A venue with its city and its country.
    #[derive(Debug)]
    #[schema(as = SimpleVenue)]
    struct SimpleVenueBody<'a> {
        /// The id of the venue.
        id: VenueRef,
        /// The name of the venue.
        name: &'a str,
        /// A description; `null` if there is none.
        desc: Option<&'a str>,
        /// The postal address; `null` if it is not set.
        address: Option<&'a str>,
        /// Where it is on the globe; `null` if that is not set.
        point: Option<PointBody>,
        /// The city; `null` if it is not set.
        city: Option<CityBody>,
        /// The country; `null` if it is not set.
        country: Option<CountryBody>,
    }
}

impl<'a> SimpleVenueBody<'a> {
    fn new(venue: &'a Venue) -> Self {
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

wire_form! {
    /// The hall map by which the event sells.
    #[derive(Debug)]
    #[schema(as = SimpleMap)]
    struct SimpleMapBody<'a> {
        /// The id of the map.
        id: HallMapRef,
        /// The name of the map.
        name: &'a str,
        /// A description; `null` if there is none.
        desc: Option<&'a str>,
        /// The sectors of the hall.
        sectors: Vec<SimpleSectorBody<'a>>,
        /// The drawing of the map.
        svg: SimpleDrawingBody,
    }
}

wire_form! {
    /// A part of the hall.
    #[derive(Debug)]
    #[schema(as = SimpleSector)]
    struct SimpleSectorBody<'a> {
        /// The id of the sector, unique within the map: what a set gives as its `sector`.
        id: &'a str,
        /// The name of the sector.
        name: &'a str,
        /// A description; `null` if there is none.
        desc: Option<&'a str>,
        /// Whether it has numbered seats; otherwise people stand.
        with_seats: bool,
        /// Its seats; `null` where people stand.
        seats: Option<Seats>,
        /// Always `chairs`.
        r#type: &'static str,
    }
}

wire_form! {
    /// The drawing of a map.
    #[derive(Debug)]
    #[schema(as = SimpleDrawing)]
    struct SimpleDrawingBody {
        /// The address of the drawing, an SVG document.
        map: String,
        /// Always `null`.
        #[schema(value_type = Option<String>)]
        mapz: Option<()>,
        /// Always `null`.
        #[schema(value_type = Option<String>)]
        source: Option<()>,
    }
}

impl<'a> SimpleMapBody<'a> {
    fn new(map: &'a HallMap, base: &BaseUrl) -> Self {
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

wire_form! {
    /// The organizer's legal details, as given in its `legal.detail`.
    #[derive(Debug)]
    #[schema(as = LegalDetail)]
    struct LegalDetailBody<'a> {
        /// The registered name; `null` if it is not given.
        name: Option<&'a str>,
        /// The taxpayer number (INN); `null` if it is not given.
        inn: Option<&'a str>,
        /// The registration number of a company (OGRN); missing if it is not given.
        // A company has the one, a person in trade the other.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        ogrn: Option<&'a str>,
        /// The registration number of a sole trader (OGRNIP); missing if it is not given.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        ogrnip: Option<&'a str>,
        /// The registered address; `null` if it is not given.
        address: Option<&'a str>,
    }
}

impl<'a> LegalDetailBody<'a> {
    /// `None` where the organizer does not say it, or not to the caller.
    fn new(org: &'a Partner, sight: PartnerVisibility) -> Option<Self> {
        let detail =
            org.profile.legal.as_ref().filter(|_| sight != PartnerVisibility::Public)?.get("detail")?.as_object()?;
        let text = |key: &str| detail.get(key).and_then(Value::as_str);
        let [name, inn, ogrn, ogrnip, address] = ["name", "inn", "ogrn", "ogrnip", "address"].map(text);
        Some(Self { name, inn, ogrn, ogrnip, address })
    }
}
