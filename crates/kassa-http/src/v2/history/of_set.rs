//! `GET /v2/resources/events/{event}/sets/{set}/history`: for the organizer.

use axum::extract::State;
use kassa_domain::event::Event;
use kassa_domain::precondition::ResourceRef;
use kassa_domain::set::TicketSet;
use kassa_domain::{ReadSet, permission};

use super::model::HistoryResponse;
use super::{HistoryParameters, HistoryRequest};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{PathId, Query};
use crate::openapi::error_responses;
use crate::related::events_and_deals;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new().list();

#[utoipa::path(
    get, path = "/events/{event}/sets/{set}/history", tag = "Sets", operation_id = "get_set_history",
    summary = "Get the history of a set",
    description = "What happened to it, who did it, from where, and what it was before: the \
        newest change first. For the organizer.",
    params(HistoryParameters),
    responses((status = 200, description = "Changes.", body = HistoryResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(event): PathId<Event>,
    PathId(id): PathId<TicketSet, 1>,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let wanted = HistoryRequest::read(&query)?;
    let read_set = ReadSet { sets: vec![id], ..events_and_deals(&actor, vec![event]) };
    let view = app.engine.view(&read_set).await?;
    let set = view.sets.get(id).filter(|set| set.event == event);
    let (event, set) = view.events.get(event).zip(set).ok_or_else(|| ApiError::not_found("set"))?;
    permission::read_set_history(&actor, event, set, &view)?;
    wanted.answer(&app, &actor, ResourceRef::Set(id), set.revision).await
}
