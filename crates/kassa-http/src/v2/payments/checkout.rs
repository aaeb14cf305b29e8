//! `POST /v2/resources/orders/{order}/payments/{payment}/checkout`

use axum::extract::State;
use axum::http::StatusCode;
use kassa_domain::Refusal;
use kassa_domain::order::Order;
use kassa_domain::payment::OrderPayment;
use kassa_domain::refusal::ForbiddenReason;
use kassa_engine::payments::{CheckoutError, CheckoutPages};

use super::PaymentContext;
use super::model::{NextStepBody, PaymentBody, PaymentResponse};
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
    post, path = "/orders/{order}/payments/{payment}/checkout", tag = "Payments", operation_id = "open_checkout",
    summary = "Get the page where a customer pays",
    description = "Of a payment by `STRIPE`, by the customer or the vendor. While it can be paid, `next.url` is the page of Stripe. \
                   Whoever has paid there and calls this finds the payment `paid`, if the money is there.",
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
    if !context.may_pay {
        return Err(Refusal::from(ForbiddenReason::VendorOnly).into());
    }
    let link = app.engine.order_link(order);
    let pages = CheckoutPages {
        success_url: context.base.stripe_page_url(&link, id),
        cancel_url: context.base.order_url(&link),
    };
    let opened = Box::pin(app.engine.open_checkout(&context.order, id, &pages)).await.map_err(error_of)?;
    let next = opened.url.map(NextStepBody::redirect);
    Ok(ApiResponse::ok(&PaymentResponse::new(PaymentBody::new(&opened.payment, next))))
}

fn error_of(error: CheckoutError) -> ApiError {
    match error {
        CheckoutError::Failure(failure) => failure.into(),
        CheckoutError::Provider(fault) => {
            tracing::warn!(%fault, "a customer cannot be sent to the payment provider");
            let reason = "The payment provider gives no answer now; try again, or pay in another way";
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "payment_provider_unavailable", reason)
        }
    }
}
