//! `DELETE /v1/resources/users/{user}/sessions`: ends all of one's own sessions, also this one.

use axum::extract::State;
use axum::http::HeaderMap;
use kassa_domain::user::User;

use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;
use crate::session_cookie;
use crate::wire::EmptyBody;

pub(crate) static ROUTE: Route = Route::new();

#[utoipa::path(
    delete, path = "/users/{user}/sessions", tag = "Sessions", operation_id = "end_sessions",
    summary = "End all your sessions",
    description = "Also the one of this request.",
    security(("cookie" = [])),
    responses(
        (
            status = 200, description = "An empty object.", body = EmptyBody,
            headers(("Set-Cookie" = String, description = "Takes `auth_tkt` away."))
        ),
        error_responses::ReadErrors,
    ),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(user): PathId<User>,
    headers: HeaderMap,
) -> Result<ApiResponse, ApiError> {
    let answer = app.engine.end_sessions(&actor, user, ApiResponse::removed).await?;
    let (name, value) = session_cookie::set_cookie_header(&app, &headers, "");
    Ok(answer.with_header(name, value))
}
