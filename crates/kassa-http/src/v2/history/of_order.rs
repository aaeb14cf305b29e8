//! `GET /v2/resources/orders/{order}/history`: for the vendor and the organizer.

use axum::extract::State;
use kassa_domain::order::Order;
use kassa_domain::permission;
use kassa_domain::precondition::ResourceRef;

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
    get, path = "/orders/{order}/history", tag = "Orders", operation_id = "get_order_history",
    summary = "Get the history of an order",
    description = "What happened to it, who did it, from where, and what it was before: the \
        newest change first. For the vendor and the organizer.",
    params(HistoryParameters),
    responses((status = 200, description = "Changes.", body = HistoryResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<Order>,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let wanted = HistoryRequest::read(&query)?;
    let order = app.engine.order(id).await?.ok_or_else(|| ApiError::not_found("order"))?;
    permission::read_order_history(&actor, &order)?;
    wanted.answer(&app, &actor, ResourceRef::Order(id), order.revision).await
}
