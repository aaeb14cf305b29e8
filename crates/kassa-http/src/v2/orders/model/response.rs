//! Answers with orders, and with what these refer to.

use kassa_domain::order::{Order, OrderOutcome};
use serde::Serialize;
use utoipa::ToSchema;

use super::super::shortfall::ShortfallV2Body;
use super::OrderV2Body;
use crate::base_url::BaseUrl;
use crate::related::RelatedRowsLookup;
use crate::v2::errors::SkippedPromocodeBody;
use crate::v2::pagination::{PageRequest, list_answer};
use crate::v2::refs::RefsBody;

/// An order, and what it refers to.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderAnswer)]
pub(in crate::v2::orders) struct OrderResponse<'a> {
    /// The order.
    data: OrderV2Body<'a>,
    /// What the order refers to by id.
    refs: RefsBody<'a>,
    /// In responses to writes: what was asked for and is not available, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    details: Option<Vec<ShortfallV2Body>>,
    /// Promocodes that were asked for and left out; missing if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    errors: Option<Vec<SkippedPromocodeBody>>,
    /// To an order that a visitor of a shop has made: what opens it to whoever has it. It is said once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    access: Option<OrderAccessBody>,
}

/// What opens an order to whoever has it.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderAccess)]
struct OrderAccessBody {
    /// The credential: `Authorization: order <token>`.
    token: String,
    /// The page of the order.
    url: String,
}

impl<'a> OrderResponse<'a> {
    pub(in crate::v2::orders) fn new(order: &'a Order, related: RelatedRowsLookup<'a>) -> Self {
        Self {
            data: OrderV2Body::new(order, related),
            refs: RefsBody::of([order], related),
            details: None,
            errors: None,
            access: None,
        }
    }

    /// With what opens it.
    pub(in crate::v2::orders) fn with_access(self, token: String, base: &BaseUrl) -> Self {
        let url = base.order_url(&token);
        Self { access: Some(OrderAccessBody { token, url }), ..self }
    }

    /// As the answer to a write.
    pub(in crate::v2::orders) fn for_write(outcome: &'a OrderOutcome, related: RelatedRowsLookup<'a>) -> Self {
        let details = Some(ShortfallV2Body::all(&outcome.shortfalls));
        let errors = SkippedPromocodeBody::all(&outcome.refused_promocodes);
        Self { details, errors, ..Self::new(&outcome.order, related) }
    }
}

list_answer! {
    /// Orders, and what they refer to.
    pub(in crate::v2::orders) struct OrderListResponse<'a> as OrdersAnswer {
        /// The orders of this page.
        data: Vec<OrderV2Body<'a>>,
        /// What these orders refer to by id.
        refs: RefsBody<'a>,
    }
}

impl<'a> OrderListResponse<'a> {
    pub(in crate::v2::orders) fn new(
        orders: &'a [Order],
        related: RelatedRowsLookup<'a>,
        wanted: PageRequest,
        total: u64,
    ) -> Self {
        let data = orders.iter().map(|order| OrderV2Body::new(order, related)).collect();
        Self::page(wanted, total, data, RefsBody::of(orders, related))
    }
}
