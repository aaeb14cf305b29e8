//! `PATCH /v1/resources/venues/{venue}`: by the partner that made it.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::venue::{UpdateVenue, Venue};

use super::model::{VENUE, VenueBody, VenueInput};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Venue).shows(&VENUE);

#[utoipa::path(
    patch, path = "/venues/{venue}", tag = "Venues", operation_id = "update_venue", summary = "Change a venue",
    description = "Only the partner that created it can.",
    request_body = VenueInput,
    responses((status = 200, description = "The venue.", body = VenueBody), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(venue): PathId<Venue>,
    Json(body): Json<VenueInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let patch = body.into_patch(false, &mut problems);
    problems.finish()?;
    let command = UpdateVenue { venue, patch };
    let render =
        |_: &View, venue: &Venue| ApiResponse::ok(&VenueBody::new(venue)).with_revision(venue.revision.number());
    Ok(app.engine.execute(&actor, command, render).await?)
}
