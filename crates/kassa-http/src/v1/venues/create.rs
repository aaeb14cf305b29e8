//! `POST /v1/resources/venues`: a venue of the partner that acts.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::venue::{CreateVenue, Venue};

use super::model::{NewVenue, VenueBody, VenueInput};
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Json, Problems};
use crate::openapi::errors;

#[utoipa::path(
    post, path = "/venues", tag = "Venues", operation_id = "create_venue", summary = "Make a venue",
    request_body = NewVenue,
    responses((status = 201, description = "The venue.", body = VenueBody), errors::Create),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    Json(body): Json<VenueInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let patch = body.into_patch(true, &mut problems);
    problems.finish()?;
    let command = CreateVenue { org: actor.partner()?, patch };
    let render = |_: &View, venue: &Venue| Answer::created(&VenueBody::new(venue)).tagged(venue.revision);
    Ok(app.engine.execute(&actor, command, render).await?)
}
