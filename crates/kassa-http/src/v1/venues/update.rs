//! `PATCH /v1/resources/venues/{venue}`: by the partner that made it.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::venue::{UpdateVenue, Venue};

use super::model::{VenueBody, VenueInput};
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems};
use crate::openapi::errors;

#[utoipa::path(
    patch, path = "/venues/{venue}", tag = "Venues", operation_id = "update_venue", summary = "Change a venue",
    description = "By the partner that made it.",
    request_body = VenueInput,
    responses((status = 200, description = "The venue.", body = VenueBody), errors::Change),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(venue): PathId<Venue>,
    Json(body): Json<VenueInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let patch = body.into_patch(false, &mut problems);
    problems.finish()?;
    let command = UpdateVenue { venue, patch };
    let render = |_: &View, venue: &Venue| Answer::ok(&VenueBody::new(venue)).tagged(venue.revision);
    Ok(app.engine.execute(&actor, command, render).await?)
}
