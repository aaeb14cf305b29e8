//! `GET /v1/resources/users/{user}`: oneself, or a customer of the partner that asks.

use axum::extract::State;
use kassa_domain::user::User;
use kassa_domain::{Needs, permission};
use kassa_store::queries::{Crm, CrmScope};

use super::model::UserBody;
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
    let own = permission::is_self(&actor, id);
    let scope = if own { CrmScope::Own } else { CrmScope::Partners(actor.partners()) };
    let sums = app.engine.crm(Crm { user: id, scope }).await?;
    let view = app.engine.view(&Needs { users: vec![id], partners_of: vec![id], ..Needs::default() }).await?;
    let user = view.users.get(id).filter(|_| own || sums.known > 0);
    let user = user.ok_or_else(|| ApiError::not_found("user"))?;
    // Whom else a customer works for is its own affair.
    let partners = if own { view.partners_of(id) } else { Vec::new() };
    Ok(Answer::ok(&UserBody::new(user, partners).with_crm(&sums)))
}
