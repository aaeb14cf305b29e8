//! `DELETE /v1/resources/orders/{order}`: the same as `{"status": "canceled"}`.

use axum::extract::State;
use kassa_domain::order::{Order, OrderEdit, Step};

use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::errors;
use crate::v1::partners::model::Empty;

#[utoipa::path(
    delete, path = "/orders/{order}", tag = "Orders", operation_id = "cancel_order", summary = "Cancel an order",
    description = "The same as `{\"status\": \"canceled\"}` in a PATCH.",
    responses((status = 200, description = "An empty object.", body = Empty), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(order): PathId<Order>,
) -> Result<Answer, ApiError> {
    let edit = OrderEdit { step: Some(Step::Canceled), ..OrderEdit::default() };
    Ok(app.engine.update_order(&actor, order, edit, |_, _| Answer::removed()).await?)
}
