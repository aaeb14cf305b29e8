//! Notices of Stripe: each only names a payment, which is then asked for.

use kassa_domain::partner::PartnerId;
use kassa_domain::payment::{HurryPaymentPoll, PaymentId, PaymentProvider};
use kassa_domain::{Actor, ReadSet};
use serde::Deserialize;

use crate::engine::Engine;
use crate::failure::Failure;
use crate::stripe::{NoticeFault, verify_notice};

/// A notice, as far as it is read.
#[derive(Deserialize)]
struct Notice {
    data: NoticeData,
}

#[derive(Deserialize)]
struct NoticeData {
    object: NoticeObject,
}

/// A page, what was charged, or a refund.
#[derive(Deserialize)]
struct NoticeObject {
    #[serde(default)]
    client_reference_id: Option<String>,
    #[serde(default)]
    metadata: NoticeMetadata,
}

#[derive(Default, Deserialize)]
struct NoticeMetadata {
    #[serde(default)]
    payment: Option<String>,
    #[serde(default, rename = "return")]
    returned: Option<String>,
}

/// Why a notice is not taken.
#[derive(Debug)]
pub enum StripeNoticeError {
    /// It is not believed.
    Fault(NoticeFault),
    /// It does not work now: Stripe sends it again.
    Failure(Failure),
}

impl From<Failure> for StripeNoticeError {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl Engine {
    /// Takes a notice to a partner: the payment that it names is looked at next. One that names none of its payments is
    /// taken, too, or it would come again.
    pub async fn take_stripe_notice(
        &self,
        partner: PartnerId,
        signature: &str,
        body: &[u8],
    ) -> Result<(), StripeNoticeError> {
        let secret = self.stripe_webhook_secret(partner).await?;
        let secret = secret.ok_or(StripeNoticeError::Fault(NoticeFault::Unsigned))?;
        verify_notice(signature, body, &secret, self.now()).map_err(StripeNoticeError::Fault)?;
        let Some(payment) = named_by(body) else { return Ok(()) };
        let view = self.view(&ReadSet { payments: vec![payment], ..ReadSet::default() }).await?;
        let is_meant = |payment: &&kassa_domain::payment::OrderPayment| {
            payment.vendor == partner && payment.provider == PaymentProvider::Stripe
        };
        if let Some(payment) = view.payments.get(payment).filter(is_meant) {
            let hurry = HurryPaymentPoll { payment: payment.id, event: payment.event };
            self.execute(&Actor::System, hurry, |_, _| ()).await?;
        }
        Ok(())
    }
}

/// The payment that a notice names, if it names one.
fn named_by(body: &[u8]) -> Option<PaymentId> {
    let notice: Notice = serde_json::from_slice(body).ok()?;
    let NoticeObject { client_reference_id, metadata } = notice.data.object;
    let returned = metadata.returned.and_then(|key| key.split('-').next().map(str::to_owned));
    let named = [client_reference_id, metadata.payment, returned];
    named.into_iter().flatten().find_map(|id| id.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_names_a_payment_by_its_page_its_charge_or_its_refund() {
        let id = "69da877cc4d1a7e32b40000b";
        let named = |object: &str| named_by(format!(r#"{{"id": "evt_1", "data": {{"object": {object}}}}}"#).as_bytes());
        let expected = id.parse().ok();
        assert!(expected.is_some());
        assert_eq!(named(&format!(r#"{{"client_reference_id": "{id}"}}"#)), expected);
        assert_eq!(named(&format!(r#"{{"client_reference_id": null, "metadata": {{"payment": "{id}"}}}}"#)), expected);
        assert_eq!(named(&format!(r#"{{"metadata": {{"return": "{id}-0"}}}}"#)), expected);
        assert_eq!(named(r#"{"metadata": {}}"#), None);
        assert_eq!(named_by(b"nonsense"), None);
    }
}
