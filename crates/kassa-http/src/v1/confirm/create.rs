//! `POST /v1/services/confirm`: confirms an e-mail with the token that was sent there. Nobody needs a
//! credential for it: the token says whose it is.

use axum::extract::State;
use serde::Deserialize;

use crate::answer::Answer;
use crate::app::App;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::{AnyText, Input, Json, Problems, must};
use crate::v1::users::model::UserBody;

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Body {
    token: Input<AnyText>,
}

pub(crate) async fn handle(State(app): State<App>, _: Caller, Json(body): Json<Body>) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let token = body.token.required("token", &mut problems);
    problems.finish()?;
    let AnyText(token) = must(token)?;
    let (user, partners) = app.engine.confirm(&token).await?;
    Ok(Answer::ok(&UserBody::new(&user, partners)))
}
