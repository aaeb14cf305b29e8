//! `GET /v2/resources/webhooks/{webhook}/attempts`, newest first.

use axum::extract::State;
use kassa_domain::webhook::Webhook;
use kassa_store::queries::WebhookAttemptsFilter;

use super::super::pagination::{PageParameters, PageRequest};
use super::load_own_webhook;
use super::model::AttemptListResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::error_responses;
use crate::openapi::params::{flag, parameters};
use crate::response::ApiResponse;
use crate::route::Route;

parameters! {
    pub(crate) struct Filters: flag("failed", "Whether to show only those that were not accepted; `false` by default.")
}

pub(crate) static ROUTE: Route = Route::new().list();

#[utoipa::path(
    get, path = "/webhooks/{webhook}/attempts", tag = "Webhooks", operation_id = "list_webhook_attempts",
    summary = "List the attempts of a webhook",
    description = "What was sent and what came of it, newest first: of the last 30 days, up to the 20,000 newest.",
    params(Filters, PageParameters),
    responses((status = 200, description = "Attempts.", body = AttemptListResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<Webhook>,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let only_failed = query.flag("failed", &mut problems);
    let wanted = PageRequest::read(&query, &mut problems);
    load_own_webhook(&app.engine, &actor, id).await?;
    problems.finish()?;
    let page = app.engine.page(WebhookAttemptsFilter { webhook: id, only_failed }, wanted.slice()).await?;
    Ok(AttemptListResponse::new(&page.rows, wanted, page.total).into_response())
}
