//! A refund request as v1 shows it.

use kassa_domain::refund::{RefundAmounts, RefundLine, RefundRequest};

use crate::route::ResourceKind;
use crate::v1::orders::statuses::payment_system_schema;
use crate::v1::refund_policy::RefundPolicyBody;
use crate::wire::{
    CULPRITS, EventRef, IdRef, MoneyBody, OrderRef, PAYMENT_SYSTEMS, PartnerRef, REFUND_STATUSES, RefundRequestRef,
    SetRef, TicketRef, Time, WireField, culprits_schema, refund_states_schema, wire_form,
};

wire_form! {
    /// A refund request.
    #[schema(as = RefundRequest)]
    pub(crate) struct RefundBody<'a> {
        /// The id of the request.
        id: RefundRequestRef,
        /// The order that tickets are returned from.
        order: OrderRef,
        /// The event that the tickets are for.
        event: EventRef,
        /// The organizer, which decides.
        org: PartnerRef,
        /// The partner that sold the tickets.
        vendor: PartnerRef,
        #[schema(schema_with = culprits_schema)]
        culprit: &'static str,
        #[schema(schema_with = refund_states_schema)]
        status: &'static str,
        /// The tickets that the order keeps.
        tickets: Vec<TicketRef>,
        /// The tickets that are returned.
        tickets_refund: Vec<TicketRef>,
        /// What the customer gets back.
        value: MoneyBody,
        /// What is paid back, and by whom.
        values: RefundValuesBody,
        /// The same for each ticket.
        lines: Vec<RefundLineBody>,
        /// The refund policy, as it was when the order was made.
        policy: RefundPolicyBody,
        #[schema(schema_with = payment_system_schema)]
        payment_system: Option<&'static str>,
        /// Why, in the caller's own words; `null` if nothing was said.
        reason: Option<&'a str>,
        /// When the customer asked.
        requested_at: Time,
        /// When it was approved or rejected; `null` while it is open.
        finished_at: Option<Time>,
        /// When it was created.
        created_at: Time,
        /// When it was last changed.
        updated_at: Time,
    }
}

pub(crate) static REFUND_REQUEST: ResourceKind = ResourceKind::new("refund_request", RefundBody::KIND);

wire_form! {
    /// What is paid back: `nominal + extra`, which is `org + agent + core`.
    #[schema(as = RefundValues)]
    struct RefundValuesBody {
        /// What was paid for the tickets.
        paid: MoneyBody,
        /// What is paid back of the price after discounts.
        nominal: MoneyBody,
        /// What is paid back of the agent's extra.
        extra: MoneyBody,
        /// What the organizer pays back.
        org: MoneyBody,
        /// What the agent pays back.
        agent: MoneyBody,
        /// What the platform pays back.
        core: MoneyBody,
    }
}

wire_form! {
    /// What is paid back for one ticket.
    #[schema(as = RefundLine)]
    struct RefundLineBody {
        /// The ticket that is returned.
        ticket: TicketRef,
        /// The set that it is in.
        set: SetRef,
        /// What the customer gets back for it.
        value: MoneyBody,
        /// What is paid back for it, and by whom.
        values: RefundValuesBody,
    }
}

impl RefundValuesBody {
    fn new(paid: kassa_domain::Money, back: &RefundAmounts) -> Self {
        Self {
            paid: MoneyBody(paid),
            nominal: MoneyBody(back.nominal),
            extra: MoneyBody(back.surcharge),
            org: MoneyBody(back.organizer),
            agent: MoneyBody(back.agent()),
            core: MoneyBody(back.platform),
        }
    }
}

impl RefundLineBody {
    fn new(RefundLine { line, amounts: back }: &RefundLine) -> Self {
        Self {
            ticket: IdRef(line.ticket),
            set: IdRef(line.set),
            value: MoneyBody(back.total()),
            values: RefundValuesBody::new(line.price.full(), back),
        }
    }
}

impl<'a> RefundBody<'a> {
    pub(crate) fn new(request: &'a RefundRequest) -> Self {
        let back = request.amounts();
        Self {
            id: IdRef(request.id),
            order: IdRef(request.order),
            event: IdRef(request.event),
            org: IdRef(request.organizer),
            vendor: IdRef(request.vendor),
            culprit: CULPRITS.name(request.culprit),
            status: REFUND_STATUSES.name(request.state()),
            tickets: request.other_tickets.iter().copied().map(IdRef).collect(),
            tickets_refund: request.tickets().map(IdRef).collect(),
            value: MoneyBody(back.total()),
            values: RefundValuesBody::new(request.paid(), &back),
            lines: request.lines.iter().map(RefundLineBody::new).collect(),
            policy: request.policy.into(),
            payment_system: request.payment_system.map(|system| PAYMENT_SYSTEMS.name(system)),
            reason: request.reason.as_deref(),
            requested_at: Time(request.requested_at),
            finished_at: request.finished_at().map(Time),
            created_at: Time(request.created_at),
            updated_at: Time(request.updated_at),
        }
    }
}
