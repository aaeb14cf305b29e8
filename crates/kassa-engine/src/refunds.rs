//! Refund requests: what has to be looked up before their commands.

use kassa_domain::job::{Job, JobId, Progress, Work};
use kassa_domain::order::OrderId;
use kassa_domain::refund::{
    CreateRefundRequest, Culprit, RefundCanceled, RefundId, RefundOf, RefundRefusal, RefundRequest, RefundStep,
    UpdateRefundRequest,
};
use kassa_domain::{Actor, Needs, Patch, Refusal, Timestamp, View};
use kassa_store::Slice;
use kassa_store::queries::PaidOrders;

use crate::{By, Conditions, Engine, Failure};

/// A wish to give tickets of an order back.
#[derive(Clone, Debug)]
pub struct RefundWish {
    /// Whose tickets.
    pub order: OrderId,
    /// Whose doing it is.
    pub culprit: Culprit,
    /// Which tickets.
    pub tickets: RefundOf,
    /// When the customer asked, if not now.
    pub requested_at: Option<Timestamp>,
    /// A word about it.
    pub reason: Option<String>,
}

impl Engine {
    /// Makes a refund request.
    pub async fn create_refund<R: Send + 'static>(
        &self,
        by: impl Into<By<'_>>,
        wish: RefundWish,
        render: impl Fn(&View, &RefundRequest) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let RefundWish { order, culprit, tickets, requested_at, reason } = wish;
        let by = by.into();
        let (view, held) = self.view_before(by, Needs { orders: vec![order], ..Needs::default() }).await?;
        let found = view.orders.get(order).ok_or_else(|| RefundRefusal::OrderUnknown(order).into());
        // An order never changes its event.
        let event = Conditions::judge(found, held)?.event;
        let command = CreateRefundRequest { order, event, culprit, tickets, requested_at, reason };
        self.execute(by, command, render).await
    }

    /// Changes a refund request.
    pub async fn update_refund<R: Send + 'static>(
        &self,
        by: impl Into<By<'_>>,
        refund: RefundId,
        (step, reason): (Option<RefundStep>, Patch<String>),
        render: impl Fn(&View, &RefundRequest) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let view = self.view(&Needs { refunds: vec![refund], ..Needs::default() }).await?;
        let found = view.refunds.get(refund).ok_or(Refusal::NotFound("refund request"))?;
        let command = UpdateRefundRequest { refund, order: found.order, event: found.event, step, reason };
        self.execute(by, command, render).await
    }

    /// The next step of the job that refunds a canceled event, behind the order that it has come to.
    pub(crate) async fn refund_canceled(&self, job: JobId) -> Result<Progress, Failure> {
        let view = self.view(&Needs { jobs: vec![job], ..Needs::default() }).await?;
        let Some(&Job { work: Work::Refund { event, after }, .. }) = view.jobs.get(job) else {
            return Ok(Progress::Done);
        };
        let next = self.page(PaidOrders { event, after }, Slice::first(RefundCanceled::ORDERS_MAX)).await?;
        let orders = next.rows.iter().map(|order| order.id).collect();
        let command = RefundCanceled { job, event, after, orders };
        self.execute(&Actor::System, command, |_, progress| *progress).await
    }
}
