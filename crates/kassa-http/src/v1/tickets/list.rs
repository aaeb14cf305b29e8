//! `GET /v1/resources/events/{event}/tickets`: all of them, streamed, by sector, row and
//! number.

use axum::extract::State;
use axum::response::Response;
use kassa_domain::event::Event;
use kassa_domain::set::Set;

use super::model::TicketBody;
use super::stream::{Wanted, status};
use crate::app::App;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::params::{ids, many, parameters};
use crate::openapi::{errors, schema};
use crate::v1::sets::visible;

parameters! {
    pub(crate) struct Filters: ids(), status(), many("sector", schema::text(), "Only those in these sectors.")
}

#[utoipa::path(
    get, path = "/events/{event}/tickets", tag = "Tickets", operation_id = "list_tickets",
    summary = "List the tickets of an event",
    description = "All of them, by sector, row and number.",
    security((), ("key" = []), ("cookie" = [])),
    params(Filters),
    responses((status = 200, description = "Tickets.", body = [TicketBody]), errors::Read),
)]
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
