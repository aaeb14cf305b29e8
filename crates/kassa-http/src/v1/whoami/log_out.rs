//! `DELETE /v1/services/whoami`: logs out. Ends the session if there is one; 200 in any case.

use axum::extract::State;
use axum::http::HeaderMap;

use crate::app::AppState;
use crate::error::ApiError;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{Access, Route};
use crate::session_cookie;
use crate::wire::EmptyBody;

pub(crate) static ROUTE: Route = Route::new().access(Access::Session);

#[utoipa::path(
    delete, path = "/whoami", tag = "Sessions", operation_id = "log_out", summary = "Log out",
    description = "Ends the session of the cookie, if there is one.",
    security(()),
    responses(
        (
            status = 200, description = "An empty object.", body = EmptyBody,
            headers(("Set-Cookie" = String, description = "Takes `auth_tkt` away."))
        ),
        error_responses::LogOutErrors,
    ),
)]
pub(crate) async fn handle(State(app): State<AppState>, headers: HeaderMap) -> Result<ApiResponse, ApiError> {
    if let Some(token) = session_cookie::session_token(&headers).filter(|token| !token.is_empty()) {
        app.engine.log_out(&token).await?;
    }
    let (name, value) = session_cookie::set_cookie_header(&app, &headers, "");
    Ok(ApiResponse::removed().with_header(name, value))
}
