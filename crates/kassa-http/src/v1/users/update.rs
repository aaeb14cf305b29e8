//! `PATCH /v1/resources/users/{user}`: one's own names; e-mail and password with the current
//! password.

use axum::extract::State;
use kassa_domain::Needs;
use kassa_domain::user::User;
use kassa_engine::accounts::UserChange;
use serde::Deserialize;

use super::model::UserBody;
use super::readable;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Address, AnyText, Input, Json, PasswordText, PathId, Problems, Text};

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Body {
    first_name: Input<Text>,
    last_name: Input<Text>,
    email: Input<Address>,
    password: Input<PasswordText>,
    current_password: Input<AnyText>,
}

pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(id): PathId<User>,
    Json(body): Json<Body>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let change = UserChange {
        first_name: body.first_name.patch("first_name", &mut problems).map(|text| text.0),
        last_name: body.last_name.patch("last_name", &mut problems).map(|text| text.0),
        email: body.email.patch_some("email", &mut problems).value().map(|address| address.0),
        password: body.password.patch_some("password", &mut problems).value().map(|text| text.0),
        current_password: body.current_password.optional("current_password", &mut problems).map(|text| text.0),
    };
    problems.finish()?;
    readable(&app, &actor, id).await?;
    let user = app.engine.update_user(&actor, id, change).await?;
    let view = app.engine.view(&Needs { partners_of: vec![id], ..Needs::default() }).await?;
    Ok(Answer::ok(&UserBody::new(&user, view.partners_of(id))))
}
