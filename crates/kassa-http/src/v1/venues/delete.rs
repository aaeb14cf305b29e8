//! `DELETE /v1/resources/venues/{venue}`: removes a venue that no event needs any more.

use axum::extract::State;
use kassa_domain::venue::{UpdateVenue, Venue};

use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::errors;
use crate::v1::partners::model::Empty;

#[utoipa::path(
    delete, path = "/venues/{venue}", tag = "Venues", operation_id = "remove_venue", summary = "Remove a venue",
    description = "One that no event needs any more.",
    responses((status = 200, description = "An empty object.", body = Empty), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(venue): PathId<Venue>,
) -> Result<Answer, ApiError> {
    Ok(app.engine.execute(&actor, UpdateVenue::remove(venue), |_, _| Answer::removed()).await?)
}
