//! `GET /v1/resources/events/{event}`

use axum::extract::State;
use kassa_domain::event::Event;

use super::model::EventBody;
use crate::answer::Answer;
use crate::app::App;
use crate::base::Base;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::errors;
use crate::v1::sets::{terms_of, visible};

#[utoipa::path(
    get, path = "/events/{event}", tag = "Events", operation_id = "get_event", summary = "Get an event",
    security((), ("key" = []), ("cookie" = [])),
    responses((status = 200, description = "The event.", body = EventBody), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Caller(actor): Caller,
    base: Base,
    PathId(id): PathId<Event>,
) -> Result<Answer, ApiError> {
    let (event, view) = visible(&app, &actor, id).await?;
    let sets = view.sets_of(id).into_iter().filter(|set| !set.removed);
    let terms = terms_of(&view, &actor, &event);
    Ok(Answer::ok(&EventBody::new(&event, sets, terms, app.engine.now(), &base)).tagged(event.revision))
}
