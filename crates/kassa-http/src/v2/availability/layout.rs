//! `GET /v2/resources/events/{event}/availability/layout`

use axum::extract::State;
use kassa_domain::event::Event;

use super::load_visible;
use super::model::LayoutResponse;
use crate::app::AppState;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new().unbounded().tagged().kept();

#[utoipa::path(
    get, path = "/events/{event}/availability/layout", tag = "Availability", operation_id = "get_availability_layout",
    summary = "Get the sets and seats of an event",
    description = "The names of its sets, and of the seats that the bits of `free` are about, in their order. It changes when \
        the organizer edits the event, and never with sales: read it once for each value of `layout`.",
    security((), ("key" = []), ("cookie" = [])),
    responses((status = 200, description = "Sets and seats.", body = LayoutResponse), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AnyCaller(actor): AnyCaller,
    PathId(id): PathId<Event>,
) -> Result<ApiResponse, ApiError> {
    let (availability, revision) = load_visible(&app.engine, &actor, id).await?;
    Ok(ApiResponse::ok(&LayoutResponse::new(&availability)).with_revision(revision))
}
