//! Refunds for an event that was called off: a job opens a request for every paid order, some orders
//! at a time.
//!
//! No order is missed: an event that is canceled stays so, and no order for it is paid any more. Both are
//! decided over the locked sets of the event, so that the paid orders are all there before the job
//! begins, and it goes through them by id.

use super::request::{RefundRequestDetails, open_request_of};
use crate::context::Context;
use crate::context::command::{COMMAND_ROWS_MAX, Command};
use crate::model::change::ChangeType;
use crate::model::event::{DEFAULT_TICKETS_LIMIT, Event};
use crate::model::job::{Job, JobKind, JobProgress};
use crate::model::order::{Order, OrderLine, OrderStatusKind};
use crate::model::refund::{Culprit, RefundRequest, RefundStatus};
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{EventId, JobId, OrderId};
use crate::view::{ReadSet, View};

/// Leaves the refunds of a canceled event, of which something was sold, to a job.
pub(crate) fn schedule_refunds(event: &Event, cx: &mut Context<'_>, view: &mut View) {
    let id = cx.id_with_tag(event.id.tag());
    view.jobs.put(Job::new(id, event.organizer, JobKind::Refund { event: event.id, after: None }));
}

/// One step of the job.
#[derive(Debug)]
pub struct RefundCanceledEvent {
    /// The job.
    pub job: JobId,
    /// The event.
    pub event: EventId,
    /// The last order that the job had come to when the engine looked.
    pub after: Option<OrderId>,
    /// The paid orders that come next, by id; none when there are no more.
    pub orders: Vec<OrderId>,
}

impl RefundCanceledEvent {
    /// How many orders one step looks after.
    pub const ORDERS_MAX: u32 = COMMAND_ROWS_MAX / (2 * (DEFAULT_TICKETS_LIMIT + 2));
}

impl Command for RefundCanceledEvent {
    type Outcome = JobProgress;

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.orders.extend(&self.orders);
        read_set.open_refunds_of.extend(&self.orders);
        read_set.sets_of.push(self.event);
        read_set.tickets_held_by.extend(&self.orders);
        read_set.events.push(self.event);
        read_set.jobs.push(self.job);
    }

    fn weight(&self) -> u32 {
        COMMAND_ROWS_MAX
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<JobProgress, Refusal> {
        let Some(job) = view.jobs.get(self.job) else { return Ok(JobProgress::Done) };
        let Some(mut job) = job.with_lease(cx.node.number, cx.now) else { return Ok(JobProgress::LeasedElsewhere) };
        let JobKind::Refund { after, .. } = &mut job.kind else { return Err(Refusal::Stale) };
        if *after != self.after {
            // Somebody else has gone on.
            return Ok(JobProgress::HasMore);
        }
        let Some(last) = self.orders.last() else {
            view.jobs.remove(job.id);
            return Ok(JobProgress::Done);
        };
        *after = Some(*last);
        for order in &self.orders {
            let order = view.orders.get(*order).filter(|order| order.state() == OrderStatusKind::Paid);
            let Some(order) = order.cloned() else { continue };
            reassign_to_organizer(&order, cx, view);
            open_for_remaining(&order, cx, view)?;
        }
        view.jobs.put(job);
        Ok(JobProgress::HasMore)
    }
}

/// What customers had asked for, and nobody has begun to pay, is the organizer's doing by now.
fn reassign_to_organizer(order: &Order, cx: &Context<'_>, view: &mut View) {
    let is_theirs = |request: &&RefundRequest| {
        let asked = request.culprit == Culprit::Customer && request.status == RefundStatus::New;
        request.order == order.id && asked
    };
    let theirs: Vec<RefundRequest> = view.refunds.rows().filter(is_theirs).cloned().collect();
    for mut request in theirs {
        let lines: Vec<OrderLine> = request.lines.iter().map(|line| line.line).collect();
        let was = request.clone();
        request.culprit = Culprit::Organizer;
        request.compute_amounts(&lines, order);
        let facts = request.edit_facts(&was);
        cx.state(&mut request, ChangeType::RefundRequestChanged, facts, view);
        view.refunds.put(request);
    }
}

/// Opens a request for the tickets that no other has.
fn open_for_remaining(order: &Order, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
    let lines = order.lines.iter().filter(|line| open_request_of(line.ticket, view).is_none());
    let lines: Vec<OrderLine> = lines.copied().collect();
    if !lines.is_empty() {
        let asked = RefundRequestDetails { culprit: Culprit::Organizer, at: cx.now, reason: None };
        RefundRequest::open(order, &lines, asked, cx, view)?;
    }
    Ok(())
}
