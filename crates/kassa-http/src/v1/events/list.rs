//! `GET /v1/resources/events`: public ones and one's own, newest first.

use axum::extract::State;
use kassa_domain::ReadSet;
use kassa_store::queries::EventsFilter;

use super::model::{EVENT, EventBody};
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{LimitOffsetParameters, flag, ids, parameters, single_value, words};
use crate::openapi::{error_responses, schema};
use crate::related::deals_of;
use crate::response::ApiResponse;
use crate::route::Route;
use crate::v1::sets::seller_terms;
use crate::wire::EVENT_STATUSES;

parameters! {
    pub(crate) struct Filters:
        ids(),
        single_value("org", schema::id(), "Only those of this organizer."),
        words("status", EVENT_STATUSES.words, "Only those with these statuses."),
        flag("removed", "Whether to include your own removed ones; `false` by default."),
}

pub(crate) static ROUTE: Route = Route::new().shows(&EVENT);

#[utoipa::path(
    get, path = "/events", tag = "Events", operation_id = "list_events", summary = "List events",
    description = "Public events and your own, newest first.",
    security((), ("key" = []), ("cookie" = [])),
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Events.", body = [EventBody]), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AnyCaller(actor): AnyCaller,
    base: BaseUrl,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let now = app.engine.now();
    let filter = EventsFilter {
        caller_partners: actor.acting_partners(),
        org: query.id("org", &mut problems),
        ids: query.ids("ids", &mut problems),
        status: query.words("status", EVENT_STATUSES.words, &mut problems),
        include_removed: query.flag("removed", &mut problems),
        now,
    };
    let slice = query.slice(&mut problems);
    problems.finish()?;
    let page = app.engine.page(filter, slice).await?;
    let sets_of: Vec<_> = page.rows.iter().map(|event| event.id).collect();
    let deals_of = deals_of(&actor, sets_of.iter().copied());
    let view = app.engine.view(&ReadSet { sets_of, deals_of, ..ReadSet::default() }).await?;
    let mut sets = view.sets_by_event();
    let item = |event: &kassa_domain::event::Event| {
        let sets = sets.remove(&event.id).unwrap_or_default();
        let shown = sets.into_iter().filter(|set| !set.removed);
        EventBody::new(event, shown, seller_terms(&view, &actor, event), now, &base)
    };
    let items: Vec<EventBody> = page.rows.iter().map(item).collect();
    Ok(ApiResponse::list(&items, page.total))
}
