//! `GET /v2/platform/webhooks`: those that fail.

use axum::extract::State;
use kassa_domain::permission;

use super::super::pagination::{PageParameters, PageRequest};
use super::model::{FailingWebhookListResponse, is_failing};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new().list();

#[utoipa::path(
    get, path = "/webhooks", tag = "Platform", operation_id = "list_failing_webhooks", summary = "List webhooks that fail",
    description = "Webhooks of all partners that accept nothing, and those that were disabled for it, the longest first. \
                   Only operators of the platform see them.",
    params(PageParameters),
    responses((status = 200, description = "Webhooks.", body = FailingWebhookListResponse), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let wanted = PageRequest::read(&query, &mut problems);
    permission::run_platform(&actor)?;
    problems.finish()?;
    let mut failing = app.engine.select(is_failing).await?;
    failing.sort_unstable_by_key(|webhook| (webhook.health.failing_since, webhook.id));
    Ok(FailingWebhookListResponse::new(&failing, wanted).into_response())
}
