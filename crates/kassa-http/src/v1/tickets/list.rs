//! `GET /v1/resources/events/{event}/tickets`: all of them, streamed, by sector and number.

use axum::extract::State;
use axum::response::Response;
use kassa_domain::event::Event;
use kassa_domain::set::Set;

use super::stream::Wanted;
use crate::app::App;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::v1::sets::visible;

pub(crate) async fn handle(
    State(app): State<App>,
    Caller(actor): Caller,
    PathId(id): PathId<Event>,
    query: Query,
) -> Result<Response, ApiError> {
    let mut problems = Problems::default();
    let wanted = Wanted::read(&query, &mut problems);
    let sectors = query.list("sector");
    let (event, view) = visible(&app, &actor, id).await?;
    problems.finish()?;
    let in_sector = |set: &&Set| sectors.as_ref().is_none_or(|sectors| sectors.contains(&set.sector.as_str()));
    let sets = view.sets_of(id).into_iter().filter(|set| !set.removed).filter(in_sector).cloned().collect();
    wanted.stream(&app, actor, (event, view), sets).await
}
