//! What has changed, as it is now: the form that version 2 has of it, for whoever may see it.

use kassa_domain::change::Subject;
use kassa_domain::order::{Customer, Order, OrderId, OrderNotes};
use kassa_domain::precondition::ResourceRef;
use kassa_domain::refund::RefundId;
use kassa_domain::set::SetId;
use kassa_domain::{Actor, ReadSet, permission};
use kassa_engine::{Engine, Failure};
use serde_json::Value;

use crate::related::{RelatedRows, events_and_deals};
use crate::v2::orders::model::OrderV2Body;
use crate::v2::payments::model::PaymentBody;
use crate::v2::refs::{event_form, partner_form, promocode_form, set_form, venue_form};
use crate::v2::refund_requests::model::RefundV2Body;

/// The form of a row, if version 2 has one and the actor sees the row; the data of customers only if that is wanted.
pub(super) async fn form_of(
    engine: &Engine,
    actor: &Actor,
    subject: Subject,
    has_customers: bool,
) -> Result<Option<Value>, Failure> {
    match subject {
        Subject::Inventory(set) | Subject::Resource(ResourceRef::Set(set)) => set_data(engine, actor, set).await,
        Subject::Resource(ResourceRef::Order(order)) => order_data(engine, actor, order, has_customers).await,
        Subject::Resource(ResourceRef::Refund(request)) => refund_data(engine, actor, request).await,
        Subject::Resource(ResourceRef::Payment(payment)) => {
            let view = engine.view(&ReadSet { payments: vec![payment], ..ReadSet::default() }).await?;
            // Only the vendor and the organizer are told of them.
            Ok(view
                .payments
                .get(payment)
                .and_then(|payment| serde_json::to_value(PaymentBody::new(payment, None)).ok()))
        }
        Subject::Resource(ResourceRef::Event(event)) => {
            let mut rows = events_and_deals(actor, vec![event]);
            rows.venues_of.push(event);
            let view = engine.view(&rows).await?;
            let found = view.events.get(event).filter(|event| permission::sees_event(actor, event, &view));
            Ok(found.and_then(|event| event_form(event, &view, engine.now())))
        }
        Subject::Resource(ResourceRef::Promocode(promocode)) => {
            let view = engine.view(&ReadSet { promocodes: vec![promocode], ..ReadSet::default() }).await?;
            // Only the organizer is told of them.
            Ok(view.promocodes.get(promocode).and_then(promocode_form))
        }
        Subject::Resource(ResourceRef::Partner(partner)) => {
            let view = engine.view(&ReadSet { partners: vec![partner], ..ReadSet::default() }).await?;
            Ok(view.partners.get(partner).and_then(partner_form))
        }
        Subject::Resource(ResourceRef::Venue(venue)) => {
            let view = engine.view(&ReadSet { venues: vec![venue], ..ReadSet::default() }).await?;
            Ok(view.venues.get(venue).and_then(venue_form))
        }
        // Version 2 has no form of these.
        Subject::Resource(
            ResourceRef::User(_)
            | ResourceRef::ApiKey(_)
            | ResourceRef::Attachment(_)
            | ResourceRef::HallMap(_)
            | ResourceRef::Deal(_)
            | ResourceRef::Promotion(_)
            | ResourceRef::Webhook(_),
        ) => Ok(None),
    }
}

async fn set_data(engine: &Engine, actor: &Actor, id: SetId) -> Result<Option<Value>, Failure> {
    let mut view = engine.view(&ReadSet { sets: vec![id], ..ReadSet::default() }).await?;
    let Some(event) = view.sets.get(id).map(|set| set.event) else { return Ok(None) };
    view.extend(engine.view(&events_and_deals(actor, vec![event])).await?);
    let (set, event) = (view.sets.get(id), view.events.get(event));
    let seen = set.zip(event).filter(|(set, event)| permission::sees_set(actor, event, set, &view));
    Ok(seen.and_then(|(set, _)| set_form(set, engine.now())))
}

async fn order_data(
    engine: &Engine,
    actor: &Actor,
    id: OrderId,
    has_customers: bool,
) -> Result<Option<Value>, Failure> {
    let order = engine.order(id).await?.filter(|order| permission::sees_order(actor, order));
    let Some(order) = order else { return Ok(None) };
    let order = if has_customers { order } else { without_customer(order) };
    let related = RelatedRows::of_orders(engine, std::slice::from_ref(&order)).await?;
    Ok(serde_json::to_value(OrderV2Body::new(&order, related.lookup())).ok())
}

/// An order without what it says of persons: who buys, who comes, and what the vendor has noted.
fn without_customer(order: Order) -> Order {
    let subscribe_agree = order.notes.subscribe_agree;
    let notes = OrderNotes { subscribe_agree, ..OrderNotes::default() };
    Order { customer: Customer::default(), notes, ..order }
}

async fn refund_data(engine: &Engine, actor: &Actor, id: RefundId) -> Result<Option<Value>, Failure> {
    let request = engine.refund(id).await?.filter(|request| permission::sees_refund(actor, request));
    Ok(request.and_then(|request| serde_json::to_value(RefundV2Body::new(&request)).ok()))
}
