//! `POST /v1/services/whoami`: logs in. Credentials that come along are not looked at.

use axum::extract::State;
use axum::http::HeaderMap;
use kassa_domain::ReadSet;
use kassa_domain::user::{Email, UserId};

use crate::app::AppState;
use crate::error::ApiError;
use crate::input::{AnyText, EmailText, Input, Json, Problems, fields, required_value, requires};
use crate::openapi::error_responses;
use crate::password_attempts::limit_code_attempts;
use crate::rate_limits::PasswordTarget;
use crate::response::ApiResponse;
use crate::route::{Access, RateLimit, Route};
use crate::session_cookie;
use crate::v1::users::model::{USER, UserBody};

fields! {
    /// Who logs in.
    pub(crate) struct LoginInput {
        /// The e-mail address of the account.
        email: Input<EmailText>,
        /// The password of the account.
        password: Input<AnyText>,
        /// A code of the second factor, or a recovery code, where the account has one.
        code: Input<AnyText>,
    }
}

requires! {
    /// Who logs in.
    pub(crate) struct Login: LoginInput { email, password }
}

pub(crate) static ROUTE: Route = Route::new().shows(&USER).access(Access::Session).rate_limit(RateLimit::LogIn);

#[utoipa::path(
    post, path = "/whoami", tag = "Sessions", operation_id = "log_in", summary = "Log in",
    description = "Sets the cookie `auth_tkt`, which is valid for 30 days from its last use. An account with a second \
                   factor needs a `code`.",
    security(()),
    request_body = Login,
    responses(
        (
            status = 200, description = "The user.", body = UserBody,
            headers(("Set-Cookie" = String, description = "The session: `auth_tkt`."))
        ),
        error_responses::LogInErrors,
    ),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    headers: HeaderMap,
    Json(body): Json<LoginInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let email = body.email.required("email", &mut problems);
    let password = body.password.required("password", &mut problems);
    let code = body.code.optional("code", &mut problems).map(|text| text.0);
    problems.finish()?;
    let (EmailText(email), AnyText(password)) = (required_value(email)?, required_value(password)?);
    let log_in = app.engine.log_in(&email, password, code.as_deref());
    let with_code = match code {
        Some(_) => user_by_email(&app, &email).await?,
        None => None,
    };
    let tried = PasswordTarget::Email(email.clone());
    let (user, partners, token) = Box::pin(limit_code_attempts(&app, tried, with_code, log_in)).await?;
    let (name, value) = session_cookie::set_cookie_header(&app, &headers, &token);
    Ok(ApiResponse::ok(&UserBody::new(&user, partners)).with_revision(user.revision).with_header(name, value))
}

async fn user_by_email(app: &AppState, email: &Email) -> Result<Option<UserId>, ApiError> {
    let view = app.engine.view(&ReadSet { users_by_email: vec![email.clone()], ..ReadSet::default() }).await?;
    Ok(view.user_by_email(email).map(|user| user.id))
}
