//! `GET /v2/resources/refund_requests`: those for what one sold or organizes, newest first.

use axum::extract::State;
use kassa_store::queries::RefundsFilter;

use super::super::pagination::{PageParameters, PageRequest, time_range};
use super::model::RefundListResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{ids, parameters, value_list, value_pair, words};
use crate::openapi::{error_responses, schema};
use crate::related::RelatedRows;
use crate::response::ApiResponse;
use crate::route::Route;
use crate::wire::REFUND_STATUSES;

parameters! {
    pub(crate) struct Filters:
        ids(),
        value_pair(
            "created_at", schema::text_with_format("date-time"),
            "Only those created between these two times, the earlier first.",
        ),
        value_pair(
            "finished_at", schema::text_with_format("date-time"),
            "Only those approved or rejected between these two times, the earlier first.",
        ),
        words("status", REFUND_STATUSES.words, "Only those with these statuses."),
        value_list("events", schema::id(), "Only those for these events."),
        value_list("event", schema::id(), "The same as `events`, which wins."),
}

pub(crate) static ROUTE: Route = Route::new().list();

#[utoipa::path(
    get, path = "/refund_requests", tag = "Refunds", operation_id = "list_refund_requests",
    summary = "List refund requests",
    description = "Those for tickets that you sold or organize, newest first. Past the last page `data` is empty.",
    params(Filters, PageParameters),
    responses((status = 200, description = "Requests.", body = RefundListResponse), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let events = query.ids("events", &mut problems);
    let also = query.ids("event", &mut problems);
    let filter = RefundsFilter {
        partners: actor.acting_partners(),
        ids: query.ids("ids", &mut problems),
        events: events.or(also),
        status: query.words("status", REFUND_STATUSES.words, &mut problems),
        created_at: time_range("created_at", &query, &mut problems),
        finished_at: time_range("finished_at", &query, &mut problems),
        ..RefundsFilter::default()
    };
    let wanted = PageRequest::read(&query, &mut problems);
    problems.finish()?;
    let page = app.engine.page(filter, wanted.slice()).await?;
    let related = RelatedRows::of_refunds(&app.engine, &page.rows).await?;
    Ok(RefundListResponse::new(&page.rows, related.lookup(), wanted, page.total).into_response())
}
