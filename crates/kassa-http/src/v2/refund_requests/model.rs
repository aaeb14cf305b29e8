//! A refund request as v2 shows it.

use kassa_domain::refund::RefundRequest;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use super::super::around::Around;
use super::super::page::Pagination;
use super::refs::RefundRefs;
use crate::openapi::schema;
use crate::wire::{EventRef, Moment, OrderRef, PartnerRef, Price, Ref, RefundRef, TicketRef, culprits, refund_states};

/// The policies are all ours: no law stands above them.
const POLICY: &str = "general";

/// A refund request.
// api-facts §5.3
#[derive(Serialize, ToSchema)]
#[schema(as = RefundRequest)]
pub(super) struct RefundBody {
    id: RefundRef,
    #[schema(schema_with = refund_states)]
    status: &'static str,
    /// Whose doing it is.
    #[schema(schema_with = culprits)]
    culprit: &'static str,
    /// What kind of rules it goes by: those of the event, as version 1 shows them.
    #[schema(schema_with = policy)]
    policy: &'static str,
    order: OrderRef,
    event: EventRef,
    /// The organizer, which decides.
    org: PartnerRef,
    /// Who sold.
    vendor: PartnerRef,
    /// Those that are given back.
    tickets: Vec<TicketRef>,
    created_at: Moment,
    /// When the customer asked.
    requested_at: Moment,
    /// Once it is approved or rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    finished_at: Option<Moment>,
    /// What is given back of the nominal price.
    refund_nominal: Price,
    /// The same as `refund_nominal`, for clients that read it here.
    delta: Price,
    /// What the customer gets: `refund_nominal`, and what is given back of the extra.
    customer_money: Price,
}

impl RefundBody {
    fn new(request: &RefundRequest) -> Self {
        let back = request.back();
        Self {
            id: Ref(request.id),
            status: request.state().name(),
            culprit: request.culprit.name(),
            policy: POLICY,
            order: Ref(request.order),
            event: Ref(request.event),
            org: Ref(request.org),
            vendor: Ref(request.vendor),
            tickets: request.tickets().map(Ref).collect(),
            created_at: Moment(request.created_at),
            requested_at: Moment(request.requested_at),
            finished_at: request.finished_at().map(Moment),
            refund_nominal: Price(back.nominal),
            delta: Price(back.nominal),
            customer_money: Price(back.value()),
        }
    }
}

fn policy() -> RefOr<Schema> {
    schema::words([POLICY]).into()
}

/// A refund request, and what it refers to.
#[derive(Serialize, ToSchema)]
#[schema(as = RefundAnswer)]
pub(super) struct RefundAnswer<'a> {
    data: RefundBody,
    refs: RefundRefs<'a>,
}

impl<'a> RefundAnswer<'a> {
    pub(super) fn new(request: &'a RefundRequest, around: Around<'a>) -> Self {
        let refs = RefundRefs::of(std::slice::from_ref(request), around);
        Self { data: RefundBody::new(request), refs }
    }
}

/// Refund requests, and what they refer to.
#[derive(Serialize, ToSchema)]
#[schema(as = RefundsAnswer)]
pub(super) struct RefundsAnswer<'a> {
    data: Vec<RefundBody>,
    refs: RefundRefs<'a>,
    pagination: Pagination,
    /// How many requests there are on all pages.
    total_count: u64,
}

impl<'a> RefundsAnswer<'a> {
    pub(super) fn new(requests: &'a [RefundRequest], around: Around<'a>, page: Pagination, total_count: u64) -> Self {
        let data = requests.iter().map(RefundBody::new).collect();
        Self { data, refs: RefundRefs::of(requests, around), pagination: page, total_count }
    }
}
