//! `GET /v2/resources/returning_payments`: money that is still to go back, of those first who have waited for longest.

use axum::extract::State;
use kassa_domain::permission;
use kassa_store::queries::ReturningPayments;

use super::super::pagination::{PageParameters, PageRequest};
use super::model::ReturningPaymentsResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::error_responses;
use crate::related::RelatedRows;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new().list();

#[utoipa::path(
    get, path = "/returning_payments", tag = "Payments", operation_id = "list_returning_payments",
    summary = "List money that is to go back",
    description = "Payments for what you sold that are `returning`, those first that began first. What came by transfer or at \
                   the door you send yourself, and then note it; Stripe and the test provider send it by themselves. Past the \
                   last page `data` is empty.",
    params(PageParameters),
    responses((status = 200, description = "Payments.", body = ReturningPaymentsResponse), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let wanted = PageRequest::read(&query, &mut problems);
    problems.finish()?;
    let filter = ReturningPayments { vendors: permission::sees_sales_of(&actor) };
    let page = app.engine.page(filter, wanted.slice()).await?;
    let related = RelatedRows::of_payments(&app.engine, &page.rows).await?;
    Ok(ReturningPaymentsResponse::new(&page.rows, related.lookup(), wanted, page.total).into_response())
}
