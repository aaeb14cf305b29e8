//! Refund requests: what has to be looked up before their commands.

use kassa_domain::job::{Job, JobId, JobKind, JobProgress};
use kassa_domain::order::OrderId;
use kassa_domain::refund::{
    CreateRefundRequest, Culprit, RefundCanceledEvent, RefundId, RefundRefusal, RefundRequest, RefundTickets,
    RefundTransition, UpdateRefundRequest,
};
use kassa_domain::{Actor, Patch, ReadSet, Refusal, Timestamp, View};
use kassa_store::PageWindow;
use kassa_store::queries::PaidOrdersFilter;

use crate::caller::{CallerRef, RequestConditions};
use crate::engine::Engine;
use crate::failure::Failure;

/// A request to give tickets of an order back.
#[derive(Clone, Debug)]
pub struct NewRefundRequest {
    /// Whose tickets.
    pub order: OrderId,
    /// Who caused it.
    pub culprit: Culprit,
    /// Which tickets.
    pub tickets: RefundTickets,
    /// When the customer asked, if not now.
    pub requested_at: Option<Timestamp>,
    /// A note about it.
    pub reason: Option<String>,
}

impl Engine {
    /// Makes a refund request.
    pub async fn create_refund<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        request: NewRefundRequest,
        render: impl Fn(&View, &RefundRequest) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let NewRefundRequest { order, culprit, tickets, requested_at, reason } = request;
        let by = by.into();
        let (view, held) =
            self.view_with_precondition(by, ReadSet { orders: vec![order], ..ReadSet::default() }).await?;
        let found = view.orders.get(order).ok_or_else(|| RefundRefusal::OrderUnknown(order).into());
        // An order never changes its event.
        let event = RequestConditions::apply_precondition(found, held)?.event;
        let command = CreateRefundRequest { order, event, culprit, tickets, requested_at, reason };
        self.execute(by, command, render).await
    }

    /// Changes a refund request.
    pub async fn update_refund<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        refund: RefundId,
        transition: Option<RefundTransition>,
        reason: Patch<String>,
        render: impl Fn(&View, &RefundRequest) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let view = self.view(&ReadSet { refunds: vec![refund], ..ReadSet::default() }).await?;
        let found = view.refunds.get(refund).ok_or(Refusal::NotFound("refund request"))?;
        let command = UpdateRefundRequest { refund, order: found.order, event: found.event, transition, reason };
        self.execute(by, command, render).await
    }

    /// The next step of the job that refunds a canceled event, after the order that it has reached.
    pub(crate) async fn refund_next_orders(&self, job: JobId) -> Result<JobProgress, Failure> {
        let view = self.view(&ReadSet { jobs: vec![job], ..ReadSet::default() }).await?;
        let Some(&Job { kind: JobKind::Refund { event, after }, .. }) = view.jobs.get(job) else {
            return Ok(JobProgress::Done);
        };
        let next =
            self.page(PaidOrdersFilter { event, after }, PageWindow::first(RefundCanceledEvent::ORDERS_MAX)).await?;
        let orders = next.rows.iter().map(|order| order.id).collect();
        let command = RefundCanceledEvent { job, event, after, orders };
        self.execute(&Actor::System, command, |_, progress| *progress).await
    }
}
