//! `GET /v1/services/simple/events`: what the caller may sell, whole and streamed unless a part of it
//! is asked for.

use std::collections::VecDeque;

use axum::extract::State;
use axum::response::Response;
use kassa_domain::event::EventId;
use kassa_store::Slice;

use super::Asker;
use super::model::SimpleBody;
use super::order::{few_enough, sorted};
use super::stream::{Listing, Rest};
use super::wanted::{Filters, Wanted};
use crate::app::App;
use crate::base::Base;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::errors;
use crate::openapi::params::Page;
use crate::stream::stream;

#[utoipa::path(
    get, path = "/simple/events", tag = "Simple events", operation_id = "list_simple_events",
    summary = "List the events to sell",
    description = "Those that the partner may sell: its own, and those for which it has an accepted deal. All of them, \
                   unless a part is asked for; newest first.",
    params(Filters, Page),
    responses((status = 200, description = "Events.", body = [SimpleBody]), errors::List),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    base: Base,
    query: Query,
) -> Result<Response, ApiError> {
    let mut problems = Problems::default();
    let wanted = Wanted::read(&query, &actor, app.engine.now(), &mut problems);
    problems.finish()?;
    let asker = Asker { engine: app.engine, actor: (*actor).clone(), base };
    let Slice { limit, offset, .. } = wanted.slice;
    if wanted.is_as_stored() {
        let (listing, total) = Listing::as_stored(asker, wanted.filter, (offset, limit)).await?;
        return Ok(stream(listing, total).await?);
    }
    let count = Slice { limit: 0, offset: 0, count: true };
    few_enough(asker.engine.page(wanted.filter.clone(), count).await?.total, &wanted)?;
    let ids = sorted(&asker.engine, &asker.actor, &wanted).await?;
    let total = ids.len() as u64;
    let part = ids.into_iter().skip(usize::try_from(offset).unwrap_or(usize::MAX)).take(limit as usize);
    let rest = Rest::Sorted(part.collect::<Vec<EventId>>().into_iter());
    Ok(stream(Listing { asker, filter: wanted.filter, rest, waiting: VecDeque::new() }, total).await?)
}
