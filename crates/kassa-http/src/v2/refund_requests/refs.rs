//! What refund requests refer to by ids, each thing once.

use std::collections::BTreeMap;

use kassa_domain::event::EventId;
use kassa_domain::order::{Order, OrderId, OrderLine};
use kassa_domain::partner::PartnerId;
use kassa_domain::refund::{RefundLine, RefundRequest};
use kassa_domain::ticket::TicketId;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::order_refs::OrderRefsBody;
use super::super::orders::model::{OrderTicketV2Body, OrderV2Body};
use super::super::refs::{RefEventBody, RefPartnerBody};
use crate::related::RelatedRowsLookup;
use crate::wire::{EventRef, OrderRef, PartnerRef, TicketRef};

/// The things that refund requests refer to, by id.
#[derive(Serialize, ToSchema)]
#[schema(as = RefundRefs)]
pub(super) struct RefundRefs<'a> {
    /// Events, by id.
    #[schema(value_type = BTreeMap<EventRef, RefEventBody>)]
    events: BTreeMap<EventId, RefEventBody<'a>>,
    /// Orders, by id, as they are now: without the tickets that were returned.
    #[schema(value_type = BTreeMap<OrderRef, OrderV2Body>)]
    orders: BTreeMap<OrderId, OrderV2Body<'a>>,
    /// Organizers and vendors, by id.
    #[schema(value_type = BTreeMap<PartnerRef, RefPartnerBody>)]
    partners: BTreeMap<PartnerId, RefPartnerBody<'a>>,
    /// The tickets to return, by id, with what was paid for them; also after they have left their orders.
    #[schema(value_type = BTreeMap<TicketRef, OrderTicketV2Body>)]
    tickets: BTreeMap<TicketId, OrderTicketV2Body<'a>>,
}

impl<'a> RefundRefs<'a> {
    /// What these requests refer to, as far as it is there. Of a ticket that was given back, sold again
    /// and is asked back once more, the first request counts: the newest, in lists.
    pub(super) fn of(requests: &'a [RefundRequest], related: RelatedRowsLookup<'a>) -> Self {
        let found = |request: &'a RefundRequest| related.order(request.order).map(|order| (order, request));
        let found: Vec<(&Order, &RefundRequest)> = requests.iter().filter_map(found).collect();
        let mut tickets = BTreeMap::new();
        for (order, request) in &found {
            for RefundLine { line, .. } in &request.lines {
                tickets.entry(line.ticket).or_insert_with(|| refunded_ticket_body(order, line, related));
            }
        }
        let OrderRefsBody { events, orders, partners } =
            OrderRefsBody::of(requests.iter().map(|request| request.order), related);
        Self { events, orders, partners, tickets }
    }
}

/// A ticket as it was in its order, whether or not it still is.
fn refunded_ticket_body<'a>(
    order: &'a Order,
    line: &OrderLine,
    related: RelatedRowsLookup<'a>,
) -> OrderTicketV2Body<'a> {
    let ticket = OrderTicketV2Body::new(order, line, related);
    if order.lines.iter().any(|own| own.ticket == line.ticket) { ticket } else { ticket.into_vacant() }
}
