//! `GET /v2/resources/webhooks/{webhook}/secret`

use axum::extract::State;
use kassa_domain::webhook::Webhook;

use super::load_own_webhook;
use super::model::SecretResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new();

#[utoipa::path(
    get, path = "/webhooks/{webhook}/secret", tag = "Webhooks", operation_id = "get_webhook_secret",
    summary = "Get the secret of a webhook",
    description = "By it receivers verify that messages are sent by this server.",
    responses((status = 200, description = "The secret.", body = SecretResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<Webhook>,
) -> Result<ApiResponse, ApiError> {
    let webhook = load_own_webhook(&app.engine, &actor, id).await?;
    Ok(ApiResponse::ok(&SecretResponse::new(&webhook, &app.engine.webhook_secret(&webhook)?)))
}
