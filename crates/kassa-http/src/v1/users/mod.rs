//! `/v1/resources/users`

pub(super) mod create;
pub(super) mod get;
pub(super) mod model;
pub(super) mod update;

use kassa_domain::user::UserId;
use kassa_domain::{Actor, permission};
use kassa_store::queries::{Crm, CrmScope, CrmSums};

use crate::app::App;
use crate::error::ApiError;

/// What the user has bought, as the caller may know it. Who is neither oneself nor a customer of
/// the partner that asks is not there.
async fn readable(app: &App, actor: &Actor, user: UserId) -> Result<CrmSums, ApiError> {
    let own = actor.user().filter(|_| permission::is_self(actor, user));
    let scope = own.map_or_else(|| CrmScope::Partners(actor.partners()), |own| CrmScope::Own(own.proved.clone()));
    let sums = app.engine.crm(Crm { user, scope }).await?;
    if own.is_some() || sums.known > 0 { Ok(sums) } else { Err(ApiError::not_found("user")) }
}
