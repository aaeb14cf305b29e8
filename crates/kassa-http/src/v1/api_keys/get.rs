//! `GET /v1/resources/partners/{partner}/api_keys/{key}`

use axum::extract::State;
use kassa_domain::key::ApiKey;
use kassa_domain::partner::Partner;
use kassa_domain::{Needs, permission};

use super::model::KeyBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::errors;

#[utoipa::path(
    get, path = "/partners/{partner}/api_keys/{key}", tag = "API keys", operation_id = "get_api_key",
    summary = "Get an API key",
    responses((status = 200, description = "The key.", body = KeyBody), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(partner): PathId<Partner>,
    PathId(id): PathId<ApiKey, 1>,
) -> Result<Answer, ApiError> {
    permission::keys_of(&actor, partner)?;
    let view = app.engine.view(&Needs { keys: vec![id], ..Needs::default() }).await?;
    let key = view.keys.get(id).filter(|key| key.partner == partner);
    let key = key.ok_or_else(|| ApiError::not_found("api_key"))?;
    Ok(Answer::ok(&KeyBody::new(key, &app.engine.token_of(key)?)).tagged(key.revision))
}
