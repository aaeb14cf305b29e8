//! `GET /v1/resources/events/{event}/tickets`: all of them, streamed, by sector, row and
//! number.

use axum::extract::State;
use axum::response::Response;
use kassa_domain::event::Event;
use kassa_domain::set::TicketSet;

use super::model::{TICKET, TicketBody};
use super::stream::{TicketsQuery, status_parameter};
use crate::app::AppState;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::params::{ids, parameters, value_list};
use crate::openapi::{error_responses, schema};
use crate::response::list_stream::stream_list;
use crate::route::Route;
use crate::v1::sets::load_visible_event;

parameters! {
    pub(crate) struct Filters:
        ids(),
        status_parameter(),
        value_list(
            "sector", schema::text(),
            "Only those in these sectors, as the sets name them.",
        )
}

pub(crate) static ROUTE: Route = Route::new().list().shows(&TICKET);

#[utoipa::path(
    get, path = "/events/{event}/tickets", tag = "Tickets", operation_id = "list_tickets",
    summary = "List the tickets of an event",
    description = "All of them, by sector, row and number.",
    security((), ("key" = []), ("cookie" = [])),
    params(Filters),
    responses((status = 200, description = "Tickets.", body = [TicketBody]), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AnyCaller(actor): AnyCaller,
    PathId(id): PathId<Event>,
    query: Query,
) -> Result<Response, ApiError> {
    let mut problems = Problems::default();
    let wanted = TicketsQuery::read(&query, &mut problems);
    let sectors = query.list("sector");
    let begin = async {
        let visible = load_visible_event(&app, &actor, id).await?;
        problems.finish()?;
        let in_sector =
            |set: &&TicketSet| sectors.as_ref().is_none_or(|sectors| sectors.contains(&set.sector.as_str()));
        let sets = visible.view.sets_of(id).into_iter().filter(|set| !set.removed).filter(in_sector).cloned().collect();
        wanted.begin(&app, actor, visible, sets).await
    };
    Box::pin(stream_list(begin)).await
}
