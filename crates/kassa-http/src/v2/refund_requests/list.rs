//! `GET /v2/resources/refund_requests`: those for what one sold or organizes, newest first.

use axum::extract::State;
use kassa_domain::refund::RefundRequest;
use kassa_store::queries::RefundsFilter;

use super::super::around::Loaded;
use super::super::page::{Pagination, Paging, Wanted, between};
use super::model::RefundsAnswer;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Problems, Query, REFUND_STATES};
use crate::openapi::params::{ids, many, pair, parameters, words};
use crate::openapi::{errors, schema};

parameters! {
    pub(crate) struct Filters:
        ids(),
        pair("created_at", schema::text_in("date-time"), "Only those made from then to then."),
        pair("finished_at", schema::text_in("date-time"), "Only those approved or rejected from then to then."),
        words("status", &REFUND_STATES, "Only those in these states."),
        many("events", schema::id(), "Only those for these events."),
        many("event", schema::id(), "The same as `events`, which wins."),
}

#[utoipa::path(
    get, path = "/refund_requests", tag = "Refunds", operation_id = "list_refund_requests",
    summary = "List refund requests",
    description = "Those for what one sold or organizes, newest first. Past the last page `data` is empty.",
    params(Filters, Paging),
    responses((status = 200, description = "Requests.", body = RefundsAnswer), errors::List),
)]
pub(crate) async fn handle(State(app): State<App>, Known(actor): Known, query: Query) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let events = query.ids("events", &mut problems);
    let also = query.ids("event", &mut problems);
    let filter = RefundsFilter {
        partners: actor.partners(),
        ids: query.ids("ids", &mut problems),
        events: events.or(also),
        status: query.words("status", &REFUND_STATES, &mut problems),
        created_at: between("created_at", &query, &mut problems),
        finished_at: between("finished_at", &query, &mut problems),
        ..RefundsFilter::default()
    };
    let wanted = Wanted::read(&query, &mut problems);
    problems.finish()?;
    let page = app.engine.page(filter, wanted.slice()).await?;
    let orders = page.rows.iter().map(|request| request.order).collect();
    let tickets = page.rows.iter().flat_map(RefundRequest::tickets);
    let loaded = Loaded::with_orders(&app.engine, orders, tickets).await?;
    let pagination = Pagination::new(wanted, page.total);
    Ok(Answer::list(&RefundsAnswer::new(&page.rows, loaded.all(), pagination, page.total), page.total))
}
