//! `DELETE /v1/resources/venues/{venue}`: removes a venue that no event needs any more.

use axum::extract::State;
use kassa_domain::venue::{UpdateVenue, Venue};

use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};
use crate::wire::EmptyBody;

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Venue);

#[utoipa::path(
    delete, path = "/venues/{venue}", tag = "Venues", operation_id = "remove_venue", summary = "Remove a venue",
    description = "Only the partner that created it can, and not while a public event, or one with tickets in orders, takes place there and is not over.",
    responses((status = 200, description = "An empty object.", body = EmptyBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(venue): PathId<Venue>,
) -> Result<ApiResponse, ApiError> {
    Ok(app.engine.execute(&actor, UpdateVenue::remove(venue), |_, _| ApiResponse::removed()).await?)
}
