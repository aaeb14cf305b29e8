//! `POST /v1/services/whoami`: logs in. Credentials that come along are not looked at.

use axum::extract::State;
use axum::http::HeaderMap;

use crate::answer::Answer;
use crate::app::App;
use crate::cookie;
use crate::error::ApiError;
use crate::input::{Address, AnyText, Input, Json, Problems, fields, must, requires};
use crate::limits::{Tried, password_tried};
use crate::openapi::errors;
use crate::v1::users::model::UserBody;

fields! {
    /// Who logs in.
    pub(crate) struct LoginInput {
        email: Input<Address>,
        password: Input<AnyText>,
    }
}

requires! {
    /// Who logs in.
    pub(crate) struct Login: LoginInput { email, password }
}

#[utoipa::path(
    post, path = "/whoami", tag = "Sessions", operation_id = "log_in", summary = "Log in",
    description = "Sets the cookie `auth_tkt`, which is good for 30 days from its last use.",
    security(()),
    request_body = Login,
    responses(
        (
            status = 200, description = "The user.", body = UserBody,
            headers(("Set-Cookie" = String, description = "The session: `auth_tkt`."))
        ),
        errors::LogIn,
    ),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    headers: HeaderMap,
    Json(body): Json<LoginInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let email = body.email.required("email", &mut problems);
    let password = body.password.required("password", &mut problems);
    problems.finish()?;
    let (Address(email), AnyText(password)) = (must(email)?, must(password)?);
    let log_in = app.engine.log_in(&email, password);
    let (user, partners, token) = password_tried(&app, Tried::OfEmail(email.clone()), log_in).await?;
    let (name, value) = cookie::set(&app, &headers, &token);
    Ok(Answer::ok(&UserBody::new(&user, partners)).tagged(user.revision).header(name, value))
}
