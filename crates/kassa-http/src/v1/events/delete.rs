//! `DELETE /v1/resources/events/{event}`: removes an event without live or paid orders.

use axum::extract::State;
use kassa_domain::event::{Event, UpdateEvent};

use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{EventSource, ResourceType, Route};
use crate::wire::EmptyBody;

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Event).event(EventSource::Path);

#[utoipa::path(
    delete, path = "/events/{event}", tag = "Events", operation_id = "remove_event", summary = "Remove an event",
    description = "Only the organizer can, and not while tickets are held or sold.",
    responses((status = 200, description = "An empty object.", body = EmptyBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(event): PathId<Event>,
) -> Result<ApiResponse, ApiError> {
    Ok(app.engine.execute(&actor, UpdateEvent::remove(event), |_, _| ApiResponse::removed()).await?)
}
