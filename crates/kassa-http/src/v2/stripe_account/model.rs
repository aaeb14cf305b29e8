//! An account at Stripe as v2 shows it: never its keys.

use kassa_domain::partner::{PartnerId, SealedSecret, StripeAccount};
use serde::Serialize;
use utoipa::ToSchema;

use crate::base_url::BaseUrl;
use crate::wire::{EmptyBody, IdRef, PartnerRef};

/// The account at Stripe of a shop.
#[derive(Serialize, ToSchema)]
#[schema(as = StripeAccount)]
pub(super) struct StripeAccountBody {
    /// The partner whose shop it is.
    partner: PartnerRef,
    /// How its secret key ends; `null` if there is no account.
    #[schema(example = "…x7Qz")]
    secret_key: Option<String>,
    /// How the secret of its webhook endpoint ends; `null` if that was not said.
    #[schema(example = "…k2Lm")]
    webhook_secret: Option<String>,
    /// The URL of the webhook endpoint to be made at Stripe.
    #[schema(example = "https://tickets.example.org/v2/services/stripe_notices/65b06b247b33e06d72292534")]
    notices_url: String,
}

/// The account at Stripe of a shop.
#[derive(Serialize, ToSchema)]
#[schema(as = StripeAccountAnswer)]
pub(super) struct StripeAccountResponse {
    /// The account.
    data: StripeAccountBody,
    /// Always empty.
    refs: EmptyBody,
}

impl StripeAccountResponse {
    pub(super) fn new(partner: PartnerId, account: Option<&StripeAccount>, base: &BaseUrl) -> Self {
        let ending = |secret: &SealedSecret| format!("…{}", secret.ending);
        let data = StripeAccountBody {
            partner: IdRef(partner),
            secret_key: account.map(|account| ending(&account.secret_key)),
            webhook_secret: account.and_then(|account| account.webhook_secret.as_ref()).map(ending),
            notices_url: base.stripe_notices_url(partner),
        };
        Self { data, refs: EmptyBody {} }
    }
}
