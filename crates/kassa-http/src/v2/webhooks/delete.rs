//! `DELETE /v2/resources/webhooks/{webhook}`: nothing is sent any more.

use axum::extract::State;
use kassa_domain::webhook::{UpdateWebhook, Webhook, WebhookPatch};

use super::load_own_webhook;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};
use crate::wire::EmptyBody;

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Webhook);

#[utoipa::path(
    delete, path = "/webhooks/{webhook}", tag = "Webhooks", operation_id = "remove_webhook",
    summary = "Remove a webhook",
    description = "Nothing is sent to it any more. To stop for a while, disable it instead.",
    responses((status = 200, description = "An empty object.", body = EmptyBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<Webhook>,
) -> Result<ApiResponse, ApiError> {
    let partner = load_own_webhook(&app.engine, &actor, id).await?.partner;
    let command = UpdateWebhook { partner, webhook: id, patch: WebhookPatch::default(), remove: true };
    Ok(app.engine.update_webhook(&actor, command, |_| ApiResponse::removed()).await?)
}
