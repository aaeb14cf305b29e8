//! `POST /v2/resources/orders/{order}/payments/{payment}/received`

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::order::Order;
use kassa_domain::payment::OrderPayment;

use super::PaymentContext;
use super::model::PaymentResponse;
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Input, MoneyInput, OptionalJson, PathId, Problems, fields};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{EventSource, ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Payment).event(EventSource::Path);

fields! {
    /// Money that has come.
    pub(crate) struct ReceivedMoneyInput {
        /// How much more has come; all that is missing, by default.
        amount: Input<MoneyInput>,
    }
}

#[utoipa::path(
    post, path = "/orders/{order}/payments/{payment}/received", tag = "Payments", operation_id = "receive_payment",
    summary = "Note that money has come",
    description = "By the vendor, who has found it in a statement, or was given it. When all has come, the order is paid; what is too \
                   much, or comes when the tickets are gone, is to go back. Send an `Idempotency-Key`: the same call \
                   twice notes the money twice.",
    request_body(content = ReceivedMoneyInput, example = json!({"amount": "50.00"})),
    responses((status = 200, description = "The payment.", body = PaymentResponse), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
    PathId(order): PathId<Order>,
    PathId(id): PathId<OrderPayment, 1>,
    OptionalJson(body): OptionalJson<ReceivedMoneyInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let amount = body.amount.optional("amount", &mut problems).map(|amount| amount.0);
    problems.finish()?;
    let context = PaymentContext::load(&app.engine, &actor, base, order).await?;
    let render = move |_: &View, payment: &OrderPayment| {
        ApiResponse::ok(&PaymentResponse::new(context.show(payment))).with_revision(payment.revision.number())
    };
    Ok(app.engine.receive_payment(&actor, order, id, amount, render).await?)
}
