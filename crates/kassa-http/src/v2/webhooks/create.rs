//! `POST /v2/resources/webhooks`

use axum::extract::State;
use kassa_domain::webhook::Webhook;
use kassa_engine::webhooks::{NewWebhook, WebhookSecret};

use super::input::{NewWebhookInput, WebhookInput};
use super::model::WebhookResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, Problems, required_value};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new();

#[utoipa::path(
    post, path = "/webhooks", tag = "Webhooks", operation_id = "create_webhook", summary = "Create a webhook",
    description = "For a partner: what it may see is posted to the URL, from now on. The answer has the secret by which \
        the messages are signed.",
    request_body = NewWebhookInput,
    responses((status = 200, description = "The webhook.", body = WebhookResponse), error_responses::CreateErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    Json(body): Json<WebhookInput>,
) -> Result<ApiResponse, ApiError> {
    let partner = actor.acting_partner()?;
    let mut problems = Problems::default();
    let (url, patch) = body.into_new(&app.webhook_rules(), &mut problems);
    problems.finish()?;
    let url = required_value(url)?;
    let render = |webhook: &Webhook, secret: &WebhookSecret| {
        ApiResponse::ok(&WebhookResponse::with_secret(webhook, secret)).with_revision(webhook.revision.number())
    };
    Ok(app.engine.create_webhook(&actor, NewWebhook { partner, url, patch }, render).await?)
}
