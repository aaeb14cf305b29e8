//! `GET /v1/resources/partners/{partner}/api_keys/{key}`

use axum::extract::State;
use kassa_domain::api_key::ApiKey;
use kassa_domain::partner::Partner;
use kassa_domain::{ReadSet, permission};

use super::model::{API_KEY, ApiKeyBody};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::ApiKey).shows(&API_KEY);

#[utoipa::path(
    get, path = "/partners/{partner}/api_keys/{key}", tag = "API keys", operation_id = "get_api_key",
    summary = "Get an API key",
    responses((status = 200, description = "The key.", body = ApiKeyBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(partner): PathId<Partner>,
    PathId(id): PathId<ApiKey, 1>,
) -> Result<ApiResponse, ApiError> {
    permission::manage_keys(&actor, partner)?;
    let view = app.engine.view(&ReadSet { keys: vec![id], ..ReadSet::default() }).await?;
    let key = view.keys.get(id).filter(|key| key.partner == partner);
    let key = key.ok_or_else(|| ApiError::not_found("API key"))?;
    Ok(ApiResponse::ok(&ApiKeyBody::new(key, &app.engine.api_key_token(key)?)).with_revision(key.revision.number()))
}
