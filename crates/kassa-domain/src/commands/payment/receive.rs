//! Money that somebody says has come.

use super::SaleRows;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::payment::{OrderPayment, PaymentReport};
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::money::Money;
use crate::values::resource_ids::PaymentId;
use crate::view::{ReadSet, View};

/// The most that one payment takes in: a hundred times what the dearest ticket costs.
const RECEIVED_MAX: Money = Money::from_minor(100 * Money::PRICE_MAX.minor());

/// Notes that money of a payment has come: by the vendor, who has found it in a statement, or was given it.
#[derive(Debug)]
pub struct ReceivePayment {
    /// Which.
    pub payment: PaymentId,
    /// Its order.
    pub rows: SaleRows,
    /// How much more has come; without it, all that is missing.
    pub amount: Option<Money>,
}

impl Command for ReceivePayment {
    type Outcome = OrderPayment;

    fn shard(&self) -> ShardTag {
        self.rows.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        self.rows.read_set(read_set);
        read_set.payments.push(self.payment);
    }

    fn weight(&self) -> u32 {
        self.rows.weight()
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<OrderPayment, Refusal> {
        let payment = permission::handle_money(cx.actor, self.rows.order, self.payment, view)?.clone();
        if payment.provider.can_be_asked() {
            return Err(Refusal::PaymentByProvider);
        }
        let amount = self.amount.unwrap_or(payment.missing());
        if amount <= Money::ZERO {
            return Err(Refusal::PaymentAmount);
        }
        let total = payment.received + amount;
        if total > RECEIVED_MAX {
            return Err(Refusal::PaymentAmount);
        }
        let mut after = payment.clone();
        after.settle(PaymentReport::Received(total), &self.rows, cx, view)?;
        Ok(after.store(&payment, cx, view))
    }
}
