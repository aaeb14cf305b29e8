//! `POST /v1/resources/orders`: reserves tickets.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::order::{CreateOrder, OrderOutcome};

use super::input::{NewOrder, OrderInput};
use super::model::{ORDER, OrderBody};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, Problems, required_value};
use crate::openapi::error_responses;
use crate::order_rates::NewOrderTurn;
use crate::response::ApiResponse;
use crate::route::{EventSource, Route};

pub(crate) static ROUTE: Route = Route::new().shows(&ORDER).event(EventSource::Body);

#[utoipa::path(
    post, path = "/orders", tag = "Orders", operation_id = "create_order", summary = "Reserve tickets",
    description = "By the organizer, or by an agent with an accepted deal. What is not available is left out and \
                   listed in `details`, or, with `all_or_nothing`, nothing is reserved.",
    request_body = NewOrder,
    responses((status = 201, description = "The order.", body = OrderBody), error_responses::CreateErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    Json(mut body): Json<OrderInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let event = std::mem::take(&mut body.event).required("event", &mut problems);
    let deal = std::mem::take(&mut body.deal).optional("deal", &mut problems).map(|id| id.0);
    if !body.has_ticket_selection() {
        problems.add("tickets", "is required, unless random is given");
    }
    let mut edit = body.into_edit(&mut problems);
    problems.finish()?;
    // A new order is executed; where it goes from there is for PATCH to say.
    edit.transition = None;
    let vendor = actor.acting_partner()?;
    let mut command = CreateOrder { event: required_value(event)?.0, vendor, deal, edit };
    let turn = NewOrderTurn::begin(&app, &mut command);
    let seen = turn.seen.clone();
    let render = move |_: &View, outcome: &OrderOutcome| {
        seen.note(&outcome.order);
        ApiResponse::created(&OrderBody::new(&outcome.order).with_shortfalls(&outcome.shortfalls))
            .with_revision(outcome.order.revision.number())
    };
    turn.finish(app.engine.execute(&actor, command, render).await)
}
