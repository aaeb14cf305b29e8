//! `GET /v1/resources/venues/{venue}`: for everybody; a removed one for the partner that made it.

use axum::extract::State;
use kassa_domain::venue::Venue;
use kassa_domain::{ReadSet, permission};

use super::model::{VENUE, VenueBody};
use crate::app::AppState;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Venue).shows(&VENUE);

#[utoipa::path(
    get, path = "/venues/{venue}", tag = "Venues", operation_id = "get_venue", summary = "Get a venue",
    security((), ("key" = []), ("cookie" = [])),
    responses((status = 200, description = "The venue.", body = VenueBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AnyCaller(actor): AnyCaller,
    PathId(id): PathId<Venue>,
) -> Result<ApiResponse, ApiError> {
    let view = app.engine.view(&ReadSet { venues: vec![id], ..ReadSet::default() }).await?;
    let venue = view.venues.get(id).filter(|venue| permission::sees_venue(&actor, venue));
    let venue = venue.ok_or_else(|| ApiError::not_found("venue"))?;
    Ok(ApiResponse::ok(&VenueBody::new(venue)).with_revision(venue.revision.number()))
}
