//! Loaders: resources that others refer to, many at once, each with the shape and under the rules
//! of a read by its id.

use std::collections::BTreeSet;
use std::fmt::Display;

use kassa_domain::event::EventId;
use kassa_domain::partner::{Partner, PartnerId};
use kassa_domain::promocode::Promocode;
use kassa_domain::promotion::Promotion;
use kassa_domain::set::Set;
use kassa_domain::ticket::Ticket;
use kassa_domain::user::UserId;
use kassa_domain::{Actor, Id, Needs, geo, permission};
use kassa_engine::Failure;
use serde::Serialize;
use serde_json::Value;

use super::kinds::{Loaded, Reader};
use crate::error::ApiError;
use crate::v1::attachments::model::AttachmentBody;
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
use crate::v1::sets::terms_of;
use crate::v1::tickets::model::TicketBody;
use crate::v1::users::model::UserBody;
use crate::v1::users::sums_of;
use crate::v1::venues::model::VenueBody;

fn parsed<K>(ids: &[String]) -> Vec<Id<K>> {
    ids.iter().filter_map(|id| id.parse().ok()).collect()
}

fn shown(id: impl Display, body: &impl Serialize) -> Result<(String, Value), ApiError> {
    let body = serde_json::to_value(body).map_err(|error| Failure::internal(&error.to_string()))?;
    Ok((id.to_string(), body))
}

/// Oneself, and customers of the partners that ask.
pub(super) async fn users(Reader { engine, actor, .. }: Reader, ids: Vec<String>) -> Loaded {
    let ids: Vec<UserId> = parsed(&ids);
    let own = actor.user().filter(|own| ids.contains(&own.user));
    let partners_of = own.map(|own| own.user).into_iter().collect();
    let view = engine.view(&Needs { users: ids.clone(), partners_of, ..Needs::default() }).await?;
    let sums = sums_of(&engine, &actor, ids).await?;
    let body = |id: UserId| {
        // Whom else a customer works for is its own affair.
        let partners = if permission::is_self(&actor, id) { view.partners_of(id) } else { Vec::new() };
        let user = UserBody::new(view.users.get(id)?, partners).with_crm(sums.get(&id)?);
        Some(shown(id, &user))
    };
    view.users.rows().filter_map(|user| body(user.id)).collect()
}

/// One's own in full, of others what one sees of them.
pub(super) async fn partners(Reader { engine, actor, base }: Reader, ids: Vec<String>) -> Loaded {
    let view = engine.view(&Needs { partners: parsed(&ids), ..Needs::default() }).await?;
    let found: Vec<&Partner> = view.partners.rows().collect();
    let seen = partners::seen(&engine, &actor, found, &base).await?;
    seen.iter().map(|(partner, body)| shown(partner.id, body)).collect()
}

/// One's own.
pub(super) async fn attachments(Reader { engine, actor, base }: Reader, ids: Vec<String>) -> Loaded {
    let view = engine.view(&Needs { attachments: parsed(&ids), ..Needs::default() }).await?;
    let seen = view.attachments.rows().filter(|attachment| permission::sees_attachment(&actor, attachment));
    seen.map(|attachment| shown(attachment.id, &AttachmentBody::new(attachment, &base))).collect()
}

/// The caller's deals for each of these events, as a selector: they decide what it sees, and at what
/// prices.
fn deals_of(actor: &Actor, events: &[EventId]) -> Vec<(EventId, PartnerId)> {
    let own = actor.partners();
    events.iter().flat_map(|event| own.iter().map(|partner| (*event, *partner))).collect()
}

/// Events with their sets.
pub(super) async fn events(Reader { engine, actor, base }: Reader, ids: Vec<String>) -> Loaded {
    let events: Vec<EventId> = parsed(&ids);
    let deals_of = deals_of(&actor, &events);
    let view = engine.view(&Needs { sets_of: events.clone(), events, deals_of, ..Needs::default() }).await?;
    let (now, mut sets) = (engine.now(), view.sets_by_event());
    let seen = view.events.rows().filter(|event| permission::sees_event(&actor, event, &view));
    seen.map(|event| {
        let sets = sets.remove(&event.id).unwrap_or_default().into_iter().filter(|set| !set.removed);
        shown(event.id, &EventBody::new(event, sets, terms_of(&view, &actor, event), now, &base))
    })
    .collect()
}

pub(super) async fn sets(Reader { engine, actor, .. }: Reader, ids: Vec<String>) -> Loaded {
    let view = engine.view(&Needs { sets: parsed(&ids), ..Needs::default() }).await?;
    let events: BTreeSet<_> = view.sets.rows().map(|set| set.event).collect();
    let events: Vec<EventId> = events.into_iter().collect();
    let deals_of = deals_of(&actor, &events);
    let around = engine.view(&Needs { events, deals_of, ..Needs::default() }).await?;
    let now = engine.now();
    let body = |set: &Set| {
        let event = around.events.get(set.event)?;
        permission::sees_set(&actor, event, set, &around)
            .then(|| shown(set.id, &SetBody::new(set, terms_of(&around, &actor, event), now)))
    };
    view.sets.rows().filter_map(body).collect()
}

pub(super) async fn venues(Reader { engine, actor, .. }: Reader, ids: Vec<String>) -> Loaded {
    let view = engine.view(&Needs { venues: parsed(&ids), ..Needs::default() }).await?;
    let seen = view.venues.rows().filter(|venue| permission::sees_venue(&actor, venue));
    seen.map(|venue| shown(venue.id, &VenueBody::new(venue))).collect()
}

/// Maps of venues that the caller sees.
pub(super) async fn maps(Reader { engine, actor, .. }: Reader, ids: Vec<String>) -> Loaded {
    let view = engine.view(&Needs { maps: parsed(&ids), ..Needs::default() }).await?;
    let venues: BTreeSet<_> = view.maps.rows().map(|map| map.venue).collect();
    let around = engine.view(&Needs { venues: venues.into_iter().collect(), ..Needs::default() }).await?;
    let open = |venue| around.venues.get(venue).is_some_and(|venue| permission::sees_venue(&actor, venue));
    let seen = view.maps.rows().filter(|map| open(map.venue));
    seen.map(|map| shown(map.id, &MapBody::new(map))).collect()
}

pub(super) fn cities(ids: &[String]) -> Loaded {
    let found = ids.iter().filter_map(|id| id.parse().ok()).filter_map(geo::city);
    found.map(|city| shown(city.id, &CityBody::from(city))).collect()
}

pub(super) fn countries(ids: &[String]) -> Loaded {
    let found = ids.iter().filter_map(|id| id.parse().ok()).filter_map(geo::country);
    found.map(|country| shown(country.id, &CountryBody::from(country))).collect()
}

/// Deals, under the titles of their events.
pub(super) async fn deals(Reader { engine, actor, .. }: Reader, ids: Vec<String>) -> Loaded {
    let view = engine.view(&Needs { deals: parsed(&ids), ..Needs::default() }).await?;
    let events = view.deals.rows().map(|deal| deal.event).collect();
    let around = engine.view(&Needs { events, ..Needs::default() }).await?;
    let now = engine.now();
    let seen = view.deals.rows().filter(|deal| permission::sees_deal(&actor, deal));
    seen.map(|deal| shown(deal.id, &DealBody::new(deal, around.events.get(deal.event), now))).collect()
}

/// Tickets, with barcodes for those who may know them.
pub(super) async fn tickets(Reader { engine, actor, .. }: Reader, ids: Vec<String>) -> Loaded {
    let view = engine.view(&Needs { tickets: parsed(&ids), ..Needs::default() }).await?;
    let sets: BTreeSet<_> = view.tickets.rows().map(|ticket| ticket.set).collect();
    let events: BTreeSet<_> = view.tickets.rows().map(|ticket| ticket.event).collect();
    let orders: BTreeSet<_> = view.tickets.rows().filter_map(Ticket::holder).collect();
    let events: Vec<EventId> = events.into_iter().collect();
    let needs = Needs {
        sets: sets.into_iter().collect(),
        deals_of: deals_of(&actor, &events),
        events,
        orders: orders.into_iter().collect(),
        ..Needs::default()
    };
    let around = engine.view(&needs).await?;
    let body = |ticket: &Ticket| {
        let (event, set) = (around.events.get(ticket.event)?, around.sets.get(ticket.set)?);
        let holder = ticket.holder().and_then(|order| around.orders.get(order));
        let sees_barcode = permission::sees_barcode(&actor, event, holder);
        permission::sees_ticket(&actor, event, set, holder, &around)
            .then(|| shown(ticket.id, &TicketBody::new(ticket, set, sees_barcode).alone(set)))
    };
    view.tickets.rows().filter_map(body).collect()
}

/// Those of the events that one organizes.
pub(super) async fn promocodes(Reader { engine, actor, .. }: Reader, ids: Vec<String>) -> Loaded {
    let view = engine.view(&Needs { promocodes: parsed(&ids), ..Needs::default() }).await?;
    let events = view.promocodes.rows().map(|promocode| promocode.event).collect();
    let around = engine.view(&Needs { events, ..Needs::default() }).await?;
    let event_of = |promocode: &Promocode| around.events.get(promocode.event);
    let is_seen =
        |promocode: &&Promocode| event_of(promocode).is_some_and(|event| permission::sees_promocode(&actor, event));
    view.promocodes
        .rows()
        .filter(is_seen)
        .map(|promocode| shown(promocode.id, &PromocodeBody::new(promocode)))
        .collect()
}

/// Those of the events that one organizes.
pub(super) async fn promotions(Reader { engine, actor, .. }: Reader, ids: Vec<String>) -> Loaded {
    let view = engine.view(&Needs { promotions: parsed(&ids), ..Needs::default() }).await?;
    let events = view.promotions.rows().map(|promotion| promotion.event).collect();
    let around = engine.view(&Needs { events, ..Needs::default() }).await?;
    let is_seen = |promotion: &&Promotion| {
        around.events.get(promotion.event).is_some_and(|event| permission::sees_promotion(&actor, event))
    };
    let seen = view.promotions.rows().filter(is_seen);
    seen.map(|promotion| shown(promotion.id, &PromotionBody::new(promotion))).collect()
}

pub(super) async fn orders(Reader { engine, actor, .. }: Reader, ids: Vec<String>) -> Loaded {
    let view = engine.view(&Needs { orders: parsed(&ids), ..Needs::default() }).await?;
    let seen = view.orders.rows().filter(|order| permission::sees_order(&actor, order));
    seen.map(|order| shown(order.id, &OrderBody::new(order))).collect()
}
