//! `POST /v1/services/password_reset`: sends a token to an address that sets a new password, if an account has it.
//! The answer is the same if none does, and takes as long.

use axum::extract::State;
use kassa_engine::metrics::Limit;

use crate::app::AppState;
use crate::error::ApiError;
use crate::input::{EmailText, Input, Json, Problems, fields, required_value, requires};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{Access, RateLimit, Route};
use crate::wire::EmptyBody;

fields! {
    /// Who has forgotten a password.
    pub(crate) struct PasswordResetInput {
        /// The e-mail address of the account.
        email: Input<EmailText>,
    }
}

requires! {
    /// Who has forgotten a password.
    pub(crate) struct PasswordReset: PasswordResetInput { email }
}

pub(crate) static ROUTE: Route = Route::new().access(Access::Checked).rate_limit(RateLimit::PasswordReset);

#[utoipa::path(
    post, path = "/password_reset", tag = "Sessions", operation_id = "request_password_reset",
    summary = "Reset a password",
    description = "Mails a token to the address, if an account has it: the response is the same if none does. The token \
                   is valid for an hour, once.",
    security((), ("key" = []), ("cookie" = [])),
    request_body = PasswordReset,
    responses((status = 200, description = "An empty object.", body = EmptyBody), error_responses::ResetErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    Json(body): Json<PasswordResetInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let email = body.email.required("email", &mut problems);
    problems.finish()?;
    let EmailText(email) = required_value(email)?;
    let acquired = app.rate_limiters.password_resets_of_email.try_acquire(&email, app.engine.now());
    acquired.inspect_err(|_| app.engine.limit_hits().record(Limit::PasswordResets))?;
    app.engine.request_password_reset(email).await?;
    Ok(ApiResponse::removed())
}
