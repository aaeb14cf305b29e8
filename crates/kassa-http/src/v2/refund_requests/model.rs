//! A refund request as v2 shows it.

use kassa_domain::refund::RefundRequest;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use super::super::pagination::{PageRequest, list_answer};
use super::refs::RefundRefs;
use crate::openapi::schema;
use crate::related::RelatedRowsLookup;
use crate::wire::{
    CULPRITS, EventRef, IdRef, MoneyBody, OrderRef, PartnerRef, REFUND_STATUSES, RefundRequestRef, TicketRef, TimeV2,
    culprits_schema, refund_states_schema,
};

/// The policies are all ours: no law stands above them.
const POLICY_NAME: &str = "general";

/// A refund request.
#[derive(Serialize, ToSchema)]
#[schema(as = RefundRequest)]
pub(in crate::v2) struct RefundV2Body {
    /// The id of the request.
    id: RefundRequestRef,
    #[schema(schema_with = refund_states_schema)]
    status: &'static str,
    #[schema(schema_with = culprits_schema)]
    culprit: &'static str,
    #[schema(schema_with = policy_schema)]
    policy: &'static str,
    /// The order that tickets are returned from.
    order: OrderRef,
    /// The event that the tickets are for.
    event: EventRef,
    /// The organizer, which decides.
    org: PartnerRef,
    /// The partner that sold the tickets.
    vendor: PartnerRef,
    /// The tickets that are returned.
    tickets: Vec<TicketRef>,
    /// When it was created.
    created_at: TimeV2,
    /// When the customer asked.
    requested_at: TimeV2,
    /// When it was approved or rejected; missing while it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    finished_at: Option<TimeV2>,
    /// What is paid back of the price after discounts.
    refund_nominal: MoneyBody,
    /// The same as `refund_nominal`, for older clients.
    delta: MoneyBody,
    /// What the customer gets back: `refund_nominal`, and what is paid back of the agent's extra.
    customer_money: MoneyBody,
}

impl RefundV2Body {
    pub(in crate::v2) fn new(request: &RefundRequest) -> Self {
        let back = request.amounts();
        Self {
            id: IdRef(request.id),
            status: REFUND_STATUSES.name(request.state()),
            culprit: CULPRITS.name(request.culprit),
            policy: POLICY_NAME,
            order: IdRef(request.order),
            event: IdRef(request.event),
            org: IdRef(request.organizer),
            vendor: IdRef(request.vendor),
            tickets: request.tickets().map(IdRef).collect(),
            created_at: TimeV2(request.created_at),
            requested_at: TimeV2(request.requested_at),
            finished_at: request.finished_at().map(TimeV2),
            refund_nominal: MoneyBody(back.nominal),
            delta: MoneyBody(back.nominal),
            customer_money: MoneyBody(back.total()),
        }
    }
}

fn policy_schema() -> RefOr<Schema> {
    let about = "The kind of rules that apply: `general`, those of the event, which version 1 shows.";
    schema::words([POLICY_NAME]).description(Some(about)).into()
}

/// A refund request, and what it refers to.
#[derive(Serialize, ToSchema)]
#[schema(as = RefundAnswer)]
pub(super) struct RefundResponse<'a> {
    /// The request.
    data: RefundV2Body,
    /// What the request refers to by id.
    refs: RefundRefs<'a>,
}

impl<'a> RefundResponse<'a> {
    pub(super) fn new(request: &'a RefundRequest, related: RelatedRowsLookup<'a>) -> Self {
        let refs = RefundRefs::of(std::slice::from_ref(request), related);
        Self { data: RefundV2Body::new(request), refs }
    }
}

list_answer! {
    /// Refund requests, and what they refer to.
    pub(super) struct RefundListResponse<'a> as RefundsAnswer {
        /// The requests of this page.
        data: Vec<RefundV2Body>,
        /// What these requests refer to by id.
        refs: RefundRefs<'a>,
    }
}

impl<'a> RefundListResponse<'a> {
    pub(super) fn new(
        requests: &'a [RefundRequest],
        related: RelatedRowsLookup<'a>,
        wanted: PageRequest,
        total: u64,
    ) -> Self {
        let data = requests.iter().map(RefundV2Body::new).collect();
        Self::page(wanted, total, data, RefundRefs::of(requests, related))
    }
}
