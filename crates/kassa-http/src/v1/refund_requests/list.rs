//! `GET /v1/resources/refund_requests`: those for what one sold or organizes, newest first.

use axum::extract::State;
use kassa_store::queries::{RefundsFilter, RefundsOrder};

use super::model::{REFUND_REQUEST, RefundBody};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{
    LimitOffsetParameters, ids, parameters, single_value, sort_fields, value_list, value_pair, words,
};
use crate::openapi::{error_responses, schema};
use crate::response::ApiResponse;
use crate::route::Route;
use crate::wire::{REFUND_STATUSES, TimeInput};

#[derive(Clone, Copy, PartialEq)]
enum RefundSortField {
    Created,
    Value,
}

const SORT_FIELDS: [(&str, RefundSortField); 2] =
    [("created_at", RefundSortField::Created), ("value", RefundSortField::Value)];

parameters! {
    pub(crate) struct Filters:
        ids(),
        value_list("event", schema::id(), "Only those for these events; also `events`."),
        value_list("order", schema::id(), "Only those for these orders."),
        words("status", REFUND_STATUSES.words, "Only those with these statuses."),
        single_value("vendor", schema::id(), "Only those for tickets that this partner sold."),
        single_value("org", schema::id(), "Only those for events of this organizer."),
        value_pair(
            "created_at", schema::text_with_format("date-time"),
            "Only those created between these two times, the earlier first.",
        ),
        value_pair(
            "finished_at", schema::text_with_format("date-time"),
            "Only those approved or rejected between these two times, the earlier first.",
        ),
        sort_fields(&SORT_FIELDS),
}

pub(crate) static ROUTE: Route = Route::new().list().shows(&REFUND_REQUEST);

#[utoipa::path(
    get, path = "/refund_requests", tag = "Refunds", operation_id = "list_refund_requests",
    summary = "List refund requests",
    description = "Those for tickets that you sold or organize, newest first.",
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Requests.", body = [RefundBody]), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let mut between = |name: &'static str| {
        let range = query.range::<TimeInput>(name, &mut problems);
        range.map(|(first, last)| (first.0, last.0))
    };
    let (created_at, finished_at) = (between("created_at"), between("finished_at"));
    let filter = RefundsFilter {
        partners: actor.acting_partners(),
        ids: query.ids("ids", &mut problems),
        orders: query.ids("order", &mut problems),
        events: query.ids("events", &mut problems).or(query.ids("event", &mut problems)),
        status: query.words("status", REFUND_STATUSES.words, &mut problems),
        vendor: query.id("vendor", &mut problems),
        org: query.id("org", &mut problems),
        created_at,
        finished_at,
        order: read_refunds_order(&query, &mut problems),
    };
    let slice = query.slice(&mut problems);
    problems.finish()?;
    let page = app.engine.page(filter, slice).await?;
    let items: Vec<RefundBody<'_>> = page.rows.iter().map(RefundBody::new).collect();
    Ok(ApiResponse::list(&items, page.total))
}

/// `sort`: of those made at once, and those of one value, the newest comes first.
fn read_refunds_order(query: &Query, problems: &mut Problems) -> RefundsOrder {
    match query.sort(&SORT_FIELDS, problems).first() {
        None | Some((RefundSortField::Created, true)) => RefundsOrder::Newest,
        Some((RefundSortField::Created, false)) => RefundsOrder::Oldest,
        Some((RefundSortField::Value, descending)) => RefundsOrder::Value { descending: *descending },
    }
}
