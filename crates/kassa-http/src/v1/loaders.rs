//! Loaders: resources that others refer to, many at once, each with the shape and under the rules
//! of a read by its id.

use std::collections::BTreeSet;
use std::fmt::Display;

use kassa_domain::event::EventId;
use kassa_domain::partner::{Partner, PartnerId};
use kassa_domain::promocode::Promocode;
use kassa_domain::promotion::Promotion;
use kassa_domain::set::TicketSet;
use kassa_domain::ticket::Ticket;
use kassa_domain::user::UserId;
use kassa_domain::{Actor, Id, ReadSet, geo, permission};
use kassa_engine::Failure;
use serde::Serialize;
use serde_json::Value;

use super::resource_kinds;
use crate::error::ApiError;
use crate::fields_schema::{LoadContext, LoadResult, Loader};
use crate::route::ResourceKind;
use crate::v1::cities::model::CityBody;
use crate::v1::countries::model::CountryBody;
use crate::v1::deals::model::DealBody;
use crate::v1::events::model::EventBody;
use crate::v1::maps::model::MapBody;
use crate::v1::orders::model::OrderBody;
use crate::v1::partners;
use crate::v1::promocodes::model::PromocodeBody;
use crate::v1::promotions::model::PromotionBody;
use crate::v1::sets::model::SetBody;
use crate::v1::sets::seller_terms;
use crate::v1::tickets::model::TicketBody;
use crate::v1::users::crm_sums_by_user;
use crate::v1::users::model::UserBody;
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
    (&resource_kinds::PROMOCODE, |reader, ids| Box::pin(promocodes(reader, ids))),
    (&resource_kinds::PROMOTION, |reader, ids| Box::pin(promotions(reader, ids))),
    (&resource_kinds::ORDER, |reader, ids| Box::pin(orders(reader, ids))),
    (&resource_kinds::CITY, |_, ids| Box::pin(std::future::ready(cities(&ids)))),
    (&resource_kinds::COUNTRY, |_, ids| Box::pin(std::future::ready(countries(&ids)))),
];

fn parse_ids<K>(ids: &[String]) -> Vec<Id<K>> {
    ids.iter().filter_map(|id| id.parse().ok()).collect()
}

fn entry(id: impl Display, body: &impl Serialize) -> Result<(String, Value), ApiError> {
    let body = serde_json::to_value(body).map_err(|error| Failure::internal(&error.to_string()))?;
    Ok((id.to_string(), body))
}

/// Oneself, and customers of the partners that ask.
async fn users(LoadContext { engine, actor, .. }: LoadContext, ids: Vec<String>) -> LoadResult {
    let ids: Vec<UserId> = parse_ids(&ids);
    let own = actor.user().filter(|own| ids.contains(&own.user));
    let partners_of = own.map(|own| own.user).into_iter().collect();
    let view = engine.view(&ReadSet { users: ids.clone(), partners_of, ..ReadSet::default() }).await?;
    let sums = crm_sums_by_user(&engine, &actor, ids).await?;
    let body = |id: UserId| {
        // Whom else a customer works for is its own affair.
        let partners = if permission::is_self(&actor, id) { view.partners_of(id) } else { Vec::new() };
        let user = UserBody::new(view.users.get(id)?, partners).with_crm(sums.get(&id)?);
        Some(entry(id, &user))
    };
    view.users.rows().filter_map(|user| body(user.id)).collect()
}

/// One's own in full, of others what one sees of them.
async fn partners(LoadContext { engine, actor, base_url: base }: LoadContext, ids: Vec<String>) -> LoadResult {
    let view = engine.view(&ReadSet { partners: parse_ids(&ids), ..ReadSet::default() }).await?;
    let found: Vec<&Partner> = view.partners.rows().collect();
    let seen = partners::visible_partner_bodies(&engine, &actor, found, &base).await?;
    seen.iter().map(|(partner, body)| entry(partner.id, body)).collect()
}

/// The caller's deals for each of these events, as a selector: they decide what it sees, and at what
/// prices.
fn deal_keys(actor: &Actor, events: &[EventId]) -> Vec<(EventId, PartnerId)> {
    let own = actor.acting_partners();
    events.iter().flat_map(|event| own.iter().map(|partner| (*event, *partner))).collect()
}

/// Events with their sets.
async fn events(LoadContext { engine, actor, base_url: base }: LoadContext, ids: Vec<String>) -> LoadResult {
    let events: Vec<EventId> = parse_ids(&ids);
    let deals_of = deal_keys(&actor, &events);
    let view = engine.view(&ReadSet { sets_of: events.clone(), events, deals_of, ..ReadSet::default() }).await?;
    let (now, mut sets) = (engine.now(), view.sets_by_event());
    let seen = view.events.rows().filter(|event| permission::sees_event(&actor, event, &view));
    seen.map(|event| {
        let sets = sets.remove(&event.id).unwrap_or_default().into_iter().filter(|set| !set.removed);
        entry(event.id, &EventBody::new(event, sets, seller_terms(&view, &actor, event), now, &base))
    })
    .collect()
}

async fn sets(LoadContext { engine, actor, .. }: LoadContext, ids: Vec<String>) -> LoadResult {
    let view = engine.view(&ReadSet { sets: parse_ids(&ids), ..ReadSet::default() }).await?;
    let events: BTreeSet<_> = view.sets.rows().map(|set| set.event).collect();
    let events: Vec<EventId> = events.into_iter().collect();
    let deals_of = deal_keys(&actor, &events);
    let around = engine.view(&ReadSet { events, deals_of, ..ReadSet::default() }).await?;
    let now = engine.now();
    let body = |set: &TicketSet| {
        let event = around.events.get(set.event)?;
        permission::sees_set(&actor, event, set, &around)
            .then(|| entry(set.id, &SetBody::new(set, seller_terms(&around, &actor, event), now)))
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
    let view = engine.view(&ReadSet { hall_maps: parse_ids(&ids), ..ReadSet::default() }).await?;
    let venues: BTreeSet<_> = view.hall_maps.rows().map(|map| map.venue).collect();
    let around = engine.view(&ReadSet { venues: venues.into_iter().collect(), ..ReadSet::default() }).await?;
    let open = |venue| around.venues.get(venue).is_some_and(|venue| permission::sees_venue(&actor, venue));
    let seen = view.hall_maps.rows().filter(|map| open(map.venue));
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
    let view = engine.view(&ReadSet { deals: parse_ids(&ids), ..ReadSet::default() }).await?;
    let events = view.deals.rows().map(|deal| deal.event).collect();
    let around = engine.view(&ReadSet { events, ..ReadSet::default() }).await?;
    let now = engine.now();
    let seen = view.deals.rows().filter(|deal| permission::sees_deal(&actor, deal));
    seen.map(|deal| entry(deal.id, &DealBody::new(deal, around.events.get(deal.event), now))).collect()
}

/// Tickets, with barcodes for those who may know them.
async fn tickets(LoadContext { engine, actor, .. }: LoadContext, ids: Vec<String>) -> LoadResult {
    let view = engine.view(&ReadSet { tickets: parse_ids(&ids), ..ReadSet::default() }).await?;
    let sets: BTreeSet<_> = view.tickets.rows().map(|ticket| ticket.set).collect();
    let events: BTreeSet<_> = view.tickets.rows().map(|ticket| ticket.event).collect();
    let orders: BTreeSet<_> = view.tickets.rows().filter_map(Ticket::holder).collect();
    let events: Vec<EventId> = events.into_iter().collect();
    let read_set = ReadSet {
        sets: sets.into_iter().collect(),
        deals_of: deal_keys(&actor, &events),
        events,
        orders: orders.into_iter().collect(),
        ..ReadSet::default()
    };
    let around = engine.view(&read_set).await?;
    let body = |ticket: &Ticket| {
        let (event, set) = (around.events.get(ticket.event)?, around.sets.get(ticket.set)?);
        let holder = ticket.holder().and_then(|order| around.orders.get(order));
        let sees_barcode = permission::sees_barcode(&actor, event, holder);
        permission::sees_ticket(&actor, event, set, holder, &around)
            .then(|| entry(ticket.id, &TicketBody::new(ticket, set, sees_barcode).into_single(set)))
    };
    view.tickets.rows().filter_map(body).collect()
}

/// Those of the events that one organizes.
async fn promocodes(LoadContext { engine, actor, .. }: LoadContext, ids: Vec<String>) -> LoadResult {
    let view = engine.view(&ReadSet { promocodes: parse_ids(&ids), ..ReadSet::default() }).await?;
    let events = view.promocodes.rows().map(|promocode| promocode.event).collect();
    let around = engine.view(&ReadSet { events, ..ReadSet::default() }).await?;
    let event_of = |promocode: &Promocode| around.events.get(promocode.event);
    let is_seen =
        |promocode: &&Promocode| event_of(promocode).is_some_and(|event| permission::sees_promocode(&actor, event));
    view.promocodes
        .rows()
        .filter(is_seen)
        .map(|promocode| entry(promocode.id, &PromocodeBody::new(promocode)))
        .collect()
}

/// Those of the events that one organizes.
async fn promotions(LoadContext { engine, actor, .. }: LoadContext, ids: Vec<String>) -> LoadResult {
    let view = engine.view(&ReadSet { promotions: parse_ids(&ids), ..ReadSet::default() }).await?;
    let events = view.promotions.rows().map(|promotion| promotion.event).collect();
    let around = engine.view(&ReadSet { events, ..ReadSet::default() }).await?;
    let is_seen = |promotion: &&Promotion| {
        around.events.get(promotion.event).is_some_and(|event| permission::sees_promotion(&actor, event))
    };
    let seen = view.promotions.rows().filter(is_seen);
    seen.map(|promotion| entry(promotion.id, &PromotionBody::new(promotion))).collect()
}

async fn orders(LoadContext { engine, actor, .. }: LoadContext, ids: Vec<String>) -> LoadResult {
    let view = engine.view(&ReadSet { orders: parse_ids(&ids), ..ReadSet::default() }).await?;
    let seen = view.orders.rows().filter(|order| permission::sees_order(&actor, order));
    seen.map(|order| entry(order.id, &OrderBody::new(order))).collect()
}
