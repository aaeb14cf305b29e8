//! `GET /v1/resources/events/{event}/sets/{set}`

use axum::extract::State;
use kassa_domain::event::Event;
use kassa_domain::permission;
use kassa_domain::set::Set;

use super::model::SetBody;
use super::{terms_of, visible};
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::errors;

#[utoipa::path(
    get, path = "/events/{event}/sets/{set}", tag = "Sets", operation_id = "get_set", summary = "Get a set",
    security((), ("key" = []), ("cookie" = [])),
    responses((status = 200, description = "The set.", body = SetBody), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Caller(actor): Caller,
    PathId(event): PathId<Event>,
    PathId(id): PathId<Set, 1>,
) -> Result<Answer, ApiError> {
    let (event, view) = visible(&app, &actor, event).await?;
    let set = view.sets.get(id).filter(|set| permission::sees_set(&actor, &event, set, &view));
    let set = set.ok_or_else(|| ApiError::not_found("set"))?;
    Ok(Answer::ok(&SetBody::new(set, terms_of(&view, &actor, &event), app.engine.now())).tagged(set.revision))
}
