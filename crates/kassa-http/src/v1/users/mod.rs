//! `/v1/resources/users`

mod create;
mod get;
mod list;
pub(super) mod model;
mod orders;
mod update;

use std::collections::BTreeMap;

use kassa_domain::user::UserId;
use kassa_domain::{Actor, permission};
use kassa_engine::{Engine, Failure};
use kassa_store::queries::{CustomerTotals, CustomerTotalsByUserQuery, CustomerTotalsQuery, CustomerTotalsScope};

use crate::app::AppState;
use crate::error::ApiError;
use crate::route::{ApiRoutes, endpoints};

/// Adds these endpoints.
pub(super) fn routes(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(routes, "/v1/resources", [list, create, get, update, orders])
}

/// What the user has bought, as the caller may know it. Who is neither oneself nor a customer of
/// the partner that asks is not there.
async fn crm_sums_of_visible_user(app: &AppState, actor: &Actor, user: UserId) -> Result<CustomerTotals, ApiError> {
    let own = actor.user().filter(|_| permission::is_self(actor, user));
    let scope = own.map_or_else(
        || CustomerTotalsScope::OfPartners(actor.acting_partners()),
        |own| CustomerTotalsScope::CustomersOwn(own.confirmed_emails.clone()),
    );
    let sums = app.engine.crm(CustomerTotalsQuery { user, scope }).await?;
    if own.is_some() || sums.all_orders > 0 { Ok(sums) } else { Err(ApiError::not_found("user")) }
}

/// What several users have bought, as the caller may know it: oneself, and customers of the
/// partners that ask. Who is neither is missing.
pub(super) async fn crm_sums_by_user(
    engine: &Engine,
    actor: &Actor,
    users: Vec<UserId>,
) -> Result<BTreeMap<UserId, CustomerTotals>, Failure> {
    let own = actor.user().filter(|own| users.contains(&own.user));
    let mut sums = engine
        .crm_of(CustomerTotalsByUserQuery { users, scope: CustomerTotalsScope::OfPartners(actor.acting_partners()) })
        .await?;
    if let Some(own) = own {
        let query = CustomerTotalsByUserQuery {
            users: vec![own.user],
            scope: CustomerTotalsScope::CustomersOwn(own.confirmed_emails.clone()),
        };
        let mine = engine.crm_of(query).await?.remove(&own.user).unwrap_or_default();
        sums.insert(own.user, mine);
    }
    Ok(sums)
}
