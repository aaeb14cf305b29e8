//! `PATCH /v1/resources/partners/{partner}/api_keys/{key}`

use axum::extract::State;
use kassa_domain::Needs;
use kassa_domain::key::{ApiKey, UpdateKey};
use kassa_domain::partner::Partner;

use super::model::{KeyBody, KeyInput};
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems};
use crate::openapi::errors;

#[utoipa::path(
    patch, path = "/partners/{partner}/api_keys/{key}", tag = "API keys", operation_id = "update_api_key",
    summary = "Rename an API key",
    request_body = KeyInput,
    responses((status = 200, description = "The key.", body = KeyBody), errors::Change),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(partner): PathId<Partner>,
    PathId(key): PathId<ApiKey, 1>,
    Json(body): Json<KeyInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let name = body.name.patch_some("name", &mut problems).value().map(|text| text.0);
    problems.finish()?;
    // A key never changes its token.
    let view = app.engine.view(&Needs { keys: vec![key], ..Needs::default() }).await?;
    let token = app.engine.token_of(view.keys.get(key).ok_or_else(|| ApiError::not_found("api_key"))?)?;
    let render = move |key: &ApiKey| Answer::ok(&KeyBody::new(key, &token)).tagged(key.revision);
    Ok(app.engine.update_key(&actor, UpdateKey { partner, key, name, remove: false }, render).await?)
}
