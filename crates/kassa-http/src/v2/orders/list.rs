//! `GET /v2/resources/orders`: those that one sold, organizes or bought, newest first.

use axum::extract::State;
use kassa_domain::order::OrderId;
use kassa_domain::{Actor, permission};
use kassa_store::PageWindow;
use kassa_store::queries::{OrdersFilter, OrdersSort};

use super::super::order_status::{ORDER_STATUSES, OrderStatusV2};
use super::super::pagination::{CountParameters, PageParameters, PageRequest, time_range};
use super::model::OrderListResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{flag, ids, parameters, single_value, value_list, value_pair, words};
use crate::openapi::{error_responses, schema};
use crate::related::RelatedRows;
use crate::response::ApiResponse;
use crate::route::Route;

/// What orders can be sorted by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SortField {
    Created,
    Value,
    Email,
}

const SORT_FIELDS: [(&str, SortField); 3] =
    [("created_at", SortField::Created), ("value", SortField::Value), ("email", SortField::Email)];

parameters! {
    pub(crate) struct Filters:
        ids(),
        single_value(
            "search", schema::line(255),
            "Only those that a text finds: by the beginning of each word in the customer's e-mail, names and telephone, by the \
             number, or by a whole barcode. The newest 500. New orders are found after about a second.",
        ),
        single_value("number", schema::integer().minimum(Some(0)), "Only the order with this number."),
        value_pair(
            "created_at", schema::text_with_format("date-time"),
            "Only those created between these two times, the earlier first.",
        ),
        words("status", ORDER_STATUSES.words, "Only those with these statuses."),
        value_list("events", schema::id(), "Only those for these events."),
        value_list("event", schema::id(), "The same as `events`, which wins."),
        flag("only_with_customer", "Whether to leave out orders without the customer's e-mail; `false` by default."),
        value_list(
            "sort", schema::words(["created_at", "-created_at", "value", "-value", "email", "-email"]),
            "The field to sort by; `-` before it sorts in descending order. By `value`, what the customer pays, and by \
             the customer's `email` only together with `search` or `ids`.",
        ),
}

pub(crate) static ROUTE: Route = Route::new().list();

#[utoipa::path(
    get, path = "/orders", tag = "Orders", operation_id = "list_orders", summary = "List orders",
    description = "Those that you sold, organize or bought, newest first. Past the last page `data` is empty.",
    params(Filters, PageParameters, CountParameters),
    responses((status = 200, description = "Orders.", body = OrderListResponse), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let search = query.part_of_name("search", &mut problems).filter(|text| !text.is_empty());
    let mut filter = OrdersFilter {
        ids: query.ids("ids", &mut problems),
        number: query.number("number", &mut problems).map(|number| i64::try_from(number).unwrap_or(i64::MAX)),
        sort: read_sort(&query, search.is_some(), &mut problems),
        ..read_orders_filter(OrdersFilter::visible_to(&actor), &query, &mut problems)
    };
    let wanted = PageRequest::read_with_count(&query, &mut problems);
    problems.finish()?;
    if let Some(text) = search {
        let found = found_orders(&app, &actor, &text).await?;
        filter.ids = Some(match filter.ids {
            Some(ids) => found.into_iter().filter(|id| ids.contains(id)).collect(),
            None => found,
        });
    }
    let page = app.engine.page(filter, wanted.slice()).await?;
    let related = RelatedRows::of_orders(&app.engine, &page.rows).await?;
    Ok(OrderListResponse::new(&page.rows, related.lookup(), wanted, page.total).into_response())
}

/// `sort`: all orders only as an index has them; a few in other orders, too.
fn read_sort(query: &Query, is_search: bool, problems: &mut Problems) -> OrdersSort {
    let sort = match query.sort(&SORT_FIELDS, problems).first() {
        None | Some((SortField::Created, true)) => return OrdersSort::Newest,
        Some((SortField::Created, false)) => return OrdersSort::Oldest,
        Some((SortField::Value, descending)) => OrdersSort::Value { descending: *descending },
        Some((SortField::Email, descending)) => OrdersSort::Email { descending: *descending },
    };
    if !is_search && query.get("ids").is_none() {
        problems.add_parameter("sort", "must be created_at where neither search nor ids is said");
    }
    sort
}

/// Orders that a text finds, the one with that number among them.
async fn found_orders(app: &AppState, actor: &Actor, text: &str) -> Result<Vec<OrderId>, ApiError> {
    let mut found = app.engine.search_orders(&permission::sees_sales_of(actor), text).await?;
    if let Ok(number) = text.parse() {
        let filter = OrdersFilter { number: Some(number), ..OrdersFilter::visible_to(actor) };
        found.extend(app.engine.page(filter, PageWindow::first(1)).await?.rows.iter().map(|order| order.id));
    }
    Ok(found)
}

/// What a query wants of some orders, in a list and in a file.
pub(super) fn read_orders_filter(orders: OrdersFilter, query: &Query, problems: &mut Problems) -> OrdersFilter {
    let events = query.ids("events", problems);
    let also = query.ids("event", problems);
    OrdersFilter {
        events: events.or(also),
        status: query.words("status", ORDER_STATUSES.words, problems).map(OrderStatusV2::kinds_of),
        created: time_range("created_at", query, problems),
        with_customer: query.flag("only_with_customer", problems),
        ..orders
    }
}
