//! `POST /v2/resources/orders/{order}/payments/{payment}/returned`

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
    /// Money that has gone back.
    pub(crate) struct ReturnedMoneyInput {
        /// How much more has gone back; all that is to go back, by default.
        amount: Input<MoneyInput>,
    }
}

#[utoipa::path(
    post, path = "/orders/{order}/payments/{payment}/returned", tag = "Payments", operation_id = "return_payment",
    summary = "Note that money has gone back",
    description = "By the vendor, who has sent it: of a payment that is `returning`.",
    request_body(content = ReturnedMoneyInput, example = json!({"amount": "50.00"})),
    responses((status = 200, description = "The payment.", body = PaymentResponse), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
    PathId(order): PathId<Order>,
    PathId(id): PathId<OrderPayment, 1>,
    OptionalJson(body): OptionalJson<ReturnedMoneyInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let amount = body.amount.optional("amount", &mut problems).map(|amount| amount.0);
    problems.finish()?;
    let context = PaymentContext::load(&app.engine, &actor, base, order).await?;
    let render = move |_: &View, payment: &OrderPayment| {
        ApiResponse::ok(&PaymentResponse::new(context.show(payment))).with_revision(payment.revision.number())
    };
    Ok(app.engine.return_payment(&actor, order, id, amount, render).await?)
}
