//! `GET /v1/resources/users/{user}`: oneself, or a customer of the partner that asks.

use axum::extract::State;
use kassa_domain::user::User;
use kassa_domain::{Needs, permission};

use super::model::UserBody;
use super::readable;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::PathId;

pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(id): PathId<User>,
) -> Result<Answer, ApiError> {
    let sums = readable(&app, &actor, id).await?;
    let view = app.engine.view(&Needs { users: vec![id], partners_of: vec![id], ..Needs::default() }).await?;
    let user = view.users.get(id).ok_or_else(|| ApiError::not_found("user"))?;
    // Whom else a customer works for is its own affair.
    let partners = if permission::is_self(&actor, id) { view.partners_of(id) } else { Vec::new() };
    Ok(Answer::ok(&UserBody::new(user, partners).with_crm(&sums)))
}
