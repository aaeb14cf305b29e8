//! `GET /v1/resources/users`: oneself, and the customers of the partner that asks, newest first.

use axum::extract::State;
use kassa_domain::event::EventId;
use kassa_domain::user::{User, UserId};
use kassa_domain::{ReadSet, permission};
use kassa_store::queries::{CustomersFilter, CustomersOrder, OrderCriteria};

use super::crm_sums_by_user;
use super::model::{USER, UserBody};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{LimitOffsetParameters, ids, parameters, single_value, sort_fields, value_list, words};
use crate::openapi::{error_responses, schema};
use crate::response::ApiResponse;
use crate::route::Route;
use crate::v1::orders::statuses::ORDER_STATUSES;

#[derive(Clone, Copy, PartialEq)]
enum CustomerSortField {
    Email,
    Suggest,
}

const SORT_FIELDS: [(&str, CustomerSortField); 2] =
    [("email", CustomerSortField::Email), ("suggest", CustomerSortField::Suggest)];

parameters! {
    pub(crate) struct Filters:
        ids(),
        single_value("suggest", schema::line(255), "Only those with this text in their names or e-mail."),
        value_list("order_event", schema::id(), "Only those with orders for these events."),
        words(
            "order_status", ORDER_STATUSES.words,
            "Only those with orders of these statuses for the events of `order_event`, which is required with it.",
        ),
        sort_fields(&SORT_FIELDS),
}

pub(crate) static ROUTE: Route = Route::new().shows(&USER);

#[utoipa::path(
    get, path = "/users", tag = "Users", operation_id = "list_users", summary = "List customers",
    description = "Yourself and the customers of your partner, newest first.",
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Users.", body = [UserBody]), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let filter = CustomersFilter {
        partners: actor.acting_partners(),
        caller: actor.user().map(|user| (user.user, user.confirmed_emails.clone())),
        ids: query.ids("ids", &mut problems),
        name_contains: query.part_of_name("suggest", &mut problems),
        order_criteria: read_ordered_for(&query, &mut problems),
        order: read_customers_order(&query, &mut problems),
    };
    let slice = query.slice(&mut problems);
    problems.finish()?;
    let page = app.engine.page(filter, slice).await?;
    let users: Vec<UserId> = page.rows.iter().map(|user| user.id).collect();
    // Whom else a customer works for is its own affair.
    let partners_of = users.iter().copied().filter(|user| permission::is_self(&actor, *user)).collect();
    let view = app.engine.view(&ReadSet { partners_of, ..ReadSet::default() }).await?;
    let sums = crm_sums_by_user(&app.engine, &actor, users).await?;
    let body = |user: &User| {
        let sums = sums.get(&user.id).copied().unwrap_or_default();
        UserBody::new(user, view.partners_of(user.id)).with_crm(&sums)
    };
    let items: Vec<UserBody> = page.rows.iter().map(body).collect();
    Ok(ApiResponse::list(&items, page.total))
}

/// `order_event`, and `order_status` with it.
fn read_ordered_for(query: &Query, problems: &mut Problems) -> Option<OrderCriteria> {
    let status = query.words("order_status", ORDER_STATUSES.words, problems);
    let events: Option<Vec<EventId>> = query.ids("order_event", problems);
    if status.is_some() && events.is_none() {
        problems.add_parameter("order_status", "can be given only together with order_event");
    }
    events.map(|events| OrderCriteria { events, status })
}

/// `sort`: no two users have the same e-mail, so that the first field decides.
fn read_customers_order(query: &Query, problems: &mut Problems) -> CustomersOrder {
    match query.sort(&SORT_FIELDS, problems).first() {
        None => CustomersOrder::Newest,
        Some((CustomerSortField::Email, descending)) => CustomersOrder::Email { descending: *descending },
        Some((CustomerSortField::Suggest, descending)) => CustomersOrder::Suggest { descending: *descending },
    }
}
