//! `POST /v1/services/whoami`: logs in. Credentials that come along are not looked at.

use axum::extract::State;
use axum::http::HeaderMap;
use serde::Deserialize;

use crate::answer::Answer;
use crate::app::App;
use crate::cookie;
use crate::error::ApiError;
use crate::input::{Address, AnyText, Input, Json, Problems, must};
use crate::v1::users::model::UserBody;

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Body {
    email: Input<Address>,
    password: Input<AnyText>,
}

pub(crate) async fn handle(
    State(app): State<App>,
    headers: HeaderMap,
    Json(body): Json<Body>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let email = body.email.required("email", &mut problems);
    let password = body.password.required("password", &mut problems);
    problems.finish()?;
    let (Address(email), AnyText(password)) = (must(email)?, must(password)?);
    let (user, partners, token) = app.engine.log_in(&email, password).await?;
    let (name, value) = cookie::set(&app, &headers, &token);
    Ok(Answer::ok(&UserBody::new(&user, partners)).header(name, value))
}
