//! `POST /v2/resources/orders/{order}/payments/{payment}/received`

use axum::extract::State;
use kassa_domain::order::Order;
use kassa_domain::payment::{OrderPayment, PaymentNews};

use super::model::PaymentResponse;
use super::{MovedMoneyInput, PaymentContext};
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{OptionalJson, PathId};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{EventSource, ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Payment).event(EventSource::Path);

#[utoipa::path(
    post, path = "/orders/{order}/payments/{payment}/received", tag = "Payments", operation_id = "receive_payment",
    summary = "Note that money has come",
    description = "By the vendor, who has found it in a statement, or was given it. When all has come, the order is paid; what is too \
                   much, or comes when the tickets are gone, is to go back. Send an `Idempotency-Key`: the same call \
                   twice notes the money twice.",
    request_body(content = MovedMoneyInput, example = json!({"amount": "50.00"})),
    responses((status = 200, description = "The payment.", body = PaymentResponse), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
    PathId(order): PathId<Order>,
    PathId(id): PathId<OrderPayment, 1>,
    OptionalJson(body): OptionalJson<MovedMoneyInput>,
) -> Result<ApiResponse, ApiError> {
    let amount = body.read()?;
    let answer = PaymentContext::load(&app.engine, &actor, base, order).await?.into_answer();
    Ok(app.engine.settle_payment(&actor, order, id, PaymentNews::Received { amount, entry: None }, answer).await?)
}
