//! `POST /v2/resources/orders/{order}/payments`

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::order::Order;
use kassa_domain::payment::BegunPayment;

use super::PaymentContext;
use super::model::{PaymentBody, PaymentResponse};
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Input, OptionalJson, PathId, Problems, fields};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{EventSource, Route};
use crate::wire::PaymentProviderInput;

pub(crate) static ROUTE: Route = Route::new().event(EventSource::Path);

fields! {
    /// A new payment.
    pub(crate) struct NewPaymentInput {
        /// How the money shall come: one of the `payments` of the vendor's shop. An order that costs nothing needs none.
        provider: Input<PaymentProviderInput>,
    }
}

#[utoipa::path(
    post, path = "/orders/{order}/payments", tag = "Payments", operation_id = "begin_payment",
    summary = "Begin a payment",
    description = "By the customer, with the order's link, or by the vendor, while its shop is open. The order waits for \
                   the money and holds its tickets until `due_at`; they are mailed when it is paid. A payment that has \
                   begun in the same way goes on; one that has begun in another way is canceled. An order that costs \
                   nothing is paid at once.",
    request_body(content = NewPaymentInput, example = json!({"provider": "TRANSFER"})),
    responses((status = 200, description = "The payment.", body = PaymentResponse), error_responses::ChangeErrors, error_responses::ConflictErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
    PathId(order): PathId<Order>,
    OptionalJson(body): OptionalJson<NewPaymentInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let provider = body.provider.optional("provider", &mut problems).map(|provider| provider.0);
    problems.finish()?;
    let context = PaymentContext::load(&app.engine, &actor, base, order).await?;
    let render = move |_: &View, begun: &BegunPayment| match &begun.payment {
        Some(payment) => context.answer(payment),
        None => ApiResponse::ok(&PaymentResponse::new(PaymentBody::of_free(&begun.order))),
    };
    Ok(app.engine.begin_payment(&actor, order, provider, render).await?)
}
