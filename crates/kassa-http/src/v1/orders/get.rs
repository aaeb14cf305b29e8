//! `GET /v1/resources/orders/{order}`

use axum::extract::State;
use kassa_domain::order::Order;

use super::model::{ORDER, OrderBody};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::related::load_visible_order;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Order).shows(&ORDER).kept();

#[utoipa::path(
    get, path = "/orders/{order}", tag = "Orders", operation_id = "get_order", summary = "Get an order",
    description = "For the vendor, the organizer and the customer.",
    responses((status = 200, description = "The order.", body = OrderBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<Order>,
) -> Result<ApiResponse, ApiError> {
    let order = load_visible_order(&app.engine, &actor, id).await?;
    Ok(ApiResponse::ok(&OrderBody::new(&order)).with_revision(order.revision.number()))
}
