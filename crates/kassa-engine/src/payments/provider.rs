//! Those who take the money. A provider says where the customer goes, is asked how a payment is, and sends money back;
//! what follows from that is decided elsewhere.
//!
//! A provider is asked, and not believed when it comes by itself: so nothing is lost with a notice that does not come, comes
//! twice, or comes from somebody else.

use futures_util::future::{BoxFuture, ready};
use kassa_domain::partner::{Shop, TransferAccount};
use kassa_domain::payment::{OrderPayment, PaymentProvider, PaymentReport};
use kassa_domain::{Money, Timestamp};

/// What a customer does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// Goes to a page of this server, which is for this payment: nothing has to be asked of anybody before.
    Page,
    /// Goes to a page of this server, which leads to one of Stripe.
    Checkout,
    /// Sends money to a bank account.
    Transfer(TransferAccount),
    /// Nothing here: the rest happens elsewhere, or has happened.
    Done,
}

/// How far a provider has come with sending money back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundState {
    /// It is sent.
    Done,
    /// The provider has been told, and will be asked again.
    Pending,
    /// People send it.
    ByHand,
}

/// A provider could not be asked, or gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the payment provider gave no answer: {0}")]
pub struct PaymentFault(pub String);

/// Somebody who takes money.
pub(crate) trait ProviderClient: Send + Sync {
    /// How the payment is.
    fn state<'a>(
        &'a self,
        payment: &'a OrderPayment,
        now: Timestamp,
    ) -> BoxFuture<'a, Result<PaymentReport, PaymentFault>>;

    /// Sends money back. The same key means the same money: it is sent once, however often that is asked.
    fn refund<'a>(
        &'a self,
        payment: &'a OrderPayment,
        amount: Money,
        key: &'a str,
    ) -> BoxFuture<'a, Result<RefundState, PaymentFault>>;
}

/// What the customer of a payment that has begun does next: the answer that tells it is stored with the payment, so nobody
/// is asked.
pub(crate) fn next_step(payment: &OrderPayment, shop: &Shop) -> NextStep {
    match payment.provider {
        PaymentProvider::Test => NextStep::Page,
        PaymentProvider::Stripe => NextStep::Checkout,
        PaymentProvider::Transfer => shop.transfer.clone().map_or(NextStep::Done, NextStep::Transfer),
        PaymentProvider::Door => NextStep::Done,
    }
}

/// Nobody takes anything: what happens is what somebody has chosen on a page of this server.
pub(super) struct TestProvider;

impl ProviderClient for TestProvider {
    fn state<'a>(
        &'a self,
        payment: &'a OrderPayment,
        now: Timestamp,
    ) -> BoxFuture<'a, Result<PaymentReport, PaymentFault>> {
        Box::pin(ready(Ok(payment.test_report(now))))
    }

    fn refund<'a>(
        &'a self,
        _payment: &'a OrderPayment,
        _amount: Money,
        _key: &'a str,
    ) -> BoxFuture<'a, Result<RefundState, PaymentFault>> {
        Box::pin(ready(Ok(RefundState::Done)))
    }
}

/// The vendor takes the money itself: it finds it in the statements of its account, or is given it at the door. So it
/// alone knows what has come, and sends back what is to go back.
pub(super) struct ByHand;

impl ProviderClient for ByHand {
    fn state<'a>(
        &'a self,
        _payment: &'a OrderPayment,
        _now: Timestamp,
    ) -> BoxFuture<'a, Result<PaymentReport, PaymentFault>> {
        Box::pin(ready(Ok(PaymentReport::Nothing)))
    }

    fn refund<'a>(
        &'a self,
        _payment: &'a OrderPayment,
        _amount: Money,
        _key: &'a str,
    ) -> BoxFuture<'a, Result<RefundState, PaymentFault>> {
        Box::pin(ready(Ok(RefundState::ByHand)))
    }
}
