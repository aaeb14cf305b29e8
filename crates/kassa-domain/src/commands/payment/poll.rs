//! Looking at payments.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::payment::OrderPayment;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{EventId, PaymentId};
use crate::values::time::Timestamp;
use crate::view::{ReadSet, View};

/// Begins a look at a payment that is due, and says when the next one is: whatever becomes of this one, and of whoever
/// looks, there is another.
#[derive(Debug)]
pub struct ClaimPaymentPoll {
    /// Which.
    pub payment: PaymentId,
    /// Its event.
    pub event: EventId,
    /// When the look was due when somebody noticed.
    pub poll_at: Timestamp,
}

impl Command for ClaimPaymentPoll {
    /// The payment, if nobody else looks at it.
    type Outcome = Option<OrderPayment>;

    const SILENT: Option<&'static str> = Some("when a payment is looked at changes nothing about it");

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.payments.push(self.payment);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Option<OrderPayment>, Refusal> {
        let is_due = |payment: &&OrderPayment| payment.poll_at == Some(self.poll_at) && self.poll_at <= cx.now;
        let Some(mut payment) = view.payments.get(self.payment).filter(is_due).cloned() else { return Ok(None) };
        payment.poll_at = payment.next_poll(cx.now);
        payment.polls = payment.polls.saturating_add(1);
        view.payments.put(payment.clone());
        Ok(Some(payment))
    }
}

/// Has a payment looked at now: somebody has said that there is news. Who that was is all the same: its provider is asked.
#[derive(Debug)]
pub struct HurryPaymentPoll {
    /// Which.
    pub payment: PaymentId,
    /// Its event.
    pub event: EventId,
}

impl Command for HurryPaymentPoll {
    /// Whether its provider can be asked.
    type Outcome = bool;

    const SILENT: Option<&'static str> = Some("when a payment is looked at changes nothing about it");

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.payments.push(self.payment);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<bool, Refusal> {
        let mut payment = view.payments.get(self.payment).ok_or(Refusal::NotFound("payment"))?.clone();
        if !payment.provider.can_be_asked() {
            return Ok(false);
        }
        (payment.poll_at, payment.polls) = (Some(cx.now), 0);
        view.payments.put(payment);
        Ok(true)
    }
}
