//! The page of a provider where a customer pays.

use crate::context::Context;
use crate::context::command::Command;
use crate::model::payment::OrderPayment;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{EventId, PaymentId};
use crate::view::{ReadSet, View};

/// Notes what the provider calls the page of a payment, before the customer is sent there: from then on the provider can be
/// asked what came of it. The first one stays.
#[derive(Debug)]
pub struct RecordCheckout {
    /// Which payment.
    pub payment: PaymentId,
    /// Its event.
    pub event: EventId,
    /// What the provider calls it.
    pub checkout: String,
}

impl Command for RecordCheckout {
    /// The payment as it is now.
    type Outcome = OrderPayment;

    const SILENT: Option<&'static str> = Some("what the provider calls a page says nothing to those who follow");

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.payments.push(self.payment);
    }

    fn decide(&self, _: &mut Context<'_>, view: &mut View) -> Result<OrderPayment, Refusal> {
        let mut payment = view.payments.get(self.payment).ok_or(Refusal::NotFound("payment"))?.clone();
        if payment.checkout.is_none() {
            payment.checkout = Some(self.checkout.clone());
            view.payments.put(payment.clone());
        }
        Ok(payment)
    }
}
