//! `POST /v2/services/stripe_account`

use axum::extract::State;
use kassa_engine::payments::StripeKeys;

use super::model::StripeAccountResponse;
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Input, Json, LineText, Problems, fields, required_value, requires};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new();

/// Shorter keys are mistakes.
const KEY_CHARS_MIN: usize = 16;

fields! {
    /// An account at Stripe.
    pub(crate) struct StripeAccountInput {
        /// Its secret key, or a restricted one that may write Checkout Sessions and refunds: `sk_…` or `rk_…`.
        secret_key: Input<LineText<255>>,
        /// The secret of its webhook endpoint for this server: `whsec_…`.
        webhook_secret: Input<LineText<255>>,
    }
}

requires! {
    /// An account at Stripe, at least its secret key.
    pub(crate) struct NewStripeAccountInput: StripeAccountInput { secret_key }
}

#[utoipa::path(
    post, path = "/stripe_account", tag = "Payments", operation_id = "set_stripe_account",
    summary = "Set the account at Stripe",
    description = "All of it at once: what is not said is forgotten. The shop takes cards as soon as `STRIPE` is one of its \
                   `payments`. Keys are kept encrypted, and nobody is shown them again.",
    request_body(content = NewStripeAccountInput, example = json!({
        "secret_key": "sk_test_<your secret key>", "webhook_secret": "whsec_<your webhook secret>",
    })),
    responses((status = 200, description = "The account.", body = StripeAccountResponse), error_responses::CreateErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
    Json(body): Json<StripeAccountInput>,
) -> Result<ApiResponse, ApiError> {
    let partner = actor.acting_partner()?;
    let mut problems = Problems::default();
    let key = body.secret_key.required("secret_key", &mut problems).map(|text| text.0);
    let webhook_secret = body.webhook_secret.optional("webhook_secret", &mut problems).map(|text| text.0);
    if key.as_ref().is_some_and(|key| !is_key(key, &["sk_", "rk_"])) {
        problems.add("secret_key", "must be a secret or restricted key of Stripe, sk_… or rk_…");
    }
    if webhook_secret.as_ref().is_some_and(|secret| !is_key(secret, &["whsec_"])) {
        problems.add("webhook_secret", "must be the secret of a webhook endpoint of Stripe, whsec_…");
    }
    problems.finish()?;
    let keys = StripeKeys { secret_key: required_value(key)?, webhook_secret };
    let render = move |account: Option<&_>| ApiResponse::ok(&StripeAccountResponse::new(partner, account, &base));
    Ok(app.engine.set_stripe_account(&actor, partner, Some(keys), render).await?)
}

fn is_key(text: &str, prefixes: &[&str]) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_graphic();
    prefixes.iter().any(|prefix| text.starts_with(prefix)) && text.len() >= KEY_CHARS_MIN && text.bytes().all(is_plain)
}
