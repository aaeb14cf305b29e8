//! Payments by Stripe: a page of its own takes the money, and is asked what came of it.

use futures_util::future::BoxFuture;
use kassa_domain::event::Event;
use kassa_domain::order::Order;
use kassa_domain::payment::{
    OrderPayment, PaymentId, PaymentNews, PaymentProvider, PaymentReport, PaymentStatus, RecordCheckout,
};
use kassa_domain::{Actor, Money, ReadSet, Refusal, Timestamp};

use super::provider::{PaymentFault, ProviderClient, RefundState};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::stripe::{
    AmountFault, CheckoutSession, CheckoutState, NewCheckout, NewRefund, RefundStatus, StripeClient, StripeFault,
    from_stripe, to_stripe,
};

/// The least time that a page of Stripe is open, and a minute for the way there.
const OPEN_MINUTES_MIN: u32 = 31;
/// The most characters of a title.
const TITLE_CHARS_MAX: usize = 200;
/// Where Stripe says of a refund what we call it.
const RETURN: &str = "return";

/// Stripe, for the account of one vendor.
pub(super) struct StripeProvider {
    pub(super) client: StripeClient,
}

/// Where a customer comes back to.
#[derive(Clone, Debug)]
pub struct CheckoutPages {
    /// When it has paid.
    pub success_url: String,
    /// When it has not.
    pub cancel_url: String,
}

/// A payment, and the page of Stripe where the customer pays.
#[derive(Clone, Debug)]
pub struct OpenedCheckout {
    /// The payment as it is now.
    pub payment: OrderPayment,
    /// The page; none if there is nothing to do there.
    pub url: Option<String>,
}

/// Why a customer cannot be sent to a page.
#[derive(Debug)]
pub enum CheckoutError {
    /// It is refused here, or does not work.
    Failure(Failure),
    /// The provider gives no answer.
    Provider(PaymentFault),
}

impl From<Failure> for CheckoutError {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<PaymentFault> for CheckoutError {
    fn from(fault: PaymentFault) -> Self {
        Self::Provider(fault)
    }
}

impl From<StripeFault> for PaymentFault {
    fn from(fault: StripeFault) -> Self {
        Self(fault.to_string())
    }
}

impl From<AmountFault> for PaymentFault {
    fn from(fault: AmountFault) -> Self {
        Self(fault.to_string())
    }
}

impl Engine {
    /// The page of Stripe where the customer of a payment pays, made now if there was none; whoever comes back from there
    /// finds out how the payment is.
    pub async fn open_checkout(
        &self,
        order: &Order,
        payment: PaymentId,
        pages: &CheckoutPages,
    ) -> Result<OpenedCheckout, CheckoutError> {
        let payments = self.payments_of(order.id).await?;
        let found = payments.into_iter().find(|found| found.id == payment);
        let payment = found.ok_or(Failure::Refused(Refusal::NotFound("payment")))?;
        if payment.provider != PaymentProvider::Stripe {
            return Err(Failure::Refused(Refusal::PaymentNotOffered).into());
        }
        if payment.status != PaymentStatus::Pending {
            return Ok(OpenedCheckout { payment, url: None });
        }
        let stripe = self.stripe_of(payment.vendor).await?;
        let session = match &payment.checkout {
            Some(id) => stripe.session(&payment, id).await?,
            None => self.create_checkout(&stripe, order, &payment, pages).await?,
        };
        let report = stripe.report(&payment, &session)?;
        if report != PaymentReport::Nothing {
            let news = PaymentNews::Report(report);
            let render = |_: &_, payment: &OrderPayment| payment.clone();
            let payment = self.settle_payment(&Actor::System, order.id, payment.id, news, render).await?;
            return Ok(OpenedCheckout { payment, url: None });
        }
        let is_open = session.state() == CheckoutState::Open;
        Ok(OpenedCheckout { payment, url: session.url.filter(|_| is_open) })
    }

    /// Makes a page, and notes it before anybody is sent there.
    async fn create_checkout(
        &self,
        stripe: &StripeProvider,
        order: &Order,
        payment: &OrderPayment,
        pages: &CheckoutPages,
    ) -> Result<CheckoutSession, CheckoutError> {
        let view = self.view(&ReadSet { events: vec![order.event], ..ReadSet::default() }).await?;
        let title = view.events.get(order.event).map(|event| title_of(event, order)).unwrap_or_default();
        let expires_at = payment.due_at.max(self.now().plus_minutes(OPEN_MINUTES_MIN));
        let new = NewCheckout {
            reference: payment.id.to_string(),
            amount: to_stripe(payment.missing(), stripe.client.currency()).map_err(PaymentFault::from)?,
            title,
            success_url: pages.success_url.clone(),
            cancel_url: pages.cancel_url.clone(),
            expires_at,
        };
        // Under one key all that is said must be the same.
        let key = format!("{}-{}", payment.id, expires_at.ms().div_euclid(1_000));
        let session = stripe.client.create_checkout(&new, &key).await.map_err(PaymentFault::from)?;
        stripe.check(payment, &session)?;
        let record = RecordCheckout { payment: payment.id, event: payment.event, checkout: session.id.clone() };
        let noted = self.execute(&Actor::System, record, |_, payment| payment.checkout.clone()).await?;
        match noted {
            // Somebody else was faster, with another page.
            Some(id) if id != session.id => Ok(stripe.session(payment, &id).await?),
            Some(_) | None => Ok(session),
        }
    }
}

/// What is bought, in words.
fn title_of(event: &Event, order: &Order) -> String {
    let title: String = event.details.title.chars().take(TITLE_CHARS_MAX).collect();
    format!("{title} ({})", order.number)
}

impl StripeProvider {
    /// A page of a payment as it is now.
    async fn session(&self, payment: &OrderPayment, id: &str) -> Result<CheckoutSession, PaymentFault> {
        let session = self.client.checkout(id).await?;
        if session.id != id {
            return Err(PaymentFault("Stripe answers about another page".to_owned()));
        }
        self.check(payment, &session)?;
        Ok(session)
    }

    /// Whether a page is that of a payment, in our currency.
    fn check(&self, payment: &OrderPayment, session: &CheckoutSession) -> Result<(), PaymentFault> {
        let is_ours = session.client_reference_id.as_deref() == Some(&payment.id.to_string());
        let currency = session.currency.as_deref().unwrap_or_default();
        if is_ours && currency.eq_ignore_ascii_case(self.client.currency().code()) {
            return Ok(());
        }
        Err(PaymentFault("Stripe answers about another payment, or in another currency".to_owned()))
    }

    /// What a page says of its payment.
    fn report(&self, payment: &OrderPayment, session: &CheckoutSession) -> Result<PaymentReport, PaymentFault> {
        Ok(match session.state() {
            CheckoutState::Paid => {
                let total = session.amount_total.ok_or_else(|| PaymentFault("Stripe names no sum".to_owned()))?;
                PaymentReport::Received(from_stripe(total, self.client.currency())?)
            }
            CheckoutState::Failed | CheckoutState::Expired if payment.received == Money::ZERO => {
                PaymentReport::Declined
            }
            CheckoutState::Failed | CheckoutState::Expired | CheckoutState::Open | CheckoutState::Processing => {
                PaymentReport::Nothing
            }
        })
    }
}

impl ProviderClient for StripeProvider {
    fn state<'a>(
        &'a self,
        payment: &'a OrderPayment,
        _now: Timestamp,
    ) -> BoxFuture<'a, Result<PaymentReport, PaymentFault>> {
        Box::pin(async move {
            // Nobody was sent anywhere.
            let Some(id) = &payment.checkout else { return Ok(PaymentReport::Nothing) };
            let session = self.session(payment, id).await?;
            let is_given_up = matches!(payment.status, PaymentStatus::Failed | PaymentStatus::Canceled);
            if is_given_up && session.state() == CheckoutState::Open {
                // Nobody shall pay for what is not waited for. Whoever is faster gets the tickets, or the money back.
                self.client.expire_checkout(id).await?;
            }
            self.report(payment, &session)
        })
    }

    /// Refunds are looked for first: Stripe forgets keys after a day, and what is under way may take longer.
    fn refund<'a>(
        &'a self,
        payment: &'a OrderPayment,
        amount: Money,
        key: &'a str,
    ) -> BoxFuture<'a, Result<RefundState, PaymentFault>> {
        Box::pin(async move {
            let id =
                payment.checkout.as_deref().ok_or_else(|| PaymentFault("nothing was paid at Stripe".to_owned()))?;
            let session = self.session(payment, id).await?;
            let intent = session.payment_intent().ok_or_else(|| PaymentFault("Stripe names no charge".to_owned()))?;
            let wanted = to_stripe(amount, self.client.currency())?;
            let known = self.client.refunds(intent).await?;
            let same = known.iter().filter(|refund| refund.metadata.get(RETURN).is_some_and(|name| name == key));
            let (mut failed, mut alive) = (0, None);
            for refund in same {
                match refund.status {
                    RefundStatus::Failed | RefundStatus::Canceled => failed += 1,
                    RefundStatus::Pending | RefundStatus::RequiresAction | RefundStatus::Succeeded => {
                        alive = Some(refund.clone());
                    }
                }
            }
            let refund = if let Some(refund) = alive {
                refund
            } else {
                let new = NewRefund { payment_intent: intent, amount: wanted, reference: key };
                // What has failed is another one the next time.
                self.client.create_refund(new, &format!("{key}-{failed}")).await?
            };
            if refund.amount != wanted || !refund.currency.eq_ignore_ascii_case(self.client.currency().code()) {
                return Err(PaymentFault("Stripe has sent back another amount".to_owned()));
            }
            match refund.status {
                RefundStatus::Succeeded => Ok(RefundState::Done),
                RefundStatus::Pending | RefundStatus::RequiresAction => Ok(RefundState::Pending),
                RefundStatus::Failed | RefundStatus::Canceled => {
                    Err(PaymentFault("Stripe could not send money back".to_owned()))
                }
            }
        })
    }
}
