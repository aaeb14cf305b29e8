//! `GET /v1/resources/orders`: those that one sold, organizes or bought, newest first.

use axum::extract::State;
use kassa_store::queries::OrdersFilter;

use super::model::{ORDER, OrderBody};
use super::statuses::ORDER_STATUSES;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{LimitOffsetParameters, ids, parameters, single_value, value_list, words};
use crate::openapi::{error_responses, schema};
use crate::response::ApiResponse;
use crate::route::Route;

parameters! {
    pub(crate) struct Filters:
        ids(),
        value_list("event", schema::id(), "Only those for these events."),
        words("status", ORDER_STATUSES.words, "Only those with these statuses."),
        single_value("vendor", schema::id(), "Only those that this partner sold."),
        single_value("org", schema::id(), "Only those for events of this organizer."),
}

pub(crate) static ROUTE: Route = Route::new().list().shows(&ORDER);

#[utoipa::path(
    get, path = "/orders", tag = "Orders", operation_id = "list_orders", summary = "List orders",
    description = "Those that you sold, organize or bought, newest first.",
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Orders.", body = [OrderBody]), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let filter = OrdersFilter {
        ids: query.ids("ids", &mut problems),
        events: query.ids("event", &mut problems),
        status: query.words("status", ORDER_STATUSES.words, &mut problems),
        vendor: query.id("vendor", &mut problems),
        org: query.id("org", &mut problems),
        ..OrdersFilter::visible_to(&actor)
    };
    let slice = query.slice(&mut problems);
    problems.finish()?;
    let page = app.engine.page(filter, slice).await?;
    let items: Vec<OrderBody<'_>> = page.rows.iter().map(OrderBody::new).collect();
    Ok(ApiResponse::list(&items, page.total))
}
