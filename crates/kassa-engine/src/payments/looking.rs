//! Looking at payments that are due: providers are asked how they are, and send back what bought nothing.

use futures_util::future::join_all;
use kassa_domain::Actor;
use kassa_domain::partner::Shop;
use kassa_domain::payment::{
    ClaimPaymentPoll, OrderPayment, PaymentNews, PaymentProvider, PaymentReport, PaymentReturn, PaymentStatus,
    RecordPaymentReturn,
};
use kassa_store::PageWindow;
use kassa_store::queries::DuePayments;

use super::provider::{ByHand, NextStep, PaymentFault, ProviderClient, RefundState, TestProvider, next_step};
use crate::engine::Engine;
use crate::failure::Failure;

/// Payments that are looked at side by side.
const PAYMENTS_AT_ONCE: u32 = 50;

impl Engine {
    /// What the customer of a payment does next.
    pub fn next_step(&self, payment: &OrderPayment, shop: &Shop) -> NextStep {
        next_step(payment, shop)
    }

    /// Whoever takes the money of a payment.
    async fn provider_of(&self, payment: &OrderPayment) -> Result<Box<dyn ProviderClient>, PaymentFault> {
        Ok(match payment.provider {
            PaymentProvider::Test => Box::new(TestProvider),
            PaymentProvider::Transfer | PaymentProvider::Door => Box::new(ByHand),
            PaymentProvider::Stripe => Box::new(self.stripe_of(payment.vendor).await?),
        })
    }

    /// Looks at all payments that are due, and returns how many.
    pub async fn look_at_payments(&self) -> Result<u64, Failure> {
        let mut total = 0;
        loop {
            let due = DuePayments { now: self.now() };
            let page = self.page(due, PageWindow::first(PAYMENTS_AT_ONCE)).await?.rows;
            let is_full = page.len() == PAYMENTS_AT_ONCE as usize;
            let looks = join_all(page.iter().map(|payment| self.look_at(payment))).await;
            let mut looked = 0;
            for look in looks {
                looked += u64::from(look?);
            }
            total += looked;
            // Those that others look at are due no more.
            if !is_full || looked == 0 {
                return Ok(total);
            }
        }
    }

    /// Looks at a payment that is due, unless somebody else does.
    async fn look_at(&self, payment: &OrderPayment) -> Result<bool, Failure> {
        let Some(poll_at) = payment.poll_at else { return Ok(false) };
        let claim = ClaimPaymentPoll { payment: payment.id, event: payment.event, poll_at };
        let claimed = self.execute(&Actor::System, claim, |_, claimed| claimed.clone()).await?;
        let Some(payment) = claimed else { return Ok(false) };
        if payment.status == PaymentStatus::Returning {
            self.send_back(&payment).await?;
        } else {
            self.ask_for(&payment).await?;
        }
        Ok(true)
    }

    /// Asks how a payment is, and notes what follows. Where there is no answer, the next look asks again.
    async fn ask_for(&self, payment: &OrderPayment) -> Result<(), Failure> {
        let state = match self.provider_of(payment).await {
            Ok(provider) => provider.state(payment, self.now()).await,
            Err(fault) => Err(fault),
        };
        match state {
            Ok(PaymentReport::Nothing) if self.now() < payment.due_at => Ok(()),
            Ok(report) => {
                let news = PaymentNews::Report(report);
                self.settle_payment(&Actor::System, payment.order, payment.id, news, |_, _| ()).await
            }
            Err(fault) => {
                tracing::warn!(payment = %payment.id, %fault, "a payment is not known; it is asked for again");
                Ok(())
            }
        }
    }

    /// Has money sent back. Until that is noted, the same money has the same key.
    async fn send_back(&self, payment: &OrderPayment) -> Result<(), Failure> {
        let (amount, key) = (payment.to_return(), format!("{}-{}", payment.id, payment.returned.minor()));
        let refund = match self.provider_of(payment).await {
            Ok(provider) => provider.refund(payment, amount, &key).await,
            Err(fault) => Err(fault),
        };
        match refund {
            Ok(RefundState::Done) => {
                let returned = PaymentReturn::Total(payment.returned + amount);
                let (order, event) = (payment.order, payment.event);
                let command = RecordPaymentReturn { payment: payment.id, order, event, returned };
                self.execute(&Actor::System, command, |_, _| ()).await
            }
            Ok(RefundState::Pending | RefundState::ByHand) => Ok(()),
            Err(fault) => {
                tracing::warn!(payment = %payment.id, %fault, "money was not sent back; it is tried again");
                Ok(())
            }
        }
    }
}
