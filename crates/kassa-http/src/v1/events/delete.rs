//! `DELETE /v1/resources/events/{event}`: removes an event without live or paid orders.

use axum::extract::State;
use kassa_domain::event::{Event, UpdateEvent};

use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::PathId;

pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(event): PathId<Event>,
) -> Result<Answer, ApiError> {
    Ok(app.engine.execute(&actor, UpdateEvent::remove(event), |_, _| Answer::removed()).await?)
}
