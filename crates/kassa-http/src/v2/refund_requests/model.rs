//! A refund request as v2 shows it.

use kassa_domain::refund::RefundRequest;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use super::super::pagination::Pagination;
use super::super::related::RelatedRowsLookup;
use super::refs::RefundRefs;
use crate::openapi::schema;
use crate::wire::{
    EventRef, IdRef, MoneyBody, OrderRef, PartnerRef, RefundRequestRef, TicketRef, TimeV2, culprits_schema,
    refund_states_schema,
};

/// The policies are all ours: no law stands above them.
const POLICY_NAME: &str = "general";

/// A refund request.
// api-facts §5.3
#[derive(Serialize, ToSchema)]
#[schema(as = RefundRequest)]
pub(super) struct RefundV2Body {
    id: RefundRequestRef,
    #[schema(schema_with = refund_states_schema)]
    status: &'static str,
    /// Whose doing it is.
    #[schema(schema_with = culprits_schema)]
    culprit: &'static str,
    /// What kind of rules it goes by: those of the event, as version 1 shows them.
    #[schema(schema_with = policy_schema)]
    policy: &'static str,
    order: OrderRef,
    event: EventRef,
    /// The organizer, which decides.
    org: PartnerRef,
    /// Who sold.
    vendor: PartnerRef,
    /// Those that are given back.
    tickets: Vec<TicketRef>,
    created_at: TimeV2,
    /// When the customer asked.
    requested_at: TimeV2,
    /// Once it is approved or rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    finished_at: Option<TimeV2>,
    /// What is given back of the nominal price.
    refund_nominal: MoneyBody,
    /// The same as `refund_nominal`, for clients that read it here.
    delta: MoneyBody,
    /// What the customer gets: `refund_nominal`, and what is given back of the extra.
    customer_money: MoneyBody,
}

impl RefundV2Body {
    fn new(request: &RefundRequest) -> Self {
        let back = request.amounts();
        Self {
            id: IdRef(request.id),
            status: request.state().name(),
            culprit: request.culprit.name(),
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
    schema::words([POLICY_NAME]).into()
}

/// A refund request, and what it refers to.
#[derive(Serialize, ToSchema)]
#[schema(as = RefundAnswer)]
pub(super) struct RefundResponse<'a> {
    data: RefundV2Body,
    refs: RefundRefs<'a>,
}

impl<'a> RefundResponse<'a> {
    pub(super) fn new(request: &'a RefundRequest, around: RelatedRowsLookup<'a>) -> Self {
        let refs = RefundRefs::of(std::slice::from_ref(request), around);
        Self { data: RefundV2Body::new(request), refs }
    }
}

/// Refund requests, and what they refer to.
#[derive(Serialize, ToSchema)]
#[schema(as = RefundsAnswer)]
pub(super) struct RefundListResponse<'a> {
    data: Vec<RefundV2Body>,
    refs: RefundRefs<'a>,
    pagination: Pagination,
    /// How many requests there are on all pages.
    total_count: u64,
}

impl<'a> RefundListResponse<'a> {
    pub(super) fn new(
        requests: &'a [RefundRequest],
        around: RelatedRowsLookup<'a>,
        page: Pagination,
        total_count: u64,
    ) -> Self {
        let data = requests.iter().map(RefundV2Body::new).collect();
        Self { data, refs: RefundRefs::of(requests, around), pagination: page, total_count }
    }
}
