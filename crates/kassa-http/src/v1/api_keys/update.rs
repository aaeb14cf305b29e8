//! `PATCH /v1/resources/partners/{partner}/api_keys/{key}`

use axum::extract::State;
use kassa_domain::ReadSet;
use kassa_domain::api_key::{ApiKey, UpdateApiKey};
use kassa_domain::partner::Partner;

use super::model::{API_KEY, ApiKeyBody, KeyInput};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::ApiKey).shows(&API_KEY);

#[utoipa::path(
    patch, path = "/partners/{partner}/api_keys/{key}", tag = "API keys", operation_id = "update_api_key",
    summary = "Rename an API key",
    request_body = KeyInput,
    responses((status = 200, description = "The key.", body = ApiKeyBody), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(partner): PathId<Partner>,
    PathId(key): PathId<ApiKey, 1>,
    Json(body): Json<KeyInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let name = body.name.patch_non_null("name", &mut problems).value().map(|text| text.0);
    problems.finish()?;
    // A key never changes its token.
    let view = app.engine.view(&ReadSet { keys: vec![key], ..ReadSet::default() }).await?;
    let token = app.engine.api_key_token(view.keys.get(key).ok_or_else(|| ApiError::not_found("API key"))?)?;
    let render =
        move |key: &ApiKey| ApiResponse::ok(&ApiKeyBody::new(key, &token)).with_revision(key.revision.number());
    Ok(app.engine.update_key(&actor, UpdateApiKey { partner, key, name, remove: false }, render).await?)
}
