//! `DELETE /v1/resources/users/{user}/sessions/{session}`: ends one of one's own sessions.

use axum::extract::State;
use kassa_domain::permission;
use kassa_domain::user::User;

use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{PathId, PathText};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;
use crate::wire::EmptyBody;

pub(crate) static ROUTE: Route = Route::new();

#[utoipa::path(
    delete, path = "/users/{user}/sessions/{session}", tag = "Sessions", operation_id = "end_session",
    summary = "End one of your sessions",
    description = "Its next request is refused.",
    security(("cookie" = [])),
    responses((status = 200, description = "An empty object.", body = EmptyBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(user): PathId<User>,
    PathText(session): PathText<1>,
) -> Result<ApiResponse, ApiError> {
    permission::write_user(&actor, user)?;
    let session = session.parse().map_err(|_| ApiError::not_found("session"))?;
    Ok(app.engine.end_session(&actor, user, session, ApiResponse::removed).await?)
}
