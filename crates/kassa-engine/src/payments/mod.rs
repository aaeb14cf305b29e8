//! Payments: what has to be looked up before their commands, and what is done with those who take the money.

mod epc;
mod import;
mod looking;
mod provider;
pub mod statement;
mod stripe_account;
mod stripe_notices;
mod stripe_payments;

pub use epc::epc_text;
pub use import::ImportedEntry;
pub use provider::{NextStep, PaymentFault, RefundState};
pub use stripe_account::StripeKeys;
pub use stripe_notices::StripeNoticeError;
pub use stripe_payments::{CheckoutError, CheckoutPages, OpenedCheckout};

use kassa_domain::order::{Order, OrderId};
use kassa_domain::payment::{
    BeginPayment, BegunPayment, OrderPayment, PaymentId, PaymentNews, PaymentProvider, PaymentReturn,
    RecordPaymentReturn, SaleRows, SettlePayment,
};
use kassa_domain::{Command, Money, ReadSet, Refusal, View};

use crate::caller::CallerRef;
use crate::engine::{Engine, STALE_RETRIES_MAX};
use crate::failure::Failure;

impl Engine {
    /// Begins the payment of an order.
    pub async fn begin_payment<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        order: OrderId,
        provider: Option<PaymentProvider>,
        render: impl Fn(&View, &BegunPayment) -> R + Clone + Send + 'static,
    ) -> Result<R, Failure> {
        let command = |order: &Order| BeginPayment { rows: SaleRows::of(order), vendor: order.vendor, provider };
        self.execute_for_order(by.into(), order, command, render).await
    }

    /// Notes news of a payment.
    pub async fn settle_payment<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        order: OrderId,
        payment: PaymentId,
        news: PaymentNews,
        render: impl Fn(&View, &OrderPayment) -> R + Clone + Send + 'static,
    ) -> Result<R, Failure> {
        let command = |order: &Order| SettlePayment { payment, rows: SaleRows::of(order), news };
        self.execute_for_order(by.into(), order, command, render).await
    }

    /// Notes that money of a payment has gone back.
    pub async fn return_payment<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        order: OrderId,
        payment: PaymentId,
        amount: Option<Money>,
        render: impl Fn(&View, &OrderPayment) -> R + Clone + Send + 'static,
    ) -> Result<R, Failure> {
        let returned = PaymentReturn::More(amount);
        let command = |order: &Order| RecordPaymentReturn { payment, order: order.id, event: order.event, returned };
        self.execute_for_order(by.into(), order, command, render).await
    }

    /// All payments of an order, the earliest first, whoever asks.
    pub async fn payments_of(&self, order: OrderId) -> Result<Vec<OrderPayment>, Failure> {
        let view = self.view(&ReadSet { payments_of: vec![order], ..ReadSet::default() }).await?;
        let mut payments: Vec<OrderPayment> = view.payments.rows().cloned().collect();
        payments.sort_unstable_by_key(|payment| payment.id);
        Ok(payments)
    }

    /// Makes a command from an order, and again when the order has changed before it is decided.
    async fn execute_for_order<C: Command, R: Send + 'static>(
        &self,
        by: CallerRef<'_>,
        order: OrderId,
        command: impl Fn(&Order) -> C,
        render: impl Fn(&View, &C::Outcome) -> R + Clone + Send + 'static,
    ) -> Result<R, Failure> {
        for _ in 0..STALE_RETRIES_MAX {
            let found = self.order(order).await?.ok_or(Refusal::NotFound("order"))?;
            match self.execute(by, command(&found), render.clone()).await {
                Err(Failure::Refused(Refusal::Stale)) => {}
                result => return result,
            }
        }
        Err(Failure::Busy)
    }
}
