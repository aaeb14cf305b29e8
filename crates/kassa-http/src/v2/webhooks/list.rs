//! `GET /v2/resources/webhooks`, newest first.

use axum::extract::State;
use kassa_domain::permission;
use kassa_store::queries::WebhooksFilter;

use super::super::pagination::{PageParameters, PageRequest};
use super::model::WebhookListResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::error_responses;
use crate::openapi::params::{flag, parameters};
use crate::response::ApiResponse;
use crate::route::Route;

parameters! {
    pub(crate) struct Filters: flag("removed", "Whether to include removed ones; `false` by default.")
}

pub(crate) static ROUTE: Route = Route::new().list();

#[utoipa::path(
    get, path = "/webhooks", tag = "Webhooks", operation_id = "list_webhooks", summary = "List webhooks",
    description = "Those of the partner, newest first, without their secrets.",
    params(Filters, PageParameters),
    responses((status = 200, description = "Webhooks.", body = WebhookListResponse), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let include_removed = query.flag("removed", &mut problems);
    let wanted = PageRequest::read(&query, &mut problems);
    let partner = actor.acting_partner()?;
    permission::manage_webhooks(&actor, partner)?;
    problems.finish()?;
    let page = app.engine.page(WebhooksFilter { partner, include_removed }, wanted.slice()).await?;
    Ok(WebhookListResponse::new(&page.rows, wanted, page.total).into_response())
}
