//! `DELETE /v1/resources/orders/{order}`: the same as `{"status": "canceled"}`.

use axum::extract::State;
use kassa_domain::order::{Order, OrderEdit, OrderTransition};

use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{EventSource, ResourceType, Route};
use crate::wire::EmptyBody;

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Order).event(EventSource::Path);

#[utoipa::path(
    delete, path = "/orders/{order}", tag = "Orders", operation_id = "cancel_order", summary = "Cancel an order",
    description = "By the vendor or the organizer. The same as PATCH with `{\"status\": \"canceled\"}`.",
    responses((status = 200, description = "An empty object.", body = EmptyBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(order): PathId<Order>,
) -> Result<ApiResponse, ApiError> {
    let edit = OrderEdit { transition: Some(OrderTransition::Canceled), ..OrderEdit::default() };
    Ok(app.engine.update_order(&actor, order, edit, |_, _| ApiResponse::removed()).await?)
}
