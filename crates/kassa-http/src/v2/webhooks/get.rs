//! `GET /v2/resources/webhooks/{webhook}`

use axum::extract::State;
use kassa_domain::webhook::Webhook;

use super::load_own_webhook;
use super::model::WebhookResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Webhook);

#[utoipa::path(
    get, path = "/webhooks/{webhook}", tag = "Webhooks", operation_id = "get_webhook", summary = "Get a webhook",
    description = "Without its secret.",
    responses((status = 200, description = "The webhook.", body = WebhookResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<Webhook>,
) -> Result<ApiResponse, ApiError> {
    let webhook = load_own_webhook(&app.engine, &actor, id).await?;
    Ok(ApiResponse::ok(&WebhookResponse::new(&webhook)).with_revision(webhook.revision.number()))
}
