//! `GET /v1/resources/venues/{venue}`: for everybody; a removed one for the partner that made it.

use axum::extract::State;
use kassa_domain::venue::Venue;
use kassa_domain::{Needs, permission};

use super::model::VenueBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::errors;

#[utoipa::path(
    get, path = "/venues/{venue}", tag = "Venues", operation_id = "get_venue", summary = "Get a venue",
    security((), ("key" = []), ("cookie" = [])),
    responses((status = 200, description = "The venue.", body = VenueBody), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Caller(actor): Caller,
    PathId(id): PathId<Venue>,
) -> Result<Answer, ApiError> {
    let view = app.engine.view(&Needs { venues: vec![id], ..Needs::default() }).await?;
    let venue = view.venues.get(id).filter(|venue| permission::sees_venue(&actor, venue));
    let venue = venue.ok_or_else(|| ApiError::not_found("venue"))?;
    Ok(Answer::ok(&VenueBody::new(venue)).tagged(venue.revision))
}
