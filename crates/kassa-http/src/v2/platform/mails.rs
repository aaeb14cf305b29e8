//! `GET /v2/platform/mails`, newest first.

use axum::extract::State;
use kassa_domain::permission;
use kassa_store::queries::UnsentMailsFilter;

use super::super::pagination::{PageParameters, PageRequest};
use super::model::MailListResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new().list();

#[utoipa::path(
    get, path = "/mails", tag = "Platform", operation_id = "list_mails", summary = "List mails that wait",
    description = "Mails that wait to be sent and those that were given up, newest first, without what they say. Only \
                   operators of the platform see them.",
    params(PageParameters),
    responses((status = 200, description = "Mails.", body = MailListResponse), error_responses::ListErrors),
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
    let page = app.engine.page(UnsentMailsFilter, wanted.slice()).await?;
    Ok(MailListResponse::new(&page.rows, wanted, page.total).into_response())
}
