//! The life of a refund request: what the organizer decides.

use crate::commands::payment::give_back_refund;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::event::{DEFAULT_TICKETS_LIMIT, EffectiveEventStatus, Event};
use crate::model::order::Order;
use crate::model::refund::{Culprit, RefundRequest, RefundStatus, RefundStatusKind};
use crate::permission;
use crate::refusal::{RefundRefusal, Refusal};
use crate::values::id::ShardTag;
use crate::values::patch::Patch;
use crate::values::resource_ids::{EventId, OrderId, RefundId};
use crate::values::time::Timestamp;
use crate::view::{ReadSet, View};

/// A step that the organizer may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundTransition {
    /// The money is sent.
    InProgress,
    /// The tickets go on sale again.
    Approved,
    /// The order keeps them.
    Rejected,
    /// It stays as new as it is: refused once something was decided.
    RemainNew,
}

impl RefundTransition {
    fn target_state(self) -> RefundStatusKind {
        match self {
            Self::InProgress => RefundStatusKind::InProgress,
            Self::Approved => RefundStatusKind::Approved,
            Self::Rejected => RefundStatusKind::Rejected,
            Self::RemainNew => RefundStatusKind::New,
        }
    }
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
    pub transition: Option<RefundTransition>,
    /// A word about it.
    pub reason: Patch<String>,
}

impl Command for UpdateRefundRequest {
    type Outcome = RefundRequest;

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.orders.push(self.order);
        read_set.refunds.push(self.refund);
        read_set.payments_of.push(self.order);
        read_set.sets_of.push(self.event);
        read_set.tickets_held_by.push(self.order);
        read_set.events.push(self.event);
    }

    fn weight(&self) -> u32 {
        8 + DEFAULT_TICKETS_LIMIT
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<RefundRequest, Refusal> {
        let mut request = view.refunds.get(self.refund).ok_or(Refusal::NotFound("refund request"))?.clone();
        permission::decide_refund(cx.actor, &request)?;
        let was = request.clone();
        self.reason.clone().apply(&mut request.reason);
        // What it is already needs no step.
        if let Some(step) = self.transition.filter(|step| step.target_state() != was.state()) {
            request.transition(step, cx, view)?;
        }
        if request != was {
            let (kind, facts) = (request.edit_type(&was), request.edit_facts(&was));
            cx.state(&mut request, kind, facts, view);
            view.refunds.put(request.clone());
        }
        Ok(request)
    }
}

impl RefundRequest {
    fn transition(&mut self, step: RefundTransition, cx: &Context<'_>, view: &mut View) -> Result<(), Refusal> {
        let state = self.state();
        match (state, step) {
            (RefundStatusKind::New, RefundTransition::InProgress) => {
                self.check_grantable(cx.now, view)?;
                self.status = RefundStatus::InProgress;
                Ok(())
            }
            (RefundStatusKind::New, RefundTransition::Approved) => {
                self.check_grantable(cx.now, view)?;
                self.approve(cx, view)
            }
            // Whatever has become of the event: the money is the customer's by now.
            (RefundStatusKind::InProgress, RefundTransition::Approved) => self.approve(cx, view),
            (RefundStatusKind::New | RefundStatusKind::InProgress, RefundTransition::Rejected) => {
                self.mark_tickets(None, view)?;
                self.status = RefundStatus::Rejected { at: cx.now };
                Ok(())
            }
            (RefundStatusKind::Approved | RefundStatusKind::Rejected, RefundTransition::Approved) => {
                Err(RefundRefusal::CannotApprove(state).into())
            }
            (RefundStatusKind::Approved | RefundStatusKind::Rejected, RefundTransition::Rejected) => {
                Err(RefundRefusal::CannotReject(self.id).into())
            }
            (
                RefundStatusKind::InProgress | RefundStatusKind::Approved | RefundStatusKind::Rejected,
                RefundTransition::InProgress,
            ) => Err(RefundRefusal::CannotBeginPayment(state).into()),
            (_, RefundTransition::RemainNew) => Err(RefundRefusal::CannotReopen(state).into()),
        }
    }

    /// What the organizer is to blame for can be made good at any time. What the customer wants is not
    /// granted once the event is over, and not in its terms once the event was called off.
    fn check_grantable(&self, now: Timestamp, view: &View) -> Result<(), Refusal> {
        let event: &Event = view.events.get(self.event).ok_or(Refusal::Stale)?;
        match (self.culprit, event.effective_status(now)) {
            (Culprit::Customer, EffectiveEventStatus::Canceled) => Err(RefundRefusal::OrganizerCulpritOnly.into()),
            (Culprit::Customer, EffectiveEventStatus::Finished) => Err(RefundRefusal::EventFinished.into()),
            (Culprit::Customer, EffectiveEventStatus::StandBy | EffectiveEventStatus::Public)
            | (Culprit::Organizer, _) => Ok(()),
        }
    }

    fn approve(&mut self, cx: &Context<'_>, view: &mut View) -> Result<(), Refusal> {
        let mut order: Order = view.orders.get(self.order).ok_or(Refusal::Stale)?.clone();
        order.return_tickets(self, cx, view)?;
        give_back_refund(&order, self.amounts().total(), cx, view);
        view.orders.put(order);
        self.status = RefundStatus::Approved { at: cx.now };
        Ok(())
    }
}
