//! `POST /v2/resources/orders`: reserves tickets, or begins an empty order.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::order::OrderOutcome;

use super::input::OrderInput;
use super::model::OrderResponse;
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::{AuthenticatedCaller, RequestNetwork};
use crate::error::ApiError;
use crate::input::Json;
use crate::openapi::error_responses;
use crate::order_rates::NewOrderTurn;
use crate::response::ApiResponse;
use crate::route::{EventSource, RateLimit, Route};

pub(crate) static ROUTE: Route = Route::new().event(EventSource::Body).rate_limit(RateLimit::ShopOrder);

#[utoipa::path(
    post, path = "/orders", tag = "Orders", operation_id = "create_order", summary = "Reserve tickets",
    description = "By the organizer, or by an agent with an accepted deal. `event` can be left out if `tickets` or \
                   `random` name some; without them the order is empty. What is not available is left out and listed \
                   in `details`, or, with `all_or_nothing`, nothing is reserved. A visitor of a shop must ask for \
                   tickets; its answer has `access`, which opens the order to whoever has it.",
    request_body = OrderInput,
    responses((status = 200, description = "The order.", body = OrderResponse), error_responses::CreateErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
    RequestNetwork(network): RequestNetwork,
    Json(body): Json<OrderInput>,
) -> Result<ApiResponse, ApiError> {
    let new = body.with_tickets_of_seats(&app.engine).await?.into_new_order()?;
    let vendor = actor.vendor()?;
    let (mut command, related) = new.into_command(&app.engine, vendor).await?;
    let turn = NewOrderTurn::begin(&app, &mut command);
    command.edit.needs_tickets |= actor.is_shopper();
    command.edit.network = actor.is_shopper().then_some(network);
    let seen = turn.seen.clone();
    let links = actor.is_shopper().then(|| app.engine.clone());
    let render = move |view: &View, outcome: &OrderOutcome| {
        seen.note(&outcome.order);
        let mut response = OrderResponse::for_write(outcome, related.lookup_over(view));
        if let Some(engine) = &links {
            response = response.with_access(engine.order_link(outcome.order.id), &base);
        }
        ApiResponse::ok(&response).with_revision(outcome.order.revision.number())
    };
    turn.finish(app.engine.execute(&actor, command, render).await)
}
