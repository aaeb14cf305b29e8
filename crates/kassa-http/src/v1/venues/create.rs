//! `POST /v1/resources/venues`: a venue of the partner that acts.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::venue::{CreateVenue, Venue};

use super::model::{NewVenue, VENUE, VenueBody, VenueInput};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, Problems};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new().shows(&VENUE);

#[utoipa::path(
    post, path = "/venues", tag = "Venues", operation_id = "create_venue", summary = "Create a venue",
    description = "Any partner can.",
    request_body = NewVenue,
    responses((status = 201, description = "The venue.", body = VenueBody), error_responses::CreateErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    Json(body): Json<VenueInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let patch = body.into_patch(true, &mut problems);
    problems.finish()?;
    let command = CreateVenue { owner: actor.acting_partner()?, patch };
    let render =
        |_: &View, venue: &Venue| ApiResponse::created(&VenueBody::new(venue)).with_revision(venue.revision.number());
    Ok(app.engine.execute(&actor, command, render).await?)
}
