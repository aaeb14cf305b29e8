//! `POST /v2/resources/orders`: reserves tickets, or begins an empty order.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::order::{CreateOrder, OrderOutcome};

use super::super::around::Loaded;
use super::input::OrderInput;
use super::model::OrderAnswer;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::Json;
use crate::openapi::errors;

#[utoipa::path(
    post, path = "/orders", tag = "Orders", operation_id = "create_order", summary = "Reserve tickets",
    description = "`event` may be left out where `tickets` or `random` name some. An order may be empty. What is not to \
                   be had is left out, and named in `details`; with `all_or_nothing` nothing is taken then.",
    request_body = OrderInput,
    responses((status = 200, description = "The order.", body = OrderAnswer), errors::Create),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    Json(body): Json<OrderInput>,
) -> Result<Answer, ApiError> {
    let new = body.into_new()?;
    let vendor = actor.partner()?;
    let event = new.event(&app.engine).await?;
    let loaded = Loaded::before(&app.engine, event, vendor).await?;
    let render = move |view: &View, outcome: &OrderOutcome| {
        Answer::ok(&OrderAnswer::of_write(outcome, loaded.under(view))).tagged(outcome.order.revision)
    };
    let command = CreateOrder { event, vendor, deal: new.deal, edit: new.edit };
    Ok(app.engine.execute(&actor, command, render).await?)
}
