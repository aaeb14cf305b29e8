//! `PATCH /v1/resources/orders/{order}`: several actions at once; one that is refused leaves all
//! undone.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::order::{Order, OrderOutcome};

use super::input::OrderInput;
use super::model::OrderBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems};
use crate::openapi::errors;

#[utoipa::path(
    patch, path = "/orders/{order}", tag = "Orders", operation_id = "update_order", summary = "Change an order",
    description = "Several actions at once: if one is refused, none is done. 409 says that late money cannot be taken.",
    request_body = OrderInput,
    responses((status = 200, description = "The order.", body = OrderBody), errors::Change, errors::Late),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(order): PathId<Order>,
    Json(body): Json<OrderInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let edit = body.into_edit(&mut problems);
    problems.finish()?;
    let render = |_: &View, outcome: &OrderOutcome| {
        Answer::ok(&OrderBody::new(&outcome.order).with_details(&outcome.details)).tagged(outcome.order.revision)
    };
    Ok(app.engine.update_order(&actor, order, edit, render).await?)
}
