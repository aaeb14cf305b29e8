//! `GET /v2/resources/events/{event}/history`: for the organizer.

use axum::extract::State;
use kassa_domain::event::Event;
use kassa_domain::permission;
use kassa_domain::precondition::ResourceRef;

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
    get, path = "/events/{event}/history", tag = "Events", operation_id = "get_event_history",
    summary = "Get the history of an event",
    description = "What happened to it, who did it, from where, and what it was before: the \
        newest change first. For the organizer.",
    params(HistoryParameters),
    responses((status = 200, description = "Changes.", body = HistoryResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<Event>,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let wanted = HistoryRequest::read(&query)?;
    let view = app.engine.view(&events_and_deals(&actor, vec![id])).await?;
    let event = view.events.get(id).ok_or_else(|| ApiError::not_found("event"))?;
    permission::read_event_history(&actor, event, &view)?;
    wanted.answer(&app, &actor, ResourceRef::Event(id), event.revision).await
}
