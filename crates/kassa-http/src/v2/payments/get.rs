//! `GET /v2/resources/orders/{order}/payments/{payment}`

use axum::extract::State;
use kassa_domain::order::Order;
use kassa_domain::payment::OrderPayment;

use super::PaymentContext;
use super::model::PaymentResponse;
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Payment);

#[utoipa::path(
    get, path = "/orders/{order}/payments/{payment}", tag = "Payments", operation_id = "get_payment",
    summary = "Get a payment",
    description = "For everyone who sees the order.",
    responses((status = 200, description = "The payment.", body = PaymentResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
    PathId(order): PathId<Order>,
    PathId(id): PathId<OrderPayment, 1>,
) -> Result<ApiResponse, ApiError> {
    let context = PaymentContext::load(&app.engine, &actor, base, order).await?;
    let payments = app.engine.payments_of(order).await?;
    let payment = payments.iter().find(|payment| payment.id == id).ok_or_else(|| ApiError::not_found("payment"))?;
    Ok(context.answer(payment))
}
