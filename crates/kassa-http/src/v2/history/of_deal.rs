//! `GET /v2/resources/deals/{deal}/history`: for its sides.

use axum::extract::State;
use kassa_domain::deal::Deal;
use kassa_domain::precondition::ResourceRef;
use kassa_domain::{ReadSet, permission};

use super::model::HistoryResponse;
use super::{HistoryParameters, HistoryRequest};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{PathId, Query};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new().list();

#[utoipa::path(
    get, path = "/deals/{deal}/history", tag = "Deals", operation_id = "get_deal_history",
    summary = "Get the history of a deal",
    description = "What happened to it, who did it, from where, and what it was before: the \
        newest change first. For its sides.",
    params(HistoryParameters),
    responses((status = 200, description = "Changes.", body = HistoryResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<Deal>,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let wanted = HistoryRequest::read(&query)?;
    let view = app.engine.view(&ReadSet { deals: vec![id], ..ReadSet::default() }).await?;
    let deal = view.deals.get(id).ok_or_else(|| ApiError::not_found("deal"))?;
    permission::read_deal_history(&actor, deal)?;
    wanted.answer(&app, &actor, ResourceRef::Deal(id), deal.revision).await
}
