//! Accounts at Stripe: their keys are kept encrypted, and nobody is shown them again.

use kassa_domain::partner::{PartnerId, SealedSecret, SetStripeAccount, StripeAccount};
use kassa_domain::{ReadSet, hex};

use super::provider::PaymentFault;
use super::stripe_payments::StripeProvider;
use crate::caller::CallerRef;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::stripe::StripeApi;

/// Characters of a key that its owner is shown.
const ENDING_CHARS: usize = 4;

/// The keys of an account, as its owner gives them. It has no `Debug`.
pub struct StripeKeys {
    /// What the server asks Stripe by.
    pub secret_key: String,
    /// By what it knows notices.
    pub webhook_secret: Option<String>,
}

/// What a secret of a partner is sealed for: in the row of another it is worth nothing.
fn purpose(kind: &str, partner: PartnerId) -> String {
    format!("stripe {kind} of {partner}")
}

impl Engine {
    /// Charges cards at Stripe from now on, if that was not said before.
    pub fn use_stripe(&self, api: StripeApi) {
        // Whoever comes first is the server's start.
        let _ = self.inner.stripe.set(api);
    }

    /// Says by which account at Stripe a shop takes cards; none without keys.
    pub async fn set_stripe_account<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        partner: PartnerId,
        keys: Option<StripeKeys>,
        render: impl Fn(Option<&StripeAccount>) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let account = keys.map(|keys| self.seal_stripe_keys(partner, &keys)).transpose()?;
        self.execute(by, SetStripeAccount { partner, account }, move |_, account| render(account.as_ref())).await
    }

    fn seal_stripe_keys(&self, partner: PartnerId, keys: &StripeKeys) -> Result<StripeAccount, Failure> {
        let seal = |text: &str, kind: &str| {
            let sealed = self.inner.secret.seal(text.as_bytes(), &purpose(kind, partner), self.nonce());
            let sealed = sealed.ok_or_else(|| Failure::internal("a key for Stripe could not be sealed"))?;
            let skipped = text.chars().count().saturating_sub(ENDING_CHARS);
            Ok::<_, Failure>(SealedSecret {
                sealed: hex::encode(&sealed),
                ending: text.chars().skip(skipped).collect(),
            })
        };
        Ok(StripeAccount {
            secret_key: seal(&keys.secret_key, "key")?,
            webhook_secret: keys.webhook_secret.as_deref().map(|text| seal(text, "webhook secret")).transpose()?,
        })
    }

    fn open_stripe_secret(&self, partner: PartnerId, secret: &SealedSecret, kind: &str) -> Option<String> {
        let opened = self.inner.secret.open(&hex::decode(&secret.sealed)?, &purpose(kind, partner))?;
        String::from_utf8(opened).ok()
    }

    /// The account of a partner, if it has one.
    async fn stripe_account(&self, partner: PartnerId) -> Result<Option<StripeAccount>, Failure> {
        let view = self.view(&ReadSet { partners: vec![partner], ..ReadSet::default() }).await?;
        Ok(view.partners.get(partner).and_then(|partner| partner.profile.shop.stripe.clone()))
    }

    /// By what a partner knows notices of Stripe.
    pub(super) async fn stripe_webhook_secret(&self, partner: PartnerId) -> Result<Option<String>, Failure> {
        let secret = self.stripe_account(partner).await?.and_then(|account| account.webhook_secret);
        Ok(secret.and_then(|secret| self.open_stripe_secret(partner, &secret, "webhook secret")))
    }

    /// Stripe, for the account of a vendor.
    pub(super) async fn stripe_of(&self, vendor: PartnerId) -> Result<StripeProvider, PaymentFault> {
        let api = self.inner.stripe.get().ok_or_else(|| PaymentFault("this server charges no cards".to_owned()))?;
        let account = self.stripe_account(vendor).await.map_err(|failure| PaymentFault(failure.to_string()))?;
        let account = account.ok_or_else(|| PaymentFault("the vendor has no account at Stripe".to_owned()))?;
        let key = self.open_stripe_secret(vendor, &account.secret_key, "key");
        let key = key.ok_or_else(|| PaymentFault("the key for Stripe cannot be opened with this secret".to_owned()))?;
        Ok(StripeProvider { client: api.client(&key)? })
    }
}
