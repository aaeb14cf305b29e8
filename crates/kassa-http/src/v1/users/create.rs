//! `POST /v1/resources/users`: registers an account. Open to all; credentials are not looked at.

use axum::extract::State;
use kassa_domain::Actor;
use kassa_engine::accounts::Registration;

use super::limit_confirmation_mails;
use super::model::{RegisteredUserBody, USER};
use crate::app::AppState;
use crate::error::ApiError;
use crate::input::{EmailText, Input, Json, LineText, PasswordText, Problems, fields, required_value, requires};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{Access, RateLimit, Route};

fields! {
    /// A registration.
    pub(crate) struct RegistrationInput {
        /// The e-mail address, with which the user logs in: up to 254 characters.
        email: Input<EmailText>,
        /// 8 to 128 characters.
        password: Input<PasswordText>,
        /// The first name; up to 255 characters.
        first_name: Input<LineText>,
        /// The last name; up to 255 characters.
        last_name: Input<LineText>,
    }
}

requires! {
    /// A registration.
    pub(crate) struct NewUser: RegistrationInput { email, password }
}

pub(crate) static ROUTE: Route = Route::new().shows(&USER).access(Access::Session).rate_limit(RateLimit::Registration);

#[utoipa::path(
    post, path = "/users", tag = "Users", operation_id = "register", summary = "Register",
    description = "Open to everyone. A customer without an account registers with the e-mail of its orders, and can \
                   log in once the e-mail is confirmed.",
    security(()),
    request_body = NewUser,
    responses((status = 201, description = "The user.", body = RegisteredUserBody), error_responses::RegisterErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    Json(body): Json<RegistrationInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let email = body.email.required("email", &mut problems);
    let password = body.password.required("password", &mut problems);
    let first_name = body.first_name.optional("first_name", &mut problems).map(|text| text.0);
    let last_name = body.last_name.optional("last_name", &mut problems).map(|text| text.0);
    problems.finish()?;
    let (EmailText(email), PasswordText(password)) = (required_value(email)?, required_value(password)?);
    let registration = Registration { email: email.clone(), password, first_name, last_name };
    let registered = app.engine.register(&Actor::Anonymous, registration);
    let user = limit_confirmation_mails(&app, &email, registered).await?;
    Ok(ApiResponse::created(&RegisteredUserBody::new(&user)).with_revision(user.revision))
}
