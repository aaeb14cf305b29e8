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
use crate::v1::sets::terms_of;

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
