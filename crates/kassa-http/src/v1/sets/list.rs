//! `GET /v1/resources/events/{event}/sets`, by position.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use kassa_domain::event::Event;
use kassa_domain::price::Terms;
use kassa_domain::set::{SetId, TicketSet};
use kassa_domain::{Timestamp, View, permission};
use kassa_engine::Failure;
use kassa_store::memory_budget::MemoryMeter;

use super::model::{SET, SetBody};
use super::{VisibleEvent, load_visible_event, seller_terms};
use crate::app::AppState;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::error_responses;
use crate::openapi::params::{LimitOffsetParameters, flag, ids, parameters};
use crate::response::list_stream::{JsonItems, PageSource, stream_list};
use crate::route::Route;

/// About how long a page of the list is, in bytes.
const PAGE_BYTES: usize = 256 * 1024;

parameters! {
    pub(crate) struct Filters:
        ids(),
        flag(
            "removed",
            "Whether to include removed ones, which only the organizer sees; `false` by default.",
        )
}

pub(crate) static ROUTE: Route = Route::new().list().shows(&SET).kept();

#[utoipa::path(
    get, path = "/events/{event}/sets", tag = "Sets", operation_id = "list_sets", summary = "List the sets of an event",
    description = "In the order of `pos`.",
    security((), ("key" = []), ("cookie" = [])),
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Sets.", body = [SetBody]), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AnyCaller(actor): AnyCaller,
    PathId(event): PathId<Event>,
    query: Query,
) -> Result<Response, ApiError> {
    let mut problems = Problems::default();
    let ids: Option<Vec<SetId>> = query.ids("ids", &mut problems);
    let removed = query.flag("removed", &mut problems);
    let slice = query.slice(&mut problems);
    let begin = async {
        let VisibleEvent { event, view } = load_visible_event(&app, &actor, event).await?;
        problems.finish()?;
        let shows_removed = removed && permission::organizes(&actor, &event);
        let passes =
            |set: &&TicketSet| (shows_removed || !set.removed) && ids.as_ref().is_none_or(|ids| ids.contains(&set.id));
        let sets: Vec<SetId> = view.sets_of(event.id).into_iter().filter(passes).map(|set| set.id).collect();
        let offset = usize::try_from(slice.offset).unwrap_or(usize::MAX);
        let (terms, total) = (seller_terms(&view, &actor, &event).copied(), sets.len() as u64);
        let sets = sets.into_iter().skip(offset).take(slice.limit as usize).collect();
        Ok((SetsStream { view, sets, terms, now: app.engine.now() }, total))
    };
    stream_list(begin).await
}

/// Sets of an event that are still to be shown, in this order.
struct SetsStream {
    view: View,
    sets: VecDeque<SetId>,
    terms: Option<Terms>,
    now: Timestamp,
}

impl PageSource for SetsStream {
    async fn next(&mut self, items: &mut JsonItems, _held: &Arc<MemoryMeter>) -> Result<bool, Failure> {
        let (start, has_any) = (items.len(), !self.sets.is_empty());
        while items.len() < start + PAGE_BYTES
            && let Some(set) = self.sets.pop_front()
        {
            if let Some(set) = self.view.sets.get(set) {
                items.push(&SetBody::new(set, self.terms.as_ref(), self.now))?;
            }
        }
        Ok(has_any)
    }
}
