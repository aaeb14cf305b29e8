//! `GET /v2/resources/orders/{order}`

use axum::extract::State;
use kassa_domain::order::Order;

use super::model::OrderResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::related::{RelatedRows, load_visible_order};
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Order);

#[utoipa::path(
    get, path = "/orders/{order}", tag = "Orders", operation_id = "get_order", summary = "Get an order",
    description = "For the vendor, the organizer and the customer.",
    responses((status = 200, description = "The order.", body = OrderResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<Order>,
) -> Result<ApiResponse, ApiError> {
    let order = load_visible_order(&app.engine, &actor, id).await?;
    let related = RelatedRows::of_orders(&app.engine, std::slice::from_ref(&order)).await?;
    Ok(ApiResponse::ok(&OrderResponse::new(&order, related.lookup())).with_revision(order.revision.number()))
}
