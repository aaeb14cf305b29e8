//! `DELETE /v1/resources/events/{event}`: removes an event without live or paid orders.

use axum::extract::State;
use kassa_domain::event::{Event, UpdateEvent};

use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::errors;
use crate::v1::partners::model::Empty;

#[utoipa::path(
    delete, path = "/events/{event}", tag = "Events", operation_id = "remove_event", summary = "Remove an event",
    description = "One without live or paid orders.",
    responses((status = 200, description = "An empty object.", body = Empty), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(event): PathId<Event>,
) -> Result<Answer, ApiError> {
    Ok(app.engine.execute(&actor, UpdateEvent::remove(event), |_, _| Answer::removed()).await?)
}
