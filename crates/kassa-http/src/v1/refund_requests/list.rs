//! `GET /v1/resources/refund_requests`: those for what one sold or organizes, newest first.

use axum::extract::State;
use kassa_store::queries::{RefundsFilter, RefundsOrder};

use super::model::RefundBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Problems, Query, REFUND_STATES};
use crate::openapi::params::{Page, ids, many, one, pair, parameters, sort, words};
use crate::openapi::{errors, schema};
use crate::wire::ReadTime;

#[derive(Clone, Copy, PartialEq)]
enum Field {
    Created,
    Value,
}

const FIELDS: [(&str, Field); 2] = [("created_at", Field::Created), ("value", Field::Value)];

parameters! {
    pub(crate) struct Filters:
        ids(),
        many("event", schema::id(), "Only those for these events; also `events`."),
        many("order", schema::id(), "Only those for these orders."),
        words("status", &REFUND_STATES, "Only those in these states."),
        one("vendor", schema::id(), "Only those for what this partner sold."),
        one("org", schema::id(), "Only those for events of this organizer."),
        pair("created_at", schema::text_in("date-time"), "Only those made between these times."),
        pair("finished_at", schema::text_in("date-time"), "Only those approved or rejected between these times."),
        sort(&FIELDS),
}

#[utoipa::path(
    get, path = "/refund_requests", tag = "Refunds", operation_id = "list_refund_requests",
    summary = "List refund requests",
    description = "Those for what one sold or organizes, newest first.",
    params(Filters, Page),
    responses((status = 200, description = "Requests.", body = [RefundBody]), errors::List),
)]
pub(crate) async fn handle(State(app): State<App>, Known(actor): Known, query: Query) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let mut between = |name: &str| {
        let range = query.range::<ReadTime>(name, &mut problems);
        range.map(|(first, last)| (first.0, last.0))
    };
    let (created_at, finished_at) = (between("created_at"), between("finished_at"));
    let filter = RefundsFilter {
        partners: actor.partners(),
        ids: query.ids("ids", &mut problems),
        orders: query.ids("order", &mut problems),
        events: query.ids("events", &mut problems).or(query.ids("event", &mut problems)),
        status: query.words("status", &REFUND_STATES, &mut problems),
        vendor: query.id("vendor", &mut problems),
        org: query.id("org", &mut problems),
        created_at,
        finished_at,
        order: order(&query, &mut problems),
    };
    let slice = query.slice(&mut problems);
    problems.finish()?;
    let page = app.engine.page(filter, slice).await?;
    let items: Vec<RefundBody<'_>> = page.rows.iter().map(RefundBody::new).collect();
    Ok(Answer::list(&items, page.total))
}

/// `sort`: of those made at once, and those of one value, the newest comes first.
fn order(query: &Query, problems: &mut Problems) -> RefundsOrder {
    match query.sort(&FIELDS, problems).first() {
        None | Some((Field::Created, true)) => RefundsOrder::Newest,
        Some((Field::Created, false)) => RefundsOrder::Oldest,
        Some((Field::Value, descending)) => RefundsOrder::Value { descending: *descending },
    }
}
