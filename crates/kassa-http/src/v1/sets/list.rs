//! `GET /v1/resources/events/{event}/sets`, by position.

use axum::extract::State;
use kassa_domain::event::Event;
use kassa_domain::permission;
use kassa_domain::set::{Set, SetId};

use super::model::SetBody;
use super::{terms_of, visible};
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::errors;
use crate::openapi::params::{Page, flag, ids, parameters};

parameters! {
    pub(crate) struct Filters: ids(), flag("removed", "Whether removed ones are shown, too, to the organizer.")
}

#[utoipa::path(
    get, path = "/events/{event}/sets", tag = "Sets", operation_id = "list_sets", summary = "List the sets of an event",
    description = "By `pos`.",
    security((), ("key" = []), ("cookie" = [])),
    params(Filters, Page),
    responses((status = 200, description = "Sets.", body = [SetBody]), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Caller(actor): Caller,
    PathId(event): PathId<Event>,
    query: Query,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let ids: Option<Vec<SetId>> = query.ids("ids", &mut problems);
    let removed = query.flag("removed", &mut problems);
    let slice = query.slice(&mut problems);
    let (event, view) = visible(&app, &actor, event).await?;
    problems.finish()?;
    let shows_removed = removed && permission::organizes(&actor, &event);
    let passes = |set: &&Set| (shows_removed || !set.removed) && ids.as_ref().is_none_or(|ids| ids.contains(&set.id));
    let sets: Vec<&Set> = view.sets_of(event.id).into_iter().filter(passes).collect();
    let (terms, now) = (terms_of(&view, &actor, &event), app.engine.now());
    let offset = usize::try_from(slice.offset).unwrap_or(usize::MAX);
    let page = sets.iter().skip(offset).take(slice.limit as usize);
    let items: Vec<SetBody> = page.map(|set| SetBody::new(set, terms, now)).collect();
    Ok(Answer::list(&items, sets.len() as u64))
}
