//! How a test shall end.

use super::SaleRows;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::payment::{OrderPayment, PaymentStatus, TestOutcome, TestPlan};
use crate::model::shop::PaymentProvider;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::PaymentId;
use crate::view::{ReadSet, View};

/// Says how a payment that is a test shall end: by whoever has the link of the order, or by its vendor.
#[derive(Debug)]
pub struct PlanTestPayment {
    /// Which.
    pub payment: PaymentId,
    /// Its order.
    pub rows: SaleRows,
    /// How it shall end.
    pub outcome: TestOutcome,
}

impl Command for PlanTestPayment {
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
        let order = view.orders.get(self.rows.order).ok_or(Refusal::NotFound("order"))?;
        permission::write_order(cx.actor, order, false)?;
        let payment = view.payments.get(self.payment).filter(|payment| payment.order == order.id);
        let payment = payment.ok_or(Refusal::NotFound("payment"))?.clone();
        if payment.provider != PaymentProvider::Test || !cx.settings.allow_test_payments {
            return Err(Refusal::PaymentNotOffered);
        }
        if payment.plan.is_some_and(|plan| plan.outcome == self.outcome) {
            return Ok(payment);
        }
        if payment.status != PaymentStatus::Pending {
            return Err(Refusal::PaymentDecided(payment.status));
        }
        let mut after = payment.clone();
        after.plan = Some(TestPlan { outcome: self.outcome, chosen_at: cx.now });
        after.settle(after.test_report(cx.now), &self.rows, cx, view)?;
        Ok(after.store(&payment, cx, view))
    }
}
