//! `GET /v2/resources/orders/{order}/payments`, the earliest first.

use axum::extract::State;
use kassa_domain::order::Order;

use super::PaymentContext;
use super::model::PaymentListResponse;
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new();

#[utoipa::path(
    get, path = "/orders/{order}/payments", tag = "Payments", operation_id = "list_payments",
    summary = "List the payments of an order",
    description = "For everyone who sees the order. The earliest first; an order has 10 at most.",
    responses((status = 200, description = "Payments.", body = PaymentListResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
    PathId(order): PathId<Order>,
) -> Result<ApiResponse, ApiError> {
    let context = PaymentContext::load(&app.engine, &actor, base, order).await?;
    let payments = app.engine.payments_of(order).await?;
    let data = payments.iter().map(|payment| context.show(payment)).collect();
    Ok(ApiResponse::ok(&PaymentListResponse::new(data)))
}
