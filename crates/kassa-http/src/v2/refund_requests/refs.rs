//! What refund requests refer to by ids, each thing once (api-facts §5.3).

use std::collections::BTreeMap;

use kassa_domain::event::EventId;
use kassa_domain::order::{Line, Order, OrderId};
use kassa_domain::partner::PartnerId;
use kassa_domain::refund::{RefundLine, RefundRequest};
use kassa_domain::ticket::TicketId;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::around::Around;
use super::super::orders::model::{OrderBody, TicketBody};
use super::super::refs::{EventBody, PartnerBody, RefsBody};
use crate::wire::{EventRef, OrderRef, PartnerRef, TicketRef};

/// The things that refund requests refer to, by id.
#[derive(Serialize, ToSchema)]
#[schema(as = RefundRefs)]
pub(super) struct RefundRefs<'a> {
    #[schema(value_type = BTreeMap<EventRef, EventBody>)]
    events: BTreeMap<EventId, EventBody<'a>>,
    /// The orders as they are now: without what has been given back.
    #[schema(value_type = BTreeMap<OrderRef, OrderBody>)]
    orders: BTreeMap<OrderId, OrderBody<'a>>,
    /// Organizers and vendors.
    #[schema(value_type = BTreeMap<PartnerRef, PartnerBody>)]
    partners: BTreeMap<PartnerId, PartnerBody<'a>>,
    /// The tickets to give back, with what was paid for them, also once they have left their orders.
    #[schema(value_type = BTreeMap<TicketRef, TicketBody>)]
    tickets: BTreeMap<TicketId, TicketBody<'a>>,
}

impl<'a> RefundRefs<'a> {
    /// What these requests refer to, as far as it is there. Of a ticket that was given back, sold again
    /// and is asked back once more, the first request tells: the newest, in lists.
    pub(super) fn of(requests: &'a [RefundRequest], around: Around<'a>) -> Self {
        let found = |request: &'a RefundRequest| around.order(request.order).map(|order| (order, request));
        let found: Vec<(&Order, &RefundRequest)> = requests.iter().filter_map(found).collect();
        let mut tickets = BTreeMap::new();
        for (order, request) in &found {
            for RefundLine { line, .. } in &request.lines {
                tickets.entry(line.ticket).or_insert_with(|| ticket_of(order, line, around));
            }
        }
        let orders: BTreeMap<OrderId, &Order> = found.into_iter().map(|(order, _)| (order.id, order)).collect();
        let RefsBody { events, partners, .. } = RefsBody::of(orders.values().copied(), around);
        let orders = orders.into_iter().map(|(id, order)| (id, OrderBody::new(order, around))).collect();
        Self { events, orders, partners, tickets }
    }
}

/// A ticket as it was in its order, whether or not it still is.
fn ticket_of<'a>(order: &'a Order, line: &Line, around: Around<'a>) -> TicketBody<'a> {
    let ticket = TicketBody::new(order, line, around);
    if order.lines.iter().any(|own| own.ticket == line.ticket) { ticket } else { ticket.unheld() }
}
