//! `/v1/resources/users`

mod create;
mod get;
mod list;
pub(super) mod model;
mod orders;
mod update;

use std::collections::BTreeMap;

use kassa_domain::order::Order;
use kassa_domain::user::{Email, UserId};
use kassa_domain::{Actor, ReadSet, permission};
use kassa_engine::metrics::Limit;
use kassa_engine::{Engine, Failure};
use kassa_store::PageWindow;
use kassa_store::queries::{
    CustomerTotals, CustomerTotalsByUserQuery, CustomerTotalsQuery, CustomerTotalsScope, CustomersFilter,
};

use crate::app::AppState;
use crate::error::ApiError;
use crate::route::{ApiRoutes, endpoints};
use model::UserBody;

/// Adds these endpoints.
pub(super) fn routes(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(routes, "/v1/resources", [list, create, get, update, orders])
}

/// Does what asks an e-mail for its confirmation by mail, if one more mail may go there. What fails sends none, and does
/// not count.
async fn limit_confirmation_mails<T, E: Into<ApiError>>(
    app: &AppState,
    email: &Email,
    asks: impl Future<Output = Result<T, E>>,
) -> Result<T, ApiError> {
    let mails = &app.rate_limiters.confirmations_of_email;
    let acquired = mails.try_acquire(email, app.engine.now());
    acquired.inspect_err(|_| app.engine.limit_hits().record(Limit::Confirmations))?;
    let result = asks.await;
    if result.is_err() {
        mails.give_back(email, app.engine.now());
    }
    result.map_err(Into::into)
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

/// Users as the caller may see them: itself with its account, customers of its partners as their newest orders say. Who
/// is neither is missing.
pub(super) async fn visible_user_bodies(
    engine: &Engine,
    actor: &Actor,
    users: Vec<UserId>,
) -> Result<Vec<(UserId, i64, UserBody)>, Failure> {
    let own: Vec<UserId> = users.iter().copied().filter(|user| permission::is_self(actor, *user)).collect();
    let view = engine.view(&ReadSet { users: own.clone(), partners_of: own.clone(), ..ReadSet::default() }).await?;
    let window = PageWindow::first(u32::try_from(users.len()).unwrap_or(u32::MAX));
    let filter = CustomersFilter {
        partners: actor.acting_partners(),
        ids: Some(users.clone()),
        except: own.first().copied(),
        ..CustomersFilter::default()
    };
    let newest = engine.page(filter, window).await?.rows;
    let sums = crm_sums_by_user(engine, actor, users).await?;
    let itself = own.into_iter().filter_map(|id| {
        let (user, sums) = (view.users.get(id)?, sums.get(&id).copied().unwrap_or_default());
        Some((id, user.revision, UserBody::new(user, view.partners_of(id)).with_crm(&sums)))
    });
    Ok(itself.chain(customer_bodies(&newest, &sums)).collect())
}

/// Customers, by the newest order of each.
fn customer_bodies(
    newest: &[Order],
    sums: &BTreeMap<UserId, CustomerTotals>,
) -> impl Iterator<Item = (UserId, i64, UserBody)> {
    newest.iter().filter_map(|order| {
        let user = order.customer.user?;
        Some((user, order.revision.number(), UserBody::of_customer(user, order, sums.get(&user)?)))
    })
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
