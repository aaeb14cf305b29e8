//! `GET /v2/resources/events/{event}/availability`

use axum::extract::State;
use kassa_domain::event::Event;

use super::load_visible;
use super::model::AvailabilityResponse;
use crate::app::AppState;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new().unbounded().tagged().kept();

#[utoipa::path(
    get, path = "/events/{event}/availability", tag = "Availability", operation_id = "get_availability",
    summary = "Get what is left of an event",
    description = "How many tickets of each set can be had, and which seats. Whoever sees the event sees the same of it. Ask \
        with `If-None-Match`, or follow `…/stream`.",
    security((), ("key" = []), ("cookie" = [])),
    responses((status = 200, description = "What is left.", body = AvailabilityResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AnyCaller(actor): AnyCaller,
    PathId(id): PathId<Event>,
) -> Result<ApiResponse, ApiError> {
    let (availability, revision) = load_visible(&app.engine, &actor, id).await?;
    Ok(ApiResponse::ok(&AvailabilityResponse::new(&availability)).with_revision(revision))
}
