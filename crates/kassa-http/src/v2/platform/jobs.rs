//! `GET /v2/platform/jobs`, by organizers.

use axum::extract::State;
use kassa_domain::permission;
use kassa_store::queries::JobsFilter;

use super::super::pagination::{PageParameters, PageRequest};
use super::model::JobListResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new().list();

#[utoipa::path(
    get, path = "/jobs", tag = "Platform", operation_id = "list_jobs", summary = "List jobs",
    description = "Work that goes on in steps: sets that are resized, canceled events that are refunded. Only operators \
                   of the platform see it.",
    params(PageParameters),
    responses((status = 200, description = "Jobs.", body = JobListResponse), error_responses::ListErrors),
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
    let page = app.engine.page(JobsFilter::ALL, wanted.slice()).await?;
    Ok(JobListResponse::new(&page.rows, wanted, page.total).into_response())
}
