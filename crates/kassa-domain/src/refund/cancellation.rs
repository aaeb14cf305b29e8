//! Refunds for an event that was called off: a job opens a request for every paid order, some orders
//! at a time.
//!
//! No order is missed: an event that is canceled stays so, and no order for it is paid any more. Both are
//! decided over the locked sets of the event, so that the paid orders are all there before the job
//! begins, and it goes through them by id.

use super::{Asked, Culprit, RefundRequest, RefundStatus, request_of};
use crate::command::{Command, ROWS_MAX};
use crate::context::Context;
use crate::event::{Event, EventId, TICKETS_LIMIT};
use crate::id::Tag;
use crate::job::{Job, JobId, Progress, Work};
use crate::order::{Line, Order, OrderId, OrderState};
use crate::refusal::Refusal;
use crate::set::Set;
use crate::view::{Needs, View};

/// Leaves the refunds of a canceled event to a job, if anything of it was sold.
pub(crate) fn refund_orders_of(event: &Event, sets: &[Set], cx: &mut Context<'_>, view: &mut View) {
    if sets.iter().any(|set| set.counts.sold > 0) {
        let id = cx.id_under(event.id.tag());
        view.jobs.put(Job::new(id, Work::Refund { event: event.id, after: None }));
    }
}

/// One step of the job.
#[derive(Debug)]
pub struct RefundCanceled {
    /// The job.
    pub job: JobId,
    /// The event.
    pub event: EventId,
    /// The last order that the job had come to when the engine looked.
    pub after: Option<OrderId>,
    /// The paid orders that come next, by id; none when there are no more.
    pub orders: Vec<OrderId>,
}

impl RefundCanceled {
    /// How many orders one step looks after.
    pub const ORDERS_MAX: u32 = ROWS_MAX / (2 * (TICKETS_LIMIT + 2));
}

impl Command for RefundCanceled {
    type Outcome = Progress;

    fn shard(&self) -> Tag {
        self.event.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.orders.extend(&self.orders);
        needs.open_refunds_of.extend(&self.orders);
        needs.sets_of.push(self.event);
        needs.held_by.extend(&self.orders);
        needs.events.push(self.event);
        needs.jobs.push(self.job);
    }

    fn weight(&self) -> u32 {
        ROWS_MAX
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Progress, Refusal> {
        let Some(job) = view.jobs.get(self.job) else { return Ok(Progress::Done) };
        let Some(mut job) = job.leased(cx.node.node, cx.now) else { return Ok(Progress::Elsewhere) };
        let Work::Refund { after, .. } = &mut job.work else { return Err(Refusal::Stale) };
        if *after != self.after {
            // Somebody else has gone on.
            return Ok(Progress::More);
        }
        let Some(last) = self.orders.last() else {
            view.jobs.remove(job.id);
            return Ok(Progress::Done);
        };
        *after = Some(*last);
        for order in &self.orders {
            let order = view.orders.get(*order).filter(|order| order.state() == OrderState::Done);
            let Some(order) = order.cloned() else { continue };
            take_over(&order, cx, view);
            open_for_rest(&order, cx, view)?;
        }
        view.jobs.put(job);
        Ok(Progress::More)
    }
}

/// What customers had asked for, and nobody has begun to pay, is the organizer's doing by now.
fn take_over(order: &Order, cx: &Context<'_>, view: &mut View) {
    let is_theirs = |request: &&RefundRequest| {
        let asked = request.culprit == Culprit::User && request.status == RefundStatus::New;
        request.order == order.id && asked
    };
    let theirs: Vec<RefundRequest> = view.refunds.rows().filter(is_theirs).cloned().collect();
    for mut request in theirs {
        let lines: Vec<Line> = request.lines.iter().map(|line| line.line).collect();
        request.culprit = Culprit::Org;
        request.price(&lines, order);
        request.changed(cx.now);
        view.refunds.put(request);
    }
}

/// Opens a request for the tickets that no other has.
fn open_for_rest(order: &Order, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
    let lines = order.lines.iter().filter(|line| request_of(line.ticket, view).is_none());
    let lines: Vec<Line> = lines.copied().collect();
    if !lines.is_empty() {
        let asked = Asked { culprit: Culprit::Org, at: cx.now, reason: None };
        RefundRequest::open(order, &lines, asked, cx, view)?;
    }
    Ok(())
}
