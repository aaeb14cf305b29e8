//! `GET /v1/resources/venues/{venue}/maps`: for everybody who sees the venue, newest first.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use kassa_domain::hall_map::HallMap;
use kassa_domain::venue::Venue;
use kassa_domain::{ReadSet, permission};
use kassa_engine::{Engine, Failure};
use kassa_store::memory_budget::MemoryMeter;
use kassa_store::queries::HallMapsFilter;
use kassa_store::{PageWindow, RowCount};

use super::model::{MAP, MapBody};
use crate::app::AppState;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::error_responses;
use crate::openapi::params::{LimitOffsetParameters, ids, parameters};
use crate::response::list_stream::{JsonItems, PageSource, stream_list};
use crate::route::Route;

parameters! {
    pub(crate) struct Filters: ids()
}

pub(crate) static ROUTE: Route = Route::new().list().shows(&MAP);

#[utoipa::path(
    get, path = "/venues/{venue}/maps", tag = "Maps", operation_id = "list_maps", summary = "List the maps of a venue",
    description = "For anyone who sees the venue; newest first.",
    security((), ("key" = []), ("cookie" = [])),
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Maps.", body = [MapBody]), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AnyCaller(actor): AnyCaller,
    PathId(venue): PathId<Venue>,
    query: Query,
) -> Result<Response, ApiError> {
    let mut problems = Problems::default();
    let filter = HallMapsFilter { venue, ids: query.ids("ids", &mut problems) };
    let slice = query.slice(&mut problems);
    let view = app.engine.view(&ReadSet { venues: vec![venue], ..ReadSet::default() }).await?;
    let seen = view.venues.get(venue).is_some_and(|venue| permission::sees_venue(&actor, venue));
    if !seen {
        return Err(ApiError::not_found("venue"));
    }
    problems.finish()?;
    Ok(stream_list(MapsStream::begin(app.engine.clone(), filter, slice)).await?)
}

/// Maps, one at a time: each may be as long as a request.
struct MapsStream {
    engine: Engine,
    filter: HallMapsFilter,
    /// What was read, and is still to be shown.
    pending: Vec<HallMap>,
    /// Where the next one is.
    offset: u64,
    /// How many may follow.
    left: u32,
}

impl MapsStream {
    /// A part of the list, and how many there are in all.
    async fn begin(engine: Engine, filter: HallMapsFilter, slice: PageWindow) -> Result<(Self, u64), Failure> {
        let first = PageWindow { limit: slice.limit.min(1), ..slice };
        let page = engine.page(filter.clone(), first).await?;
        let mut stream = Self { engine, filter, pending: Vec::new(), offset: slice.offset, left: slice.limit };
        stream.take(page.rows);
        Ok((stream, page.total))
    }

    fn take(&mut self, maps: Vec<HallMap>) {
        self.offset += maps.len() as u64;
        self.left = if maps.is_empty() { 0 } else { self.left.saturating_sub(1) };
        self.pending = maps;
    }
}

impl PageSource for MapsStream {
    async fn next(&mut self, items: &mut JsonItems, held: &Arc<MemoryMeter>) -> Result<bool, Failure> {
        let is_first = !self.pending.is_empty();
        if !is_first && self.left > 0 {
            let next = PageWindow { limit: 1, offset: self.offset, count: RowCount::None };
            let page = self.engine.page(self.filter.clone(), next).await?;
            self.take(page.rows);
        }
        let maps = std::mem::take(&mut self.pending);
        maps.iter().try_for_each(|map| items.push(&MapBody::new(map)))?;
        let has_any = !maps.is_empty();
        drop(maps);
        if is_first {
            held.settle(0);
        }
        Ok(has_any)
    }
}
