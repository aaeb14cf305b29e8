//! `PATCH /v2/resources/orders/{order}`: several actions at once; one that is refused leaves all
//! undone.

use axum::extract::State;
use kassa_domain::order::{Order, OrderOutcome};
use kassa_domain::{Needs, View};

use super::super::around::Loaded;
use super::super::errors::of_order;
use super::input::OrderInput;
use super::model::OrderAnswer;
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
    responses((status = 200, description = "The order.", body = OrderAnswer), errors::Change, errors::Late),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(id): PathId<Order>,
    Json(body): Json<OrderInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let edit = body.into_edit(&mut problems);
    problems.finish()?;
    let view = app.engine.view(&Needs { orders: vec![id], ..Needs::default() }).await?;
    let order = view.orders.get(id).ok_or_else(|| ApiError::not_found("order"))?;
    let loaded = Loaded::around(&app.engine, std::slice::from_ref(order)).await?;
    let render = move |view: &View, outcome: &OrderOutcome| {
        Answer::ok(&OrderAnswer::of_write(outcome, loaded.under(view))).tagged(outcome.order.revision)
    };
    app.engine.update_order(&actor, id, edit, render).await.map_err(|failure| of_order(failure, id))
}
