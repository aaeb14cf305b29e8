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
use crate::openapi::errors;

#[utoipa::path(
    get, path = "/users/{user}", tag = "Users", operation_id = "get_user", summary = "Get a user",
    description = "Oneself, or a customer of the partner that asks.",
    responses((status = 200, description = "The user.", body = UserBody), errors::Read),
)]
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
    Ok(Answer::ok(&UserBody::new(user, partners).with_crm(&sums)).tagged(user.revision))
}
