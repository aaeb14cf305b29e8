//! `POST /v2/resources/webhooks/{webhook}/test`

use axum::extract::State;
use kassa_domain::webhook::{Webhook, WebhookResult};
use kassa_engine::Failure;

use super::load_own_webhook;
use super::model::TestResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{RateLimit, Route};

pub(crate) static ROUTE: Route = Route::new().rate_limit(RateLimit::WebhookTest);

#[utoipa::path(
    post, path = "/webhooks/{webhook}/test", tag = "Webhooks", operation_id = "test_webhook",
    summary = "Test a webhook",
    description = "Posts a message of the type `webhook.test`, which says nothing, and answers what came of it. An \
        endpoint that has failed and accepts it gets at once what waits for it.",
    responses((status = 200, description = "What came of it.", body = TestResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<Webhook>,
) -> Result<ApiResponse, ApiError> {
    let webhook = load_own_webhook(&app.engine, &actor, id).await?;
    let settings = app.webhooks.as_ref().ok_or(Failure::Unavailable)?;
    let render = |result: &WebhookResult, duration_ms: u32| ApiResponse::ok(&TestResponse::new(result, duration_ms));
    Ok(app.engine.test_webhook(&actor, settings, webhook, render).await?)
}
