//! `POST /v2/resources/orders/{order}/payments/{payment}/returned`

use axum::extract::State;
use kassa_domain::order::Order;
use kassa_domain::payment::OrderPayment;

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
    post, path = "/orders/{order}/payments/{payment}/returned", tag = "Payments", operation_id = "return_payment",
    summary = "Note that money has gone back",
    description = "By the vendor, who has sent it: of a payment that is `returning`.",
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
    Ok(app.engine.return_payment(&actor, order, id, amount, answer).await?)
}
