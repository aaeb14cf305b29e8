//! `DELETE /v1/resources/users/{user}/second_factor`: removes one's own second factor.

use axum::extract::State;
use kassa_domain::user::User;

use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{AnyText, Input, Json, PathId, Problems, fields, requires};
use crate::openapi::error_responses;
use crate::password_attempts::limit_code_attempts;
use crate::rate_limits::PasswordTarget;
use crate::response::ApiResponse;
use crate::route::Route;
use crate::wire::EmptyBody;

fields! {
    /// What it takes to remove a second factor.
    pub(crate) struct SecondFactorRemovalInput {
        /// The current password.
        current_password: Input<AnyText>,
        /// A code of the app, or a recovery code. One that was not confirmed needs none.
        code: Input<AnyText>,
    }
}

requires! {
    /// What it takes to remove a second factor.
    pub(crate) struct SecondFactorRemoval: SecondFactorRemovalInput { current_password }
}

pub(crate) static ROUTE: Route = Route::new();

#[utoipa::path(
    delete, path = "/users/{user}/second_factor", tag = "Users", operation_id = "remove_second_factor",
    summary = "Remove the second factor",
    description = "With the current password and a code, or a recovery code.",
    security(("cookie" = [])),
    request_body = SecondFactorRemoval,
    responses((status = 200, description = "An empty object.", body = EmptyBody), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(user): PathId<User>,
    Json(body): Json<SecondFactorRemovalInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let password = body.current_password.optional("current_password", &mut problems).map(|text| text.0);
    let code = body.code.optional("code", &mut problems).map(|text| text.0);
    problems.finish()?;
    // Those of others are refused, and count for nobody.
    let tried = code.as_ref().and(actor.user()).map(|actor| actor.user).filter(|own| *own == user);
    let remove = app.engine.remove_second_factor(&actor, user, password, code.as_deref(), ApiResponse::removed);
    Box::pin(limit_code_attempts(&app, PasswordTarget::User(user), tried, remove)).await
}
