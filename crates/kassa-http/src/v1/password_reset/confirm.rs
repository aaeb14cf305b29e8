//! `POST /v1/services/password_reset/confirm`: sets a new password with the token from the mail. All sessions end, and
//! none begins.

use axum::extract::State;

use crate::app::AppState;
use crate::error::ApiError;
use crate::input::{AnyText, Input, Json, PasswordText, Problems, fields, required_value, requires};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{Access, RateLimit, Route};
use crate::v1::users::model::{USER, UserBody};

fields! {
    /// What came by mail, and the new password.
    pub(crate) struct NewPasswordInput {
        /// The token from the mail.
        token: Input<AnyText>,
        /// The new password: 8 to 128 characters.
        password: Input<PasswordText>,
    }
}

requires! {
    /// What came by mail, and the new password.
    pub(crate) struct NewPassword: NewPasswordInput { token, password }
}

pub(crate) static ROUTE: Route = Route::new().shows(&USER).access(Access::Checked).rate_limit(RateLimit::PasswordReset);

#[utoipa::path(
    post, path = "/password_reset/confirm", tag = "Sessions", operation_id = "reset_password",
    summary = "Set a new password",
    description = "With the token from the mail. It confirms the e-mail and ends all sessions; it does not log in.",
    security((), ("key" = []), ("cookie" = [])),
    request_body = NewPassword,
    responses((status = 200, description = "The user.", body = UserBody), error_responses::ResetErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    Json(body): Json<NewPasswordInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let token = body.token.required("token", &mut problems);
    let password = body.password.required("password", &mut problems);
    problems.finish()?;
    let (AnyText(token), PasswordText(password)) = (required_value(token)?, required_value(password)?);
    let (user, partners) = app.engine.reset_password(&token, password).await?;
    Ok(ApiResponse::ok(&UserBody::new(&user, partners)).with_revision(user.revision))
}
