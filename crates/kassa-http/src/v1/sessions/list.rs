//! `GET /v1/resources/users/{user}/sessions`: where one is logged in, the session that was used last first.

use axum::extract::State;
use axum::http::HeaderMap;
use kassa_domain::permission;
use kassa_domain::user::User;

use super::model::{SESSION, SessionBody};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;
use crate::session_cookie;

pub(crate) static ROUTE: Route = Route::new().list().shows(&SESSION);

#[utoipa::path(
    get, path = "/users/{user}/sessions", tag = "Sessions", operation_id = "list_sessions",
    summary = "List your sessions",
    description = "Only your own: at most 100, the one that was used last first.",
    security(("cookie" = [])),
    responses((status = 200, description = "Sessions.", body = [SessionBody]), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(user): PathId<User>,
    headers: HeaderMap,
) -> Result<ApiResponse, ApiError> {
    permission::write_user(&actor, user)?;
    let current = session_cookie::session_token(&headers).map(|token| app.engine.session_id(&token));
    let sessions = app.engine.sessions_of(user).await?;
    let shown: Vec<SessionBody> = sessions.iter().map(|session| SessionBody::new(session, current)).collect();
    Ok(ApiResponse::list(&shown, shown.len() as u64))
}
