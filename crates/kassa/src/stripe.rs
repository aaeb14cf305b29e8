//! Flags of payments by card.

use clap::Args;
use kassa_engine::stripe::StripeApi;
use kassa_web::Currency;
use url::Url;

use crate::error::Fatal;
use crate::http_url::parse_http_url;

/// Flags of payments by card.
#[derive(Clone, Debug, Args)]
pub(crate) struct StripeArguments {
    /// Where shops that have an account at Stripe have cards charged; another URL than Stripe's own is for tests. Cards are
    /// charged only where --currency says in what.
    #[arg(
        long,
        env = "KASSA_STRIPE_API",
        value_name = "URL",
        default_value = "https://api.stripe.com",
        value_parser = parse_http_url
    )]
    stripe_api: Url,
}

impl StripeArguments {
    /// The way to Stripe; none without a currency. Nothing is asked yet.
    pub(crate) fn api(self, currency: Option<Currency>) -> Result<Option<StripeApi>, Fatal> {
        Ok(currency.map(|currency| StripeApi::new(self.stripe_api, currency)).transpose()?)
    }
}
