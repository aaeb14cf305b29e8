//! `GET /v1/resources/orders`: those that one sold, organizes or bought, newest first.

use axum::extract::State;
use kassa_domain::order::OrderState;
use kassa_store::queries::OrdersFilter;

use super::model::OrderBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{Page, ids, many, one, parameters, words};
use crate::openapi::{errors, schema};

/// The states by name; `cancelled` is how version 2 spells it.
pub(crate) const STATES: [(&str, OrderState); 7] = [
    ("executed", OrderState::Executed),
    ("in_progress", OrderState::InProgress),
    ("done", OrderState::Done),
    ("canceled", OrderState::Canceled),
    ("cancelled", OrderState::Canceled),
    ("expired", OrderState::Expired),
    ("refunded", OrderState::Refunded),
];

parameters! {
    pub(crate) struct Filters:
        ids(),
        many("event", schema::id(), "Only those for these events."),
        words("status", &STATES, "Only those in these states."),
        one("vendor", schema::id(), "Only what this partner sold."),
        one("org", schema::id(), "Only those for events of this organizer."),
}

#[utoipa::path(
    get, path = "/orders", tag = "Orders", operation_id = "list_orders", summary = "List orders",
    description = "Those that one sold, organizes or bought, newest first.",
    params(Filters, Page),
    responses((status = 200, description = "Orders.", body = [OrderBody]), errors::List),
)]
pub(crate) async fn handle(State(app): State<App>, Known(actor): Known, query: Query) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let filter = OrdersFilter {
        partners: actor.partners(),
        customer: actor.user().map(|user| (user.user, user.proved.clone())),
        ids: query.ids("ids", &mut problems),
        events: query.ids("event", &mut problems),
        status: states(&query, "status", &mut problems),
        vendor: query.id("vendor", &mut problems),
        org: query.id("org", &mut problems),
        ..OrdersFilter::default()
    };
    let slice = query.slice(&mut problems);
    problems.finish()?;
    let page = app.engine.page(filter, slice).await?;
    let items: Vec<OrderBody<'_>> = page.rows.iter().map(OrderBody::new).collect();
    Ok(Answer::list(&items, page.total))
}

/// A parameter with states of orders.
pub(crate) fn states(query: &Query, name: &str, problems: &mut Problems) -> Option<Vec<OrderState>> {
    query.words(name, &STATES, problems)
}
