//! `POST /v2/services/stripe_account`

use axum::extract::State;
use kassa_engine::payments::StripeKeys;
use utoipa::openapi::{RefOr, Schema};

use super::model::StripeAccountResponse;
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::{ApiError, ErrorDetail};
use crate::input::{FromJson, Input, Json, LineText, Problems, fields, invalid_value, required_value, requires};
use crate::openapi::{error_responses, schema};
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new();

fields! {
    /// An account at Stripe.
    pub(crate) struct StripeAccountInput {
        /// Its secret key, or a restricted one that may write Checkout Sessions and refunds: `sk_…` or `rk_…`.
        secret_key: Input<SecretKeyText>,
        /// The secret of its webhook endpoint for this server: `whsec_…`.
        webhook_secret: Input<WebhookSecretText>,
    }
}

requires! {
    /// An account at Stripe, at least its secret key.
    pub(crate) struct NewStripeAccountInput: StripeAccountInput { secret_key }
}

/// A secret key of an account, or a restricted one.
struct SecretKeyText(String);

impl FromJson for SecretKeyText {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        key(json, &["sk_", "rk_"], "must be a secret or restricted key of Stripe, sk_… or rk_…").map(Self)
    }

    fn json_schema() -> RefOr<Schema> {
        schema::text().pattern(Some("^[sr]k_[!-~]{13,252}$")).into()
    }
}

/// What a webhook endpoint signs with.
struct WebhookSecretText(String);

impl FromJson for WebhookSecretText {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        key(json, &["whsec_"], "must be the secret of a webhook endpoint of Stripe, whsec_…").map(Self)
    }

    fn json_schema() -> RefOr<Schema> {
        schema::text().pattern(Some("^whsec_[!-~]{10,249}$")).into()
    }
}

/// A key of Stripe: 16 to 255 characters that are seen, of which the first are one of the prefixes.
fn key(json: &str, prefixes: &[&str], problem: &str) -> Result<String, Vec<ErrorDetail>> {
    let LineText(text) = LineText::<255>::from_json(json).map_err(|_| invalid_value(problem))?;
    let is_key = prefixes.iter().any(|prefix| text.starts_with(prefix));
    if is_key && text.len() >= 16 && text.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(text)
    } else {
        Err(invalid_value(problem))
    }
}

#[utoipa::path(
    post, path = "/stripe_account", tag = "Payments", operation_id = "set_stripe_account",
    summary = "Set the account at Stripe",
    description = "All of it at once: what is not said is forgotten. The shop takes cards as soon as `STRIPE` is one of its \
                   `payments`. Keys are kept encrypted, and nobody is shown them again.",
    request_body(content = NewStripeAccountInput, example = json!({
        "secret_key": "sk_test_your-secret-key", "webhook_secret": "whsec_your-webhook-secret",
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
    problems.finish()?;
    let keys = StripeKeys { secret_key: required_value(key)?, webhook_secret };
    let render = move |account: Option<&_>| ApiResponse::ok(&StripeAccountResponse::new(partner, account, &base));
    Ok(app.engine.set_stripe_account(&actor, partner, Some(keys), render).await?)
}
