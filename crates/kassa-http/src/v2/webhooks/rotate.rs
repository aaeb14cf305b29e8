//! `POST /v2/resources/webhooks/{webhook}/secret`

use axum::extract::State;
use kassa_domain::webhook::Webhook;
use kassa_engine::webhooks::WebhookSecret;

use super::load_own_webhook;
use super::model::SecretResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Webhook);

#[utoipa::path(
    post, path = "/webhooks/{webhook}/secret", tag = "Webhooks", operation_id = "rotate_webhook_secret",
    summary = "Replace the secret of a webhook",
    description = "For 24 hours, messages are signed by both: by the new one, and by the one before.",
    responses((status = 200, description = "The new secret.", body = SecretResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<Webhook>,
) -> Result<ApiResponse, ApiError> {
    let partner = load_own_webhook(&app.engine, &actor, id).await?.partner;
    let render = |webhook: &Webhook, secret: &WebhookSecret| {
        ApiResponse::ok(&SecretResponse::new(webhook, secret)).with_revision(webhook.revision.number())
    };
    Ok(app.engine.rotate_webhook_secret(&actor, partner, id, render).await?)
}
