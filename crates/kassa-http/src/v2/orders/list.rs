//! `GET /v2/resources/orders`: those that one sold, organizes or bought, newest first.

use axum::extract::State;
use kassa_domain::order::OrderState;
use kassa_store::queries::OrdersFilter;

use super::super::around::Loaded;
use super::super::page::{Pagination, Paging, Wanted, between};
use super::model::OrdersAnswer;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{flag, ids, many, one, pair, parameters, words};
use crate::openapi::{errors, schema};

/// The states by name; `canceled` is how version 1 spells it.
pub(super) const STATES: [(&str, OrderState); 7] = [
    ("executed", OrderState::Executed),
    ("in_progress", OrderState::InProgress),
    ("done", OrderState::Done),
    ("cancelled", OrderState::Canceled),
    ("canceled", OrderState::Canceled),
    ("expired", OrderState::Expired),
    ("refunded", OrderState::Refunded),
];

parameters! {
    pub(crate) struct Filters:
        ids(),
        one("number", schema::number().minimum(Some(0)), "Only the order with this number."),
        pair("created_at", schema::text_in("date-time"), "Only those made from then to then."),
        words("status", &STATES, "Only those in these states."),
        many("events", schema::id(), "Only those for these events."),
        many("event", schema::id(), "The same as `events`, which wins."),
        flag("only_with_customer", "Whether to leave out those whose customer's e-mail is not known."),
}

#[utoipa::path(
    get, path = "/orders", tag = "Orders", operation_id = "list_orders", summary = "List orders",
    description = "Those that one sold, organizes or bought, newest first. Past the last page `data` is empty.",
    params(Filters, Paging),
    responses((status = 200, description = "Orders.", body = OrdersAnswer), errors::List),
)]
pub(crate) async fn handle(State(app): State<App>, Known(actor): Known, query: Query) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let filter = OrdersFilter {
        partners: actor.partners(),
        customer: actor.user().map(|user| (user.user, user.proved.clone())),
        ids: query.ids("ids", &mut problems),
        number: query.number("number", &mut problems).map(|number| i64::try_from(number).unwrap_or(i64::MAX)),
        ..filter(&query, &mut problems)
    };
    let wanted = Wanted::read(&query, &mut problems);
    problems.finish()?;
    let page = app.engine.page(filter, wanted.slice()).await?;
    let loaded = Loaded::around(&app.engine, &page.rows).await?;
    let pagination = Pagination::new(wanted, page.total);
    Ok(Answer::list(&OrdersAnswer::new(&page.rows, loaded.all(), pagination, page.total), page.total))
}

/// What a query wants of the orders that its caller may see, in a list and in a file.
pub(super) fn filter(query: &Query, problems: &mut Problems) -> OrdersFilter {
    let events = query.ids("events", problems);
    let also = query.ids("event", problems);
    OrdersFilter {
        events: events.or(also),
        status: query.words("status", &STATES, problems),
        created: between("created_at", query, problems),
        with_customer: query.flag("only_with_customer", problems),
        ..OrdersFilter::default()
    }
}
