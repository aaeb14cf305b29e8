//! `POST /v1/resources/partners/{partner}/api_keys`

use axum::extract::State;
use kassa_domain::api_key::ApiKey;
use kassa_domain::partner::Partner;
use kassa_engine::accounts::NewApiKey;

use super::model::{API_KEY, ApiKeyBody, NewKey, NewKeyInput};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems, required_value};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new().shows(&API_KEY);

#[utoipa::path(
    post, path = "/partners/{partner}/api_keys", tag = "API keys", operation_id = "create_api_key",
    summary = "Create an API key",
    description = "Only the partner's own users and keys can.",
    request_body = NewKey,
    responses((status = 201, description = "The key.", body = ApiKeyBody), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(partner): PathId<Partner>,
    Json(body): Json<NewKeyInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let name = body.name.required("name", &mut problems);
    let has_customers = body.scopes.optional("scopes", &mut problems).is_some_and(|scopes| scopes.has_customers);
    problems.finish()?;
    let new = NewApiKey { partner, name: required_value(name)?.0, has_customers };
    let render = |key: &ApiKey, token: &str| {
        ApiResponse::created(&ApiKeyBody::new(key, token)).with_revision(key.revision.number())
    };
    Ok(app.engine.create_key(&actor, new, render).await?)
}
