//! `GET /v1/resources/events/{event}/sets/{set}/tickets`: all of one set, streamed, by row and
//! number.

use axum::extract::State;
use axum::response::Response;
use kassa_domain::event::Event;
use kassa_domain::permission;
use kassa_domain::set::TicketSet;

use super::model::{TICKET, TicketBody};
use super::stream::{TicketsQuery, status_parameter};
use crate::app::AppState;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::error_responses;
use crate::openapi::params::{ids, parameters};
use crate::response::list_stream::stream_list;
use crate::route::Route;
use crate::v1::sets::{VisibleEvent, load_visible_event};

parameters! {
    pub(crate) struct Filters: ids(), status_parameter()
}

pub(crate) static ROUTE: Route = Route::new().list().shows(&TICKET);

#[utoipa::path(
    get, path = "/events/{event}/sets/{set}/tickets", tag = "Tickets", operation_id = "list_set_tickets",
    summary = "List the tickets of a set",
    description = "All of them, in the order of row and number.",
    security((), ("key" = []), ("cookie" = [])),
    params(Filters),
    responses((status = 200, description = "Tickets.", body = [TicketBody]), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AnyCaller(actor): AnyCaller,
    PathId(event): PathId<Event>,
    PathId(id): PathId<TicketSet, 1>,
    query: Query,
) -> Result<Response, ApiError> {
    let mut problems = Problems::default();
    let wanted = TicketsQuery::read(&query, &mut problems);
    let begin = async {
        let visible = load_visible_event(&app, &actor, event).await?;
        let VisibleEvent { event, view } = &visible;
        let set = view.sets.get(id).filter(|set| permission::sees_set(&actor, event, set, view)).cloned();
        let set = set.ok_or_else(|| ApiError::not_found("set"))?;
        problems.finish()?;
        wanted.begin(&app, actor, visible, vec![set]).await
    };
    Box::pin(stream_list(begin)).await
}
