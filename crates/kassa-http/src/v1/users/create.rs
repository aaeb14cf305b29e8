//! `POST /v1/resources/users`: registers an account. Open to all; credentials are not looked at.

use axum::extract::State;
use kassa_domain::Actor;
use kassa_engine::accounts::Registration;

use super::model::RegisteredBody;
use crate::answer::Answer;
use crate::app::App;
use crate::error::ApiError;
use crate::input::{Address, Input, Json, PasswordText, Problems, Text, fields, must, requires};
use crate::openapi::errors;

fields! {
    /// A registration.
    pub(crate) struct RegistrationInput {
        email: Input<Address>,
        password: Input<PasswordText>,
        first_name: Input<Text>,
        last_name: Input<Text>,
    }
}

requires! {
    /// A registration.
    pub(crate) struct NewUser: RegistrationInput { email, password }
}

#[utoipa::path(
    post, path = "/users", tag = "Users", operation_id = "register", summary = "Register",
    description = "Open to all. The e-mail of a customer who has no account yet can be registered, too: the user logs \
                   in once it is confirmed.",
    security(()),
    request_body = NewUser,
    responses((status = 201, description = "The user.", body = RegisteredBody), errors::Register),
)]
pub(crate) async fn handle(State(app): State<App>, Json(body): Json<RegistrationInput>) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let email = body.email.required("email", &mut problems);
    let password = body.password.required("password", &mut problems);
    let first_name = body.first_name.optional("first_name", &mut problems).map(|text| text.0);
    let last_name = body.last_name.optional("last_name", &mut problems).map(|text| text.0);
    problems.finish()?;
    let (Address(email), PasswordText(password)) = (must(email)?, must(password)?);
    let registration = Registration { email, password, first_name, last_name };
    let user = app.engine.register(&Actor::Anonymous, registration).await?;
    Ok(Answer::created(&RegisteredBody::new(&user)).tagged(user.revision))
}
