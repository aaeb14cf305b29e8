//! `POST /v2/resources/orders/{order}/payments/{payment}/test`

use axum::extract::State;
use kassa_domain::order::Order;
use kassa_domain::payment::{OrderPayment, PaymentNews, TestOutcome};

use super::PaymentContext;
use super::model::PaymentResponse;
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Input, Json, PathId, Problems, fields, required_value, requires};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{EventSource, ResourceType, Route};
use crate::wire::{enum_input, enum_names};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Payment).event(EventSource::Path);

enum_names! {
    static TEST_OUTCOMES: TestOutcome {
        Yes => "yes",
        No => "no",
        Later => "later",
        Twice => "twice",
        Late => "late",
        Never => "never",
    }
}

enum_input! {
    struct TestOutcomeInput(TestOutcome) of TEST_OUTCOMES;
}

fields! {
    /// How a test ends.
    pub(crate) struct TestPlanInput {
        /// `yes`: the money comes at once; `no`: it is refused; `later`: it comes after 20 seconds; `twice`: it comes
        /// twice; `late`: it comes a minute after `due_at`; `never`: nothing is heard.
        outcome: Input<TestOutcomeInput>,
    }
}

requires! {
    /// How a test ends.
    pub(crate) struct NewTestPlanInput: TestPlanInput { outcome }
}

#[utoipa::path(
    post, path = "/orders/{order}/payments/{payment}/test", tag = "Payments", operation_id = "end_test_payment",
    summary = "Say how a test ends",
    description = "Of a payment by `TEST`, by the customer or the vendor, while it is pending.",
    request_body(content = NewTestPlanInput, example = json!({"outcome": "yes"})),
    responses((status = 200, description = "The payment.", body = PaymentResponse), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
    PathId(order): PathId<Order>,
    PathId(id): PathId<OrderPayment, 1>,
    Json(body): Json<TestPlanInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let outcome = body.outcome.required("outcome", &mut problems);
    problems.finish()?;
    let TestOutcomeInput(outcome) = required_value(outcome)?;
    let answer = PaymentContext::load(&app.engine, &actor, base, order).await?.into_answer();
    Ok(app.engine.settle_payment(&actor, order, id, PaymentNews::TestOutcome(outcome), answer).await?)
}
