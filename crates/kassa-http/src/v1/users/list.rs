//! `GET /v1/resources/users`: oneself, and the customers of the partner that asks, newest first.

use axum::extract::State;
use kassa_domain::actor::UserActor;
use kassa_domain::event::EventId;
use kassa_domain::user::{User, UserId};
use kassa_domain::{Actor, ReadSet};
use kassa_engine::{Engine, Failure};
use kassa_store::PageWindow;
use kassa_store::queries::{CustomersFilter, CustomersOrder, OrderCriteria, OrdersFilter};

use super::model::{USER, UserBody};
use super::{crm_sums_by_user, customer_bodies, visible_user_bodies};
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
}

/// What is searched in is the e-mail, so that both words sort by it.
const SORT_FIELDS: [(&str, CustomerSortField); 2] =
    [("email", CustomerSortField::Email), ("suggest", CustomerSortField::Email)];

parameters! {
    pub(crate) struct Filters:
        ids(),
        single_value("suggest", schema::line(255), "Only those with this text in their e-mail."),
        value_list("order_event", schema::id(), "Only those with orders for these events."),
        words(
            "order_status", ORDER_STATUSES.words,
            "Only those with orders of these statuses for the events of `order_event`, which is required with it.",
        ),
        sort_fields(&SORT_FIELDS),
}

pub(crate) static ROUTE: Route = Route::new().list().shows(&USER);

#[utoipa::path(
    get, path = "/users", tag = "Users", operation_id = "list_users", summary = "List customers",
    description = "Yourself, and then the customers of your partner, newest first, as their newest orders say.",
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Users.", body = [UserBody]), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let own = actor.user();
    let filter = CustomersFilter {
        partners: actor.acting_partners(),
        except: own.map(|own| own.user),
        ids: query.ids("ids", &mut problems),
        email_contains: query.part_of_name("suggest", &mut problems),
        order_criteria: read_ordered_for(&query, &mut problems),
        order: read_customers_order(&query, &mut problems),
    };
    let slice = query.slice(&mut problems);
    problems.finish()?;
    let itself = match own {
        Some(own) => own_body(&app.engine, &actor, own, &filter).await?,
        None => None,
    };
    // The caller itself is the first of the list.
    let first = u32::from(itself.is_some());
    let shows_itself = first > 0 && slice.offset == 0 && slice.limit > 0;
    let window = PageWindow {
        limit: slice.limit - u32::from(shows_itself),
        offset: slice.offset.saturating_sub(first.into()),
        ..slice
    };
    let page = app.engine.page(filter, window).await?;
    let users: Vec<UserId> = page.rows.iter().filter_map(|order| order.customer.user).collect();
    let sums = crm_sums_by_user(&app.engine, &actor, users).await?;
    let customers = customer_bodies(&page.rows, &sums).map(|(_, _, body)| body);
    let items: Vec<UserBody> = itself.filter(|_| shows_itself).into_iter().chain(customers).collect();
    Ok(ApiResponse::list(&items, page.total + u64::from(first)))
}

/// The caller itself, if it is one of those that are asked for.
async fn own_body(
    engine: &Engine,
    actor: &Actor,
    own: &UserActor,
    filter: &CustomersFilter,
) -> Result<Option<UserBody>, Failure> {
    if filter.ids.as_ref().is_some_and(|ids| !ids.contains(&own.user)) {
        return Ok(None);
    }
    if let Some(OrderCriteria { events, status }) = filter.order_criteria.clone() {
        let ordered = OrdersFilter {
            customer: Some((own.user, own.confirmed_emails.clone())),
            events: Some(events),
            status,
            user: Some(own.user),
            ..OrdersFilter::default()
        };
        if engine.page(ordered, PageWindow::first(1)).await?.rows.is_empty() {
            return Ok(None);
        }
    }
    let is_named = |user: &User| {
        let text = filter.email_contains.as_deref().unwrap_or_default().to_lowercase();
        [Some(user.email.as_str()), user.first_name.as_deref(), user.last_name.as_deref()]
            .into_iter()
            .flatten()
            .any(|part| part.to_lowercase().contains(&text))
    };
    let read_set = ReadSet { users: vec![own.user], ..ReadSet::default() };
    if !engine.view(&read_set).await?.users.get(own.user).is_some_and(is_named) {
        return Ok(None);
    }
    let found = visible_user_bodies(engine, actor, vec![own.user]).await?;
    Ok(found.into_iter().next().map(|(_, _, body)| body))
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

/// `sort`: both fields are the e-mail, so that the first decides.
fn read_customers_order(query: &Query, problems: &mut Problems) -> CustomersOrder {
    match query.sort(&SORT_FIELDS, problems).first() {
        None => CustomersOrder::Newest,
        Some((CustomerSortField::Email, descending)) => CustomersOrder::Email { descending: *descending },
    }
}
