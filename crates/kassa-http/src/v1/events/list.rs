//! `GET /v1/resources/events`: public ones and one's own, newest first.

use axum::extract::State;
use kassa_domain::Needs;
use kassa_store::queries::EventsFilter;

use super::model::{EventBody, STATUSES};
use crate::answer::Answer;
use crate::app::App;
use crate::base::Base;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{Page, flag, ids, one, parameters, words};
use crate::openapi::{errors, schema};
use crate::v1::sets::terms_of;

parameters! {
    pub(crate) struct Filters:
        ids(),
        one("org", schema::id(), "Only those of this organizer."),
        words("status", &STATUSES, "Only those in these states."),
        flag("removed", "Whether one's own that are removed are shown, too."),
}

#[utoipa::path(
    get, path = "/events", tag = "Events", operation_id = "list_events", summary = "List events",
    description = "Public ones and one's own, newest first.",
    security((), ("key" = []), ("cookie" = [])),
    params(Filters, Page),
    responses((status = 200, description = "Events.", body = [EventBody]), errors::List),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Caller(actor): Caller,
    base: Base,
    query: Query,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let now = app.engine.now();
    let filter = EventsFilter {
        own: actor.partners(),
        org: query.id("org", &mut problems),
        ids: query.ids("ids", &mut problems),
        status: query.words("status", &STATUSES, &mut problems),
        removed: query.flag("removed", &mut problems),
        now,
    };
    let slice = query.slice(&mut problems);
    problems.finish()?;
    let page = app.engine.page(filter, slice).await?;
    let sets_of: Vec<_> = page.rows.iter().map(|event| event.id).collect();
    let own = actor.partners();
    let deals_of = sets_of.iter().flat_map(|event| own.iter().map(|partner| (*event, *partner))).collect();
    let view = app.engine.view(&Needs { sets_of, deals_of, ..Needs::default() }).await?;
    let mut sets = view.sets_by_event();
    let item = |event: &kassa_domain::event::Event| {
        let sets = sets.remove(&event.id).unwrap_or_default();
        let shown = sets.into_iter().filter(|set| !set.removed);
        EventBody::new(event, shown, terms_of(&view, &actor, event), now, &base)
    };
    let items: Vec<EventBody> = page.rows.iter().map(item).collect();
    Ok(Answer::list(&items, page.total))
}
