//! Loaders: resources that others refer to, many at once, each with the shape and under the rules
//! of a read by its id.

use std::collections::BTreeSet;
use std::fmt::Display;

use kassa_domain::event::EventId;
use kassa_domain::partner::Partner;
use kassa_domain::promocode::Promocode;
use kassa_domain::promotion::Promotion;
use kassa_domain::set::TicketSet;
use kassa_domain::ticket::Ticket;
use kassa_domain::{Id, ReadSet, View, geo, permission};
use kassa_engine::Failure;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::resource_kinds;
use crate::error::ApiError;
use crate::fields_schema::{LoadContext, LoadResult, Loader};
use crate::related::{events_and_deals, load_with_related};
use crate::route::ResourceKind;
use crate::v1::cities::model::CityBody;
use crate::v1::countries::model::CountryBody;
use crate::v1::deals::model::DealBody;
use crate::v1::events::model::EventBody;
use crate::v1::maps::model::MapBody;
use crate::v1::orders::model::OrderBody;
use crate::v1::partners;
use crate::v1::promocodes::model::{OrderPromocodeBody, PromocodeBody};
use crate::v1::promotions::model::PromotionBody;
use crate::v1::sets::model::SetBody;
use crate::v1::sets::seller_terms;
use crate::v1::tickets::model::TicketBody;
use crate::v1::users::visible_user_bodies;
use crate::v1::venues::model::VenueBody;

/// Loaders by kind; of those that nothing refers to there is none.
pub(super) static LOADERS: &[(&ResourceKind, Loader)] = &[
    (&resource_kinds::USER, |reader, ids| Box::pin(users(reader, ids))),
    (&resource_kinds::PARTNER, |reader, ids| Box::pin(partners(reader, ids))),
    (&resource_kinds::EVENT, |reader, ids| Box::pin(events(reader, ids))),
    (&resource_kinds::DEAL, |reader, ids| Box::pin(deals(reader, ids))),
    (&resource_kinds::VENUE, |reader, ids| Box::pin(venues(reader, ids))),
    (&resource_kinds::MAP, |reader, ids| Box::pin(maps(reader, ids))),
    (&resource_kinds::SET, |reader, ids| Box::pin(sets(reader, ids))),
    (&resource_kinds::TICKET, |reader, ids| Box::pin(tickets(reader, ids))),
    (&resource_kinds::ORDER_PROMOCODE, |reader, ids| Box::pin(order_promocodes(reader, ids))),
    (&resource_kinds::PROMOTION, |reader, ids| Box::pin(promotions(reader, ids))),
    (&resource_kinds::ORDER, |reader, ids| Box::pin(orders(reader, ids))),
    (&resource_kinds::CITY, |_, ids| Box::pin(std::future::ready(cities(&ids)))),
    (&resource_kinds::COUNTRY, |_, ids| Box::pin(std::future::ready(countries(&ids)))),
];

fn parse_ids<K>(ids: &[String]) -> Vec<Id<K>> {
    ids.iter().filter_map(|id| id.parse().ok()).collect()
}

fn entry(id: impl Display, body: &impl Serialize) -> Result<(String, Box<RawValue>), ApiError> {
    let body = to_raw_value(body).map_err(|error| Failure::internal(&error.to_string()))?;
    Ok((id.to_string(), body))
}

fn distinct(events: impl Iterator<Item = EventId>) -> Vec<EventId> {
    events.collect::<BTreeSet<_>>().into_iter().collect()
}

fn read_events(events: impl Iterator<Item = EventId>) -> ReadSet {
    ReadSet { events: events.collect(), ..ReadSet::default() }
}

/// Oneself, and customers of the partners that ask.
async fn users(LoadContext { engine, actor, .. }: LoadContext, ids: Vec<String>) -> LoadResult {
    let found = visible_user_bodies(&engine, &actor, parse_ids(&ids)).await?;
    found.iter().map(|(id, _, body)| entry(id, body)).collect()
}

/// One's own in full, of others what one sees of them.
async fn partners(LoadContext { engine, actor, base_url: base }: LoadContext, ids: Vec<String>) -> LoadResult {
    let view = engine.view(&ReadSet { partners: parse_ids(&ids), ..ReadSet::default() }).await?;
    let found: Vec<&Partner> = view.partners.rows().collect();
    let seen = partners::visible_partner_bodies(&engine, &actor, found, &base).await?;
    seen.iter().map(|(partner, body)| entry(partner.id, body)).collect()
}

/// Events with their sets.
async fn events(LoadContext { engine, actor, base_url: base }: LoadContext, ids: Vec<String>) -> LoadResult {
    let events: Vec<EventId> = parse_ids(&ids);
    let around = ReadSet { sets_of: events.clone(), venues_of: events.clone(), ..events_and_deals(&actor, events) };
    let view = engine.view(&around).await?;
    let (now, mut sets) = (engine.now(), view.sets_by_event());
    let seen = view.events.rows().filter(|event| permission::sees_event(&actor, event, &view));
    seen.map(|event| {
        let sets = sets.remove(&event.id).unwrap_or_default().into_iter().filter(|set| !set.removed);
        let venue = event.venue.and_then(|venue| view.venues.get(venue));
        entry(event.id, &EventBody::new(event, sets, seller_terms(&view, &actor, event), now, &base).with_venue(venue))
    })
    .collect()
}

async fn sets(LoadContext { engine, actor, .. }: LoadContext, ids: Vec<String>) -> LoadResult {
    let sets = ReadSet { sets: parse_ids(&ids), ..ReadSet::default() };
    let events = |found: &View| events_and_deals(&actor, distinct(found.sets.rows().map(|set| set.event)));
    let (view, now) = (load_with_related(&engine, sets, events).await?, engine.now());
    let body = |set: &TicketSet| {
        let event = view.events.get(set.event)?;
        permission::sees_set(&actor, event, set, &view)
            .then(|| entry(set.id, &SetBody::new(set, seller_terms(&view, &actor, event), now)))
    };
    view.sets.rows().filter_map(body).collect()
}

async fn venues(LoadContext { engine, actor, .. }: LoadContext, ids: Vec<String>) -> LoadResult {
    let view = engine.view(&ReadSet { venues: parse_ids(&ids), ..ReadSet::default() }).await?;
    let seen = view.venues.rows().filter(|venue| permission::sees_venue(&actor, venue));
    seen.map(|venue| entry(venue.id, &VenueBody::new(venue))).collect()
}

/// Maps of venues that the caller sees.
async fn maps(LoadContext { engine, actor, .. }: LoadContext, ids: Vec<String>) -> LoadResult {
    let maps = ReadSet { hall_maps: parse_ids(&ids), ..ReadSet::default() };
    let venues =
        |found: &View| ReadSet { venues: found.hall_maps.rows().map(|map| map.venue).collect(), ..ReadSet::default() };
    let view = load_with_related(&engine, maps, venues).await?;
    let sees_venue = |venue| view.venues.get(venue).is_some_and(|venue| permission::sees_venue(&actor, venue));
    let seen = view.hall_maps.rows().filter(|map| sees_venue(map.venue));
    seen.map(|map| entry(map.id, &MapBody::new(map))).collect()
}

fn cities(ids: &[String]) -> LoadResult {
    let found = ids.iter().filter_map(|id| id.parse().ok()).filter_map(geo::city);
    found.map(|city| entry(city.id, &CityBody::from(city))).collect()
}

fn countries(ids: &[String]) -> LoadResult {
    let found = ids.iter().filter_map(|id| id.parse().ok()).filter_map(geo::country);
    found.map(|country| entry(country.id, &CountryBody::from(country))).collect()
}

/// Deals, under the titles of their events.
async fn deals(LoadContext { engine, actor, .. }: LoadContext, ids: Vec<String>) -> LoadResult {
    let deals = ReadSet { deals: parse_ids(&ids), ..ReadSet::default() };
    let events = |found: &View| read_events(found.deals.rows().map(|deal| deal.event));
    let (view, now) = (load_with_related(&engine, deals, events).await?, engine.now());
    let seen = view.deals.rows().filter(|deal| permission::sees_deal(&actor, deal));
    seen.map(|deal| entry(deal.id, &DealBody::new(deal, view.events.get(deal.event), now))).collect()
}

/// Tickets, with barcodes for those who may know them.
async fn tickets(LoadContext { engine, actor, .. }: LoadContext, ids: Vec<String>) -> LoadResult {
    let tickets = ReadSet { tickets: parse_ids(&ids), ..ReadSet::default() };
    let related = |found: &View| ReadSet {
        sets: found.tickets.rows().map(|ticket| ticket.set).collect(),
        orders: found.tickets.rows().filter_map(Ticket::holder).collect(),
        ..events_and_deals(&actor, distinct(found.tickets.rows().map(|ticket| ticket.event)))
    };
    let view = load_with_related(&engine, tickets, related).await?;
    let body = |ticket: &Ticket| {
        let (event, set) = (view.events.get(ticket.event)?, view.sets.get(ticket.set)?);
        let holder = ticket.holder().and_then(|order| view.orders.get(order));
        let sees_barcode = permission::sees_barcode(&actor, event, holder);
        permission::sees_ticket(&actor, event, set, holder, &view)
            .then(|| entry(ticket.id, &TicketBody::new(ticket, set, sees_barcode).into_single(set)))
    };
    view.tickets.rows().filter_map(body).collect()
}

/// Those that stand in an order that the caller sees, which is all that refers to them: in full for the organizer.
async fn order_promocodes(LoadContext { engine, actor, .. }: LoadContext, ids: Vec<String>) -> LoadResult {
    let promocodes = ReadSet { promocodes: parse_ids(&ids), ..ReadSet::default() };
    let events = |found: &View| read_events(found.promocodes.rows().map(|promocode| promocode.event));
    let view = load_with_related(&engine, promocodes, events).await?;
    let body = |promocode: &Promocode| {
        let event = view.events.get(promocode.event);
        if event.is_some_and(|event| permission::sees_promocode(&actor, event)) {
            entry(promocode.id, &PromocodeBody::new(promocode))
        } else {
            entry(promocode.id, &OrderPromocodeBody::new(promocode))
        }
    };
    view.promocodes.rows().map(body).collect()
}

/// Those of the events that one organizes.
async fn promotions(LoadContext { engine, actor, .. }: LoadContext, ids: Vec<String>) -> LoadResult {
    let promotions = ReadSet { promotions: parse_ids(&ids), ..ReadSet::default() };
    let events = |found: &View| read_events(found.promotions.rows().map(|promotion| promotion.event));
    let view = load_with_related(&engine, promotions, events).await?;
    let is_seen = |promotion: &&Promotion| {
        view.events.get(promotion.event).is_some_and(|event| permission::sees_promotion(&actor, event))
    };
    let seen = view.promotions.rows().filter(is_seen);
    seen.map(|promotion| entry(promotion.id, &PromotionBody::new(promotion))).collect()
}

async fn orders(LoadContext { engine, actor, .. }: LoadContext, ids: Vec<String>) -> LoadResult {
    let view = engine.view(&ReadSet { orders: parse_ids(&ids), ..ReadSet::default() }).await?;
    let seen = view.orders.rows().filter(|order| permission::sees_order(&actor, order));
    seen.map(|order| entry(order.id, &OrderBody::new(order))).collect()
}
