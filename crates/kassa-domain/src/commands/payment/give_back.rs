//! Money on its way back.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::order::Order;
use crate::model::payment::{OrderPayment, PaymentReason, PaymentStatus};
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::money::Money;
use crate::values::resource_ids::{EventId, OrderId, PaymentId};
use crate::view::{ReadSet, View};

/// How much has gone back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaymentReturn {
    /// So much in all, as the provider says: the same may be said twice.
    Total(Money),
    /// So much more, as the vendor says; without an amount, all that is to go back.
    More(Option<Money>),
}

/// Notes that money of a payment has gone back: by the server, which has asked the provider to send it, or by the vendor.
#[derive(Debug)]
pub struct RecordPaymentReturn {
    /// Which.
    pub payment: PaymentId,
    /// Its order.
    pub order: OrderId,
    /// Its event.
    pub event: EventId,
    /// How much.
    pub returned: PaymentReturn,
}

impl Command for RecordPaymentReturn {
    type Outcome = OrderPayment;

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.orders.push(self.order);
        read_set.payments.push(self.payment);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<OrderPayment, Refusal> {
        let payment = permission::give_money_back(cx.actor, self.order, self.payment, view)?.clone();
        let more = match self.returned {
            PaymentReturn::Total(total) => (total - payment.returned).max(Money::ZERO),
            PaymentReturn::More(_) if payment.provider.can_be_asked() => return Err(Refusal::PaymentByProvider),
            PaymentReturn::More(amount) => amount.unwrap_or(payment.to_return()),
        };
        if more == Money::ZERO && matches!(self.returned, PaymentReturn::Total(_)) {
            return Ok(payment);
        }
        if more <= Money::ZERO || payment.to_return() < more {
            return Err(Refusal::PaymentAmount);
        }
        let mut after = payment.clone();
        after.returned += more;
        if after.unused() == Money::ZERO {
            after.status = if after.used > Money::ZERO { PaymentStatus::Paid } else { PaymentStatus::Returned };
        }
        Ok(after.store(&payment, cx, view))
    }
}

/// Tickets of a paid order were given back: so much of its money goes back, by the payment that has bought them. The view
/// has all payments of the order.
pub(crate) fn give_back_refund(order: &Order, amount: Money, cx: &Context<'_>, view: &mut View) {
    let has_bought = |payment: &&OrderPayment| payment.order == order.id && payment.used > Money::ZERO;
    let Some(was) = view.payments.rows().find(has_bought).cloned() else { return };
    let mut after = was.clone();
    after.used = (was.used - amount).max(Money::ZERO);
    if after.unused() > Money::ZERO {
        after.rest(PaymentReason::Refund);
    }
    after.store(&was, cx, view);
}
