//! `POST /v2/services/stripe_notices/{partner}`: Stripe says that there is news of a payment.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use kassa_domain::partner::Partner;
use kassa_engine::payments::StripeNoticeError;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::error::ApiError;
use crate::input::{PathId, RawBody};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{Access, Route};
use crate::wire::EmptyBody;

pub(crate) static ROUTE: Route = Route::new().access(Access::Checked);

/// An event of Stripe.
#[derive(Serialize, ToSchema)]
#[schema(as = StripeNotice)]
struct StripeNoticeBody {
    /// Its id at Stripe.
    id: String,
    /// What has happened there.
    #[serde(rename = "type")]
    kind: String,
    /// What it happened to.
    data: StripeNoticeData,
}

/// What an event of Stripe is about.
#[derive(Serialize, ToSchema)]
struct StripeNoticeData {
    /// The object of Stripe: only the payment that it names is read.
    object: serde_json::Map<String, serde_json::Value>,
}

#[utoipa::path(
    post, path = "/stripe_notices/{partner}", tag = "Payments", operation_id = "receive_stripe_notice",
    summary = "Take a notice of Stripe",
    description = "For Stripe, which signs it with the partner's webhook secret (`Stripe-Signature`). The notice only names a \
                   payment: what is with that, Stripe is asked.",
    security((), ("key" = []), ("cookie" = [])),
    request_body(content = StripeNoticeBody, example = json!({
        "id": "evt_1QzR7G2eZvKYlo2C", "type": "checkout.session.completed",
        "data": {"object": {"id": "cs_test_a1", "client_reference_id": "69da877cc4d1a7e32b40000b"}},
    })),
    responses((status = 200, description = "An empty object.", body = EmptyBody), error_responses::NoticeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    PathId(partner): PathId<Partner>,
    headers: HeaderMap,
    body: RawBody,
) -> Result<ApiResponse, ApiError> {
    let signature = headers.get("stripe-signature").and_then(|value| value.to_str().ok()).unwrap_or_default();
    match app.engine.take_stripe_notice(partner, signature, body.bytes()).await {
        Ok(()) => Ok(ApiResponse::removed()),
        Err(StripeNoticeError::Fault(fault)) => {
            Err(ApiError::new(StatusCode::BAD_REQUEST, "stripe_signature", fault.to_string()))
        }
        Err(StripeNoticeError::Failure(failure)) => Err(failure.into()),
    }
}
