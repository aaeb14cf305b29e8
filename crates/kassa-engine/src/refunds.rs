//! Refund requests: what has to be looked up before their commands.

use std::sync::Arc;

use kassa_domain::job::{Job, JobId, JobKind, JobProgress};
use kassa_domain::order::Order;
use kassa_domain::refund::{
    CreateRefundRequest, Culprit, RefundCanceledEvent, RefundId, RefundRefusal, RefundRequest, RefundTickets,
    RefundTransition, UpdateRefundRequest,
};
use kassa_domain::{Patch, ReadSet, Refusal, Timestamp, View};
use kassa_store::PageWindow;
use kassa_store::queries::PaidOrdersFilter;

use crate::caller::{CallerRef, RequestConditions};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::key_or_row::KeyOrRow;

/// A request to give tickets of an order back.
#[derive(Clone, Debug)]
pub struct NewRefundRequest {
    /// Whose tickets.
    pub order: KeyOrRow<Order>,
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
    /// Makes a refund request. The row of its order is not read again before the command if the caller has it.
    pub async fn create_refund<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        request: NewRefundRequest,
        render: impl Fn(&View, &RefundRequest) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let NewRefundRequest { order, culprit, tickets, requested_at, reason } = request;
        let by = by.into();
        // An order never changes its event.
        let (order, event) = match order {
            KeyOrRow::Row(order) => (order.id, order.event),
            KeyOrRow::Key(order) => {
                let read_set = ReadSet { orders: vec![order], ..ReadSet::default() };
                let (view, held) = self.view_with_precondition(by, read_set).await?;
                let found = view.orders.get(order).ok_or_else(|| RefundRefusal::OrderUnknown(order).into());
                (order, RequestConditions::apply_precondition(found, held)?.event)
            }
        };
        let command = CreateRefundRequest { order, event, culprit, tickets, requested_at, reason };
        self.execute(by, command, render).await
    }

    /// Changes a refund request, likewise.
    pub async fn update_refund<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        refund: impl Into<KeyOrRow<RefundRequest>>,
        transition: Option<RefundTransition>,
        reason: Patch<String>,
        render: impl Fn(&View, &RefundRequest) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let found = match refund.into() {
            KeyOrRow::Row(found) => found,
            KeyOrRow::Key(id) => Arc::new(self.refund(id).await?.ok_or(Refusal::NotFound("refund request"))?),
        };
        // A request never changes its order and its event.
        let RefundRequest { id: refund, order, event, .. } = *found;
        let command = UpdateRefundRequest { refund, order, event, transition, reason };
        self.execute(by, command, render).await
    }

    /// A refund request, whoever asks.
    pub async fn refund(&self, id: RefundId) -> Result<Option<RefundRequest>, Failure> {
        let view = self.view(&ReadSet { refunds: vec![id], ..ReadSet::default() }).await?;
        Ok(view.refunds.into_row(id))
    }

    /// The next step of the job that refunds a canceled event, after the order that it has reached.
    pub(crate) async fn refund_next_orders(&self, by: CallerRef<'_>, job: JobId) -> Result<JobProgress, Failure> {
        let view = self.view(&ReadSet { jobs: vec![job], ..ReadSet::default() }).await?;
        let Some(&Job { kind: JobKind::Refund { event, after }, .. }) = view.jobs.get(job) else {
            return Ok(JobProgress::Done);
        };
        let next =
            self.page(PaidOrdersFilter { event, after }, PageWindow::first(RefundCanceledEvent::ORDERS_MAX)).await?;
        let orders = next.rows.iter().map(|order| order.id).collect();
        let command = RefundCanceledEvent { job, event, after, orders };
        self.execute(by, command, |_, progress| *progress).await
    }
}
