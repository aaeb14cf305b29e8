//! `DELETE /v1/resources/partners/{partner}/api_keys/{key}`: the key is dead at once.

use axum::extract::State;
use kassa_domain::key::{ApiKey, UpdateKey};
use kassa_domain::partner::Partner;

use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::errors;
use crate::v1::partners::model::Empty;

#[utoipa::path(
    delete, path = "/partners/{partner}/api_keys/{key}", tag = "API keys", operation_id = "remove_api_key",
    summary = "Remove an API key", description = "It is dead at once.",
    responses((status = 200, description = "An empty object.", body = Empty), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(partner): PathId<Partner>,
    PathId(key): PathId<ApiKey, 1>,
) -> Result<Answer, ApiError> {
    let command = UpdateKey { partner, key, name: None, remove: true };
    Ok(app.engine.update_key(&actor, command, |_| Answer::removed()).await?)
}
