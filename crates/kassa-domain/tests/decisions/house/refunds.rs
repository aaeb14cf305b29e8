//! What is given back in the house.

use kassa_domain::event::EventPatch;
use kassa_domain::job::{JobKind, JobProgress};
use kassa_domain::order::{OrderId, OrderStatusKind};
use kassa_domain::refund::{
    CreateRefundRequest, Culprit, RefundCanceledEvent, RefundId, RefundPolicyPatch, RefundRequest, RefundTickets,
    RefundTransition, UpdateRefundRequest,
};
use kassa_domain::ticket::TicketId;
use kassa_domain::{Actor, Patch, Percent, Refusal, Window};

use super::House;

const DAY_MINUTES: u32 = 24 * 60;

impl House {
    /// The event starts in so many days, and is over two days later.
    pub(crate) fn start_in_days(&mut self, days: u32) {
        let start = self.now.plus_minutes(days * DAY_MINUTES);
        let lifetime = Window { start, finish: Some(start.plus_minutes(2 * DAY_MINUTES)) };
        self.change_event(|event: &mut EventPatch| event.lifetime = Patch::Set(lifetime)).expect("the event moves");
    }

    pub(crate) fn pass_days(&mut self, days: u32) {
        self.pass_minutes(days * DAY_MINUTES);
    }

    /// A wish for tickets of an order, by a caller.
    pub(crate) fn ask_as(
        &mut self,
        actor: &Actor,
        order: OrderId,
        (culprit, tickets): (Culprit, RefundTickets),
    ) -> Result<RefundRequest, Refusal> {
        let event = self.found(order).event;
        let command = CreateRefundRequest { order, event, culprit, tickets, requested_at: None, reason: None };
        self.give(actor, &command)
    }

    /// A wish for certain tickets of an order, by the organizer.
    pub(crate) fn ask(
        &mut self,
        order: OrderId,
        culprit: Culprit,
        tickets: &[TicketId],
    ) -> Result<RefundRequest, Refusal> {
        self.ask_as(&self.organizer(), order, (culprit, RefundTickets::Tickets(tickets.to_vec())))
    }

    /// A request for all tickets of an order, by the organizer.
    pub(crate) fn ask_for_all(&mut self, order: OrderId, culprit: Culprit) -> RefundId {
        let all = RefundTickets::AllExcept(Vec::new());
        self.ask_as(&self.organizer(), order, (culprit, all)).expect("a request is made").id
    }

    /// What a caller decides.
    pub(crate) fn decide_as(
        &mut self,
        actor: &Actor,
        refund: RefundId,
        step: RefundTransition,
    ) -> Result<RefundRequest, Refusal> {
        let RefundRequest { order, event, .. } = *self.request(refund);
        let command = UpdateRefundRequest { refund, order, event, transition: Some(step), reason: Patch::Keep };
        self.give(actor, &command)
    }

    /// What the organizer decides.
    pub(crate) fn decide_on(&mut self, refund: RefundId, step: RefundTransition) -> Result<RefundRequest, Refusal> {
        self.decide_as(&self.organizer(), refund, step)
    }

    pub(crate) fn request(&self, refund: RefundId) -> &RefundRequest {
        self.view.refunds.get(refund).expect("the request is there")
    }

    /// All requests, by id.
    pub(crate) fn requests(&self) -> Vec<RefundRequest> {
        let mut requests: Vec<RefundRequest> = self.view.refunds.rows().cloned().collect();
        requests.sort_unstable_by_key(|request| request.id);
        requests
    }

    /// What the event keeps of tickets that are given back, in percents.
    pub(crate) fn keep_percent(&mut self, percent: i64) {
        let kept = Patch::Set(Percent::from_percent(percent));
        self.set_policy(RefundPolicyPatch { retained: kept, ..RefundPolicyPatch::default() });
    }

    pub(crate) fn set_policy(&mut self, policy: RefundPolicyPatch) {
        self.change_event(|event| event.details.refund_policy = Patch::Set(policy)).expect("the policy changes");
    }

    /// The next step of the job of a canceled event: so many paid orders behind the last.
    pub(crate) fn cancellation_step(&self, orders_max: usize) -> Option<RefundCanceledEvent> {
        let mut jobs = self.view.jobs.rows().filter_map(|job| match job.kind {
            JobKind::Refund { event, after } => Some((job.id, event, after)),
            JobKind::Resize { .. } => None,
        });
        let (job, event, after) = jobs.next()?;
        let is_next = |order: &&kassa_domain::order::Order| {
            order.event == event && order.state() == OrderStatusKind::Paid && Some(order.id) > after
        };
        let mut orders: Vec<OrderId> = self.view.orders.rows().filter(is_next).map(|order| order.id).collect();
        orders.sort_unstable();
        orders.truncate(orders_max);
        Some(RefundCanceledEvent { job, event, after, orders })
    }

    /// Takes the steps of the job until it is done.
    pub(crate) fn work_on_cancellation(&mut self, orders_max: usize) {
        while let Some(step) = self.cancellation_step(orders_max) {
            let is_last = step.orders.is_empty();
            let progress = self.give(&Actor::System, &step).expect("a step is never refused");
            assert_eq!(progress == JobProgress::Done, is_last);
        }
    }
}
