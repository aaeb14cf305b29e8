//! `POST /v1/resources/users/{user}/second_factor/confirm`: activates the second factor with a first code.

use axum::extract::State;
use axum::http::HeaderMap;
use kassa_domain::user::User;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{AnyText, Input, Json, PathId, Problems, fields, required_value, requires};
use crate::openapi::error_responses;
use crate::password_attempts::limit_password_attempts;
use crate::rate_limits::PasswordTarget;
use crate::response::ApiResponse;
use crate::route::Route;
use crate::session_cookie;

fields! {
    /// A first code.
    pub(crate) struct SecondFactorCodeInput {
        /// The code that the app shows: 6 digits.
        code: Input<AnyText>,
    }
}

requires! {
    /// A first code.
    pub(crate) struct SecondFactorCode: SecondFactorCodeInput { code }
}

/// What replaces a code when the app is lost. It is shown once.
#[derive(Serialize, ToSchema)]
#[schema(as = RecoveryCodes)]
pub(crate) struct RecoveryCodesBody<'a> {
    /// Ten codes, each of which is accepted once in place of a code of the app.
    recovery_codes: &'a [String],
}

pub(crate) static ROUTE: Route = Route::new();

#[utoipa::path(
    post, path = "/users/{user}/second_factor/confirm", tag = "Users", operation_id = "confirm_second_factor",
    summary = "Activate the second factor",
    description = "From then on a log-in needs a code. All other sessions of the user end. The response has recovery \
                   codes, and is shown once.",
    security(("cookie" = [])),
    request_body = SecondFactorCode,
    responses(
        (status = 200, description = "Recovery codes.", body = RecoveryCodesBody),
        error_responses::ChangeErrors
    ),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(user): PathId<User>,
    headers: HeaderMap,
    Json(body): Json<SecondFactorCodeInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let code = body.code.required("code", &mut problems);
    kassa_domain::permission::write_user(&actor, user)?;
    problems.finish()?;
    let AnyText(code) = required_value(code)?;
    let session = session_cookie::session_token(&headers);
    let render = |codes: &[String]| ApiResponse::ok(&RecoveryCodesBody { recovery_codes: codes });
    let activate = app.engine.activate_second_factor(&actor, user, &code, session.as_deref(), render);
    limit_password_attempts(&app, PasswordTarget::User(user), activate).await
}
