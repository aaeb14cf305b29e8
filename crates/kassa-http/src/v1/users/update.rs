//! `PATCH /v1/resources/users/{user}`: one's own names; e-mail and password with the current
//! password. A new password ends all other sessions.

use axum::extract::State;
use axum::http::HeaderMap;
use kassa_domain::View;
use kassa_domain::user::User;
use kassa_engine::accounts::UserChange;

use super::model::UserBody;
use super::readable;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::cookie;
use crate::error::ApiError;
use crate::input::{Address, AnyText, Input, Json, PasswordText, PathId, Problems, Text, fields};
use crate::limits::{Tried, password_tried};
use crate::openapi::errors;

fields! {
    /// A change of a user.
    pub(crate) struct UserInput {
        first_name: Input<Text>,
        last_name: Input<Text>,
        email: Input<Address>,
        password: Input<PasswordText>,
        /// With a new `email` or `password`.
        current_password: Input<AnyText>,
    }
}

#[utoipa::path(
    patch, path = "/users/{user}", tag = "Users", operation_id = "update_user", summary = "Change one's account",
    description = "A new e-mail or password needs `current_password`. A new password ends all other sessions.",
    request_body = UserInput,
    responses((status = 200, description = "The user.", body = UserBody), errors::Change),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(id): PathId<User>,
    headers: HeaderMap,
    Json(body): Json<UserInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let change = UserChange {
        first_name: body.first_name.patch("first_name", &mut problems).map(|text| text.0),
        last_name: body.last_name.patch("last_name", &mut problems).map(|text| text.0),
        email: body.email.patch_some("email", &mut problems).value().map(|address| address.0),
        password: body.password.patch_some("password", &mut problems).value().map(|text| text.0),
        current_password: body.current_password.optional("current_password", &mut problems).map(|text| text.0),
        session: cookie::token(&headers),
    };
    problems.finish()?;
    readable(&app, &actor, id).await?;
    let render =
        |view: &View, user: &User| Answer::ok(&UserBody::new(user, view.partners_of(user.id))).tagged(user.revision);
    let tries_password = change.email.is_some() || change.password.is_some();
    let update = app.engine.update_user(&actor, id, change, render);
    if tries_password { password_tried(&app, Tried::OfUser(id), update).await } else { Ok(update.await?) }
}
