//! `PATCH /v1/resources/orders/{order}`: several actions at once; one that is refused leaves all
//! undone.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::order::{Order, OrderOutcome};

use super::input::OrderInput;
use super::model::{ORDER, OrderBody};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems};
use crate::openapi::error_responses;
use crate::order_rates::OrderUpdateTurn;
use crate::response::ApiResponse;
use crate::route::{EventSource, ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Order).shows(&ORDER).event(EventSource::Path);

#[utoipa::path(
    patch, path = "/orders/{order}", tag = "Orders", operation_id = "update_order", summary = "Change an order",
    description = "By the vendor; the organizer can cancel it. Several changes can be made at once: if one is \
                   refused, none is made. 409 means that a payment came too late and cannot be accepted.",
    request_body = OrderInput,
    responses((status = 200, description = "The order.", body = OrderBody), error_responses::ChangeErrors, error_responses::ConflictErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<Order>,
    Json(body): Json<OrderInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let edit = body.into_edit(&mut problems);
    problems.finish()?;
    let order = app.engine.order_to_update(id).await?.ok_or_else(|| ApiError::not_found("order"))?;
    let turn = OrderUpdateTurn::begin(&app, &actor, &order, &edit)?;
    let seen = turn.seen.clone();
    let render = move |_: &View, outcome: &OrderOutcome| {
        seen.note(&outcome.order);
        ApiResponse::ok(&OrderBody::new(&outcome.order).with_shortfalls(&outcome.shortfalls))
            .with_revision(outcome.order.revision.number())
    };
    Ok(turn.finish(app.engine.update_order(&actor, order, edit, render).await)?)
}
