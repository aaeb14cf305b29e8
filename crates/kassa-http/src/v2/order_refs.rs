//! Orders that answers refer to, with what stands around them.

use std::collections::BTreeMap;

use kassa_domain::event::EventId;
use kassa_domain::order::{Order, OrderId};
use kassa_domain::partner::PartnerId;
use serde::Serialize;
use utoipa::ToSchema;

use super::orders::model::OrderV2Body;
use super::refs::{RefEventBody, RefPartnerBody, RefsBody};
use crate::related::RelatedRowsLookup;
use crate::wire::{EventRef, OrderRef, PartnerRef};

/// Orders, their events and their partners, by id.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderRefs)]
pub(super) struct OrderRefsBody<'a> {
    /// Events, by id.
    #[schema(value_type = BTreeMap<EventRef, RefEventBody>)]
    pub(super) events: BTreeMap<EventId, RefEventBody<'a>>,
    /// Orders, by id, as they are now.
    #[schema(value_type = BTreeMap<OrderRef, OrderV2Body>)]
    pub(super) orders: BTreeMap<OrderId, OrderV2Body<'a>>,
    /// Organizers and vendors, by id.
    #[schema(value_type = BTreeMap<PartnerRef, RefPartnerBody>)]
    pub(super) partners: BTreeMap<PartnerId, RefPartnerBody<'a>>,
}

impl<'a> OrderRefsBody<'a> {
    /// These orders, as far as they are there.
    pub(super) fn of(orders: impl IntoIterator<Item = OrderId>, related: RelatedRowsLookup<'a>) -> Self {
        let found: BTreeMap<OrderId, &Order> =
            orders.into_iter().filter_map(|id| Some((id, related.order(id)?))).collect();
        let RefsBody { events, partners, .. } = RefsBody::of(found.values().copied(), related);
        let orders = found.into_iter().map(|(id, order)| (id, OrderV2Body::new(order, related))).collect();
        Self { events, orders, partners }
    }
}
