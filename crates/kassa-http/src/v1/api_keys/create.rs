//! `POST /v1/resources/partners/{partner}/api_keys`

use axum::extract::State;
use kassa_domain::key::ApiKey;
use kassa_domain::partner::Partner;

use super::model::{KeyBody, KeyInput, NewKey};
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems, must};
use crate::openapi::errors;

#[utoipa::path(
    post, path = "/partners/{partner}/api_keys", tag = "API keys", operation_id = "create_api_key",
    summary = "Make an API key",
    request_body = NewKey,
    responses((status = 201, description = "The key.", body = KeyBody), errors::Change),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(partner): PathId<Partner>,
    Json(body): Json<KeyInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let name = body.name.required("name", &mut problems);
    problems.finish()?;
    let render = |key: &ApiKey, token: &str| Answer::created(&KeyBody::new(key, token)).tagged(key.revision);
    Ok(app.engine.create_key(&actor, partner, must(name)?.0, render).await?)
}
