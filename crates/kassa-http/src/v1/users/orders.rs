//! `GET /v1/resources/users/{user}/orders`, newest first: one's own, under addresses that one has
//! proved; or those of a customer that the partner that asks sold or organizes.

use axum::extract::State;
use kassa_domain::permission;
use kassa_domain::user::User;
use kassa_store::queries::OrdersFilter;

use super::crm_sums_of_visible_user;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::params::{LimitOffsetParameters, ids, parameters, value_list, words};
use crate::openapi::{error_responses, schema};
use crate::response::ApiResponse;
use crate::route::Route;
use crate::v1::orders::model::{ORDER, OrderBody};
use crate::v1::orders::statuses::ORDER_STATUSES;

parameters! {
    pub(crate) struct Filters:
        ids(),
        value_list("event", schema::id(), "Only those for these events."),
        words("status", ORDER_STATUSES.words, "Only those with these statuses."),
}

pub(crate) static ROUTE: Route = Route::new().list().shows(&ORDER);

#[utoipa::path(
    get, path = "/users/{user}/orders", tag = "Users", operation_id = "list_user_orders",
    summary = "List the orders of a user",
    description = "Your own, under a confirmed e-mail; or those of a customer that your partner sold or organizes. \
                   Newest first.",
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Orders.", body = [OrderBody]), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<User>,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let own = actor.user().filter(|_| permission::is_self(&actor, id));
    let filter = OrdersFilter {
        partners: if own.is_some() { Vec::new() } else { actor.acting_partners() },
        customer: own.map(|own| (id, own.confirmed_emails.clone())),
        ids: query.ids("ids", &mut problems),
        events: query.ids("event", &mut problems),
        status: query.words("status", ORDER_STATUSES.words, &mut problems),
        user: Some(id),
        ..OrdersFilter::default()
    };
    let slice = query.slice(&mut problems);
    crm_sums_of_visible_user(&app, &actor, id).await?;
    problems.finish()?;
    let page = app.engine.page(filter, slice).await?;
    let items: Vec<OrderBody<'_>> = page.rows.iter().map(OrderBody::new).collect();
    Ok(ApiResponse::list(&items, page.total))
}
