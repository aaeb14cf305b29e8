//! `POST /v1/resources/orders`: reserves tickets.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::order::{CreateOrder, OrderOutcome};

use super::input::{NewOrder, OrderInput};
use super::model::OrderBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Json, Problems, must};
use crate::openapi::errors;

#[utoipa::path(
    post, path = "/orders", tag = "Orders", operation_id = "create_order", summary = "Reserve tickets",
    description = "What is not to be had is left out, and named in `details`; with `all_or_nothing` nothing is taken then.",
    request_body = NewOrder,
    responses((status = 201, description = "The order.", body = OrderBody), errors::Create),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    Json(mut body): Json<OrderInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let event = std::mem::take(&mut body.event).required("event", &mut problems);
    let deal = std::mem::take(&mut body.deal).optional("deal", &mut problems).map(|id| id.0);
    if !body.wants_tickets() {
        problems.add("tickets", "'tickets' or 'random' must be");
    }
    let mut edit = body.into_edit(&mut problems);
    problems.finish()?;
    // A new order is executed; where it goes from there is for PATCH to say.
    edit.step = None;
    let vendor = actor.partner()?;
    let render = |_: &View, outcome: &OrderOutcome| {
        Answer::created(&OrderBody::new(&outcome.order).with_details(&outcome.details)).tagged(outcome.order.revision)
    };
    let command = CreateOrder { event: must(event)?.0, vendor, deal, edit };
    Ok(app.engine.execute(&actor, command, render).await?)
}
