//! A refund request as v1 shows it.

use kassa_domain::order::PaymentSystem;
use kassa_domain::refund::{Back, RefundLine, RefundRequest};
use serde::Serialize;
use utoipa::ToSchema;

use super::policy::PolicyBody;
use crate::v1::orders::model::payment_system;
use crate::wire::{
    EventRef, OrderRef, PartnerRef, Price, Ref, RefundRef, SetRef, TicketRef, Time, culprits, refund_states,
};

/// A refund request.
// api-facts §3.11
#[derive(Serialize, ToSchema)]
#[schema(as = RefundRequest)]
pub(crate) struct RefundBody<'a> {
    id: RefundRef,
    order: OrderRef,
    event: EventRef,
    /// The organizer, which decides.
    org: PartnerRef,
    /// Who sold.
    vendor: PartnerRef,
    /// Whose doing it is.
    #[schema(schema_with = culprits)]
    culprit: &'static str,
    #[schema(schema_with = refund_states)]
    status: &'static str,
    /// The other tickets that the order had when the request was made.
    tickets: Vec<TicketRef>,
    /// Those that are given back.
    tickets_refund: Vec<TicketRef>,
    /// What the customer gets.
    value: Price,
    values: RefundValues,
    /// What is given back for each ticket.
    lines: Vec<RefundLineBody>,
    /// The policy at sale.
    policy: PolicyBody,
    #[schema(schema_with = payment_system)]
    payment_system: Option<&'static str>,
    reason: Option<&'a str>,
    /// When the customer asked.
    requested_at: Time,
    /// When it was approved or rejected.
    finished_at: Option<Time>,
    created_at: Time,
    updated_at: Time,
}

/// What is given back: `nominal + extra`, which is `org + agent + core`.
#[derive(Serialize, ToSchema)]
struct RefundValues {
    /// What was paid for the tickets.
    paid: Price,
    /// Of the price without the extra.
    nominal: Price,
    extra: Price,
    /// What the organizer gives.
    org: Price,
    /// What the agent gives.
    agent: Price,
    /// What the platform gives.
    core: Price,
}

/// What is given back for a ticket.
#[derive(Serialize, ToSchema)]
#[schema(as = RefundLine)]
struct RefundLineBody {
    ticket: TicketRef,
    set: SetRef,
    value: Price,
    values: RefundValues,
}

impl RefundValues {
    fn new(paid: kassa_domain::Money, back: &Back) -> Self {
        Self {
            paid: Price(paid),
            nominal: Price(back.nominal),
            extra: Price(back.extra),
            org: Price(back.org),
            agent: Price(back.agent()),
            core: Price(back.core),
        }
    }
}

impl RefundLineBody {
    fn new(RefundLine { line, back }: &RefundLine) -> Self {
        Self {
            ticket: Ref(line.ticket),
            set: Ref(line.set),
            value: Price(back.value()),
            values: RefundValues::new(line.price.full(), back),
        }
    }
}

impl<'a> RefundBody<'a> {
    pub(crate) fn new(request: &'a RefundRequest) -> Self {
        let back = request.back();
        Self {
            id: Ref(request.id),
            order: Ref(request.order),
            event: Ref(request.event),
            org: Ref(request.org),
            vendor: Ref(request.vendor),
            culprit: request.culprit.name(),
            status: request.state().name(),
            tickets: request.rest.iter().copied().map(Ref).collect(),
            tickets_refund: request.tickets().map(Ref).collect(),
            value: Price(back.value()),
            values: RefundValues::new(request.paid(), &back),
            lines: request.lines.iter().map(RefundLineBody::new).collect(),
            policy: request.policy.into(),
            payment_system: request.payment_system.map(PaymentSystem::name),
            reason: request.reason.as_deref(),
            requested_at: Time(request.requested_at),
            finished_at: request.finished_at().map(Time),
            created_at: Time(request.created_at),
            updated_at: Time(request.updated_at),
        }
    }
}
