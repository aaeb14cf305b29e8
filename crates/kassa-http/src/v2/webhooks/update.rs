//! `PATCH /v2/resources/webhooks/{webhook}`

use axum::extract::State;
use kassa_domain::webhook::{UpdateWebhook, Webhook};

use super::input::WebhookInput;
use super::load_own_webhook;
use super::model::WebhookResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Webhook);

#[utoipa::path(
    patch, path = "/webhooks/{webhook}", tag = "Webhooks", operation_id = "update_webhook",
    summary = "Change a webhook",
    description = "One that is enabled again goes on where it stopped. With another URL, what waits is sent there.",
    request_body = WebhookInput,
    responses((status = 200, description = "The webhook.", body = WebhookResponse), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<Webhook>,
    Json(body): Json<WebhookInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let patch = body.into_patch(&app.webhook_rules(), &mut problems);
    problems.finish()?;
    let partner = load_own_webhook(&app.engine, &actor, id).await?.partner;
    let command = UpdateWebhook { partner, webhook: id, patch, remove: false };
    let render =
        |webhook: &Webhook| ApiResponse::ok(&WebhookResponse::new(webhook)).with_revision(webhook.revision.number());
    Ok(app.engine.update_webhook(&actor, command, render).await?)
}
