//! `GET /v1/services/simple/events`: what the caller may sell, whole and streamed unless a part of it
//! is asked for.

use std::collections::VecDeque;

use axum::extract::State;
use axum::response::Response;
use kassa_domain::event::EventId;
use kassa_store::{PageWindow, RowCount};

use super::CallerContext;
use super::list_query::{Filters, SimpleEventsQuery};
use super::model::{SIMPLE_EVENT, SimpleEventBody};
use super::sorting::{check_sortable_count, sorted_event_ids};
use super::stream::{RemainingEvents, SimpleEventsStream};
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::error_responses;
use crate::openapi::params::LimitOffsetParameters;
use crate::response::list_stream::stream_list;
use crate::response::row_groups::GroupSize;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new().list().shows(&SIMPLE_EVENT).kept();

#[utoipa::path(
    get, path = "/simple/events", tag = "Simple events", operation_id = "list_simple_events",
    summary = "List events to sell",
    description = "Those that your partner can sell: its own, and those of accepted deals, newest first. All of \
                   them, unless `limit` or `page` asks for a part.",
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Events.", body = [SimpleEventBody]), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
    query: Query,
) -> Result<Response, ApiError> {
    let mut problems = Problems::default();
    let wanted = SimpleEventsQuery::read(&query, &actor, app.engine.now(), &mut problems);
    problems.finish()?;
    let caller = CallerContext { engine: app.engine.clone(), actor: (*actor).clone(), base };
    stream_list(begin(caller, wanted)).await
}

/// What is wanted of the list, and how many events there are in all.
async fn begin(caller: CallerContext, wanted: SimpleEventsQuery) -> Result<(SimpleEventsStream, u64), ApiError> {
    if wanted.is_newest_first() {
        return Ok(SimpleEventsStream::newest_first(caller, wanted.filter, wanted.slice).await?);
    }
    let count = PageWindow { limit: 0, offset: 0, count: RowCount::All };
    check_sortable_count(caller.engine.page(wanted.filter.clone(), count).await?.total, &wanted)?;
    let ids = sorted_event_ids(&caller.engine, &caller.actor, &wanted).await?;
    let total = ids.len() as u64;
    let PageWindow { limit, offset, .. } = wanted.slice;
    let part = ids.into_iter().skip(usize::try_from(offset).unwrap_or(usize::MAX)).take(limit as usize);
    let rest = RemainingEvents::Sorted(part.collect::<Vec<EventId>>().into_iter());
    let stream = SimpleEventsStream {
        caller,
        filter: wanted.filter,
        remaining: rest,
        pending_events: VecDeque::new(),
        groups: GroupSize::default(),
    };
    Ok((stream, total))
}
