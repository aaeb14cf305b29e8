//! `DELETE /v1/resources/partners/{partner}/api_keys/{key}`: the key is dead at once.

use axum::extract::State;
use kassa_domain::api_key::{ApiKey, UpdateApiKey};
use kassa_domain::partner::Partner;

use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};
use crate::wire::EmptyBody;

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::ApiKey);

#[utoipa::path(
    delete, path = "/partners/{partner}/api_keys/{key}", tag = "API keys", operation_id = "remove_api_key",
    summary = "Remove an API key",
    description = "It stops working at once.",
    responses((status = 200, description = "An empty object.", body = EmptyBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(partner): PathId<Partner>,
    PathId(key): PathId<ApiKey, 1>,
) -> Result<ApiResponse, ApiError> {
    let command = UpdateApiKey { partner, key, name: None, remove: true };
    Ok(app.engine.update_key(&actor, command, |_| ApiResponse::removed()).await?)
}
