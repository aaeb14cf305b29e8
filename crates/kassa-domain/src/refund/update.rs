//! The life of a refund request: what the organizer decides.

use super::{Culprit, RefundId, RefundRefusal, RefundRequest, RefundState, RefundStatus};
use crate::command::Command;
use crate::context::Context;
use crate::event::{Event, EventId, ShownStatus, TICKETS_LIMIT};
use crate::id::Tag;
use crate::order::{Order, OrderId};
use crate::patch::Patch;
use crate::permission;
use crate::refusal::Refusal;
use crate::time::Timestamp;
use crate::view::{Needs, View};

/// A step that the organizer may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundStep {
    /// The money is sent.
    InProgress,
    /// The tickets go on sale again.
    Approved,
    /// The order keeps them.
    Rejected,
}

/// Changes a refund request.
#[derive(Clone, Debug)]
pub struct UpdateRefundRequest {
    /// Which.
    pub refund: RefundId,
    /// Its order, which never changes.
    pub order: OrderId,
    /// Its event, which never changes.
    pub event: EventId,
    /// Where it goes.
    pub step: Option<RefundStep>,
    /// A word about it.
    pub reason: Patch<String>,
}

impl Command for UpdateRefundRequest {
    type Outcome = RefundRequest;

    fn shard(&self) -> Tag {
        self.event.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.orders.push(self.order);
        needs.refunds.push(self.refund);
        needs.sets_of.push(self.event);
        needs.held_by.push(self.order);
        needs.events.push(self.event);
    }

    fn weight(&self) -> u32 {
        8 + TICKETS_LIMIT
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<RefundRequest, Refusal> {
        let mut request = view.refunds.get(self.refund).ok_or(Refusal::NotFound("refund request"))?.clone();
        permission::decide_refund(cx.actor, &request)?;
        if self.step.is_none() && !self.reason.is_given() {
            return Ok(request);
        }
        self.reason.clone().apply(&mut request.reason);
        if let Some(step) = self.step {
            request.step(step, cx.now, view)?;
        }
        request.changed(cx.now);
        view.refunds.put(request.clone());
        Ok(request)
    }
}

impl RefundRequest {
    fn step(&mut self, step: RefundStep, now: Timestamp, view: &mut View) -> Result<(), Refusal> {
        let state = self.state();
        match (state, step) {
            (RefundState::New, RefundStep::InProgress) => {
                self.may_be_granted(now, view)?;
                self.status = RefundStatus::InProgress;
                Ok(())
            }
            (RefundState::New, RefundStep::Approved) => {
                self.may_be_granted(now, view)?;
                self.grant(now, view)
            }
            // Whatever has become of the event: the money is the customer's by now.
            (RefundState::InProgress, RefundStep::Approved) => self.grant(now, view),
            (RefundState::New | RefundState::InProgress, RefundStep::Rejected) => {
                self.mark(None, view)?;
                self.status = RefundStatus::Rejected { at: now };
                Ok(())
            }
            (RefundState::Approved | RefundState::Rejected, RefundStep::Approved) => {
                Err(RefundRefusal::Approve(state).into())
            }
            (RefundState::Approved | RefundState::Rejected, RefundStep::Rejected) => {
                Err(RefundRefusal::Reject(self.id).into())
            }
            (RefundState::InProgress | RefundState::Approved | RefundState::Rejected, RefundStep::InProgress) => {
                Err(RefundRefusal::Begin(state).into())
            }
        }
    }

    /// What the organizer is to blame for can be made good at any time. What the customer wants is not
    /// granted once the event is over, and not in its terms once the event was called off.
    fn may_be_granted(&self, now: Timestamp, view: &View) -> Result<(), Refusal> {
        let event: &Event = view.events.get(self.event).ok_or(Refusal::Stale)?;
        match (self.culprit, event.shown_status(now)) {
            (Culprit::User, ShownStatus::Canceled) => Err(RefundRefusal::OrgOnly.into()),
            (Culprit::User, ShownStatus::Finished) => Err(RefundRefusal::Finished.into()),
            (Culprit::User, ShownStatus::StandBy | ShownStatus::Public) | (Culprit::Org, _) => Ok(()),
        }
    }

    fn grant(&mut self, now: Timestamp, view: &mut View) -> Result<(), Refusal> {
        let mut order: Order = view.orders.get(self.order).ok_or(Refusal::Stale)?.clone();
        order.give_back(self, now, view)?;
        view.orders.put(order);
        self.status = RefundStatus::Approved { at: now };
        Ok(())
    }
}
