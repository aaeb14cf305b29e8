//! `DELETE /v1/services/whoami`: logs out. Ends the session if there is one; 200 in any case.

use axum::extract::State;
use axum::http::HeaderMap;

use crate::answer::Answer;
use crate::app::App;
use crate::cookie;
use crate::error::ApiError;
use crate::openapi::errors;
use crate::v1::partners::model::Empty;

#[utoipa::path(
    delete, path = "/whoami", tag = "Sessions", operation_id = "log_out", summary = "Log out",
    description = "Ends the session of the cookie, if there is one.",
    security(()),
    responses(
        (
            status = 200, description = "An empty object.", body = Empty,
            headers(("Set-Cookie" = String, description = "Takes `auth_tkt` away."))
        ),
        errors::LogOut,
    ),
)]
pub(crate) async fn handle(State(app): State<App>, headers: HeaderMap) -> Result<Answer, ApiError> {
    if let Some(token) = cookie::token(&headers).filter(|token| !token.is_empty()) {
        app.engine.log_out(&token).await?;
    }
    let (name, value) = cookie::set(&app, &headers, "");
    Ok(Answer::removed().header(name, value))
}
