//! `DELETE /v1/services/whoami`: logs out. Ends the session if there is one; 200 in any case.

use axum::extract::State;
use axum::http::HeaderMap;

use super::set_cookie;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::session_token;
use crate::error::ApiError;

pub(crate) async fn handle(State(app): State<App>, headers: HeaderMap) -> Result<Answer, ApiError> {
    if let Some(token) = session_token(&headers).filter(|token| !token.is_empty()) {
        app.engine.log_out(&token).await?;
    }
    let (name, value) = set_cookie(&app, &headers, "");
    Ok(Answer::removed().header(name, value))
}
