//! `GET /v1/resources/events`: public ones and one's own, newest first.

use axum::extract::State;
use axum::response::Response;
use kassa_store::queries::EventsFilter;

use super::model::{EVENT, EventBody};
use super::stream::EventsStream;
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{LimitOffsetParameters, flag, ids, parameters, single_value, words};
use crate::openapi::{error_responses, schema};
use crate::response::list_stream::stream_list;
use crate::response::row_groups::GroupSize;
use crate::route::Route;
use crate::wire::EVENT_STATUSES;

parameters! {
    pub(crate) struct Filters:
        ids(),
        single_value("org", schema::id(), "Only those of this organizer."),
        words("status", EVENT_STATUSES.words, "Only those with these statuses."),
        flag("removed", "Whether to include your own removed ones; `false` by default."),
}

pub(crate) static ROUTE: Route = Route::new().list().shows(&EVENT).kept();

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
) -> Result<Response, ApiError> {
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
    let begin = async {
        let page = app.engine.page(filter, slice).await?;
        let (events, groups) = (page.rows.into(), GroupSize::default());
        Ok((EventsStream { engine: app.engine.clone(), actor, base, now, events, groups }, page.total))
    };
    stream_list(begin).await
}
