//! `GET /v1/resources/orders/{order}`

use axum::extract::State;
use kassa_domain::order::Order;
use kassa_domain::{Needs, permission};

use super::model::OrderBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::errors;

#[utoipa::path(
    get, path = "/orders/{order}", tag = "Orders", operation_id = "get_order", summary = "Get an order",
    responses((status = 200, description = "The order.", body = OrderBody), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(id): PathId<Order>,
) -> Result<Answer, ApiError> {
    let view = app.engine.view(&Needs { orders: vec![id], ..Needs::default() }).await?;
    let order = view.orders.get(id).filter(|order| permission::sees_order(&actor, order));
    let order = order.ok_or_else(|| ApiError::not_found("order"))?;
    Ok(Answer::ok(&OrderBody::new(order)).tagged(order.revision))
}
