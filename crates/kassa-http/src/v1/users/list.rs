//! `GET /v1/resources/users`: oneself, and the customers of the partner that asks, newest first.

use axum::extract::State;
use kassa_domain::event::EventId;
use kassa_domain::user::{User, UserId};
use kassa_domain::{Needs, permission};
use kassa_store::queries::{CustomersFilter, CustomersOrder, OrderedFor};

use super::model::UserBody;
use super::sums_of;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{Page, ids, many, one, parameters, sort, words};
use crate::openapi::{errors, schema};
use crate::v1::orders::list::{STATES, states};

#[derive(Clone, Copy, PartialEq)]
enum Field {
    Email,
    Suggest,
}

const FIELDS: [(&str, Field); 2] = [("email", Field::Email), ("suggest", Field::Suggest)];

parameters! {
    pub(crate) struct Filters:
        ids(),
        one("suggest", schema::line(255), "Only those with this part of a name or an e-mail."),
        many("order_event", schema::id(), "Only those with orders for these events."),
        words("order_status", &STATES, "With `order_event`: only those with orders in these states."),
        sort(&FIELDS),
}

#[utoipa::path(
    get, path = "/users", tag = "Users", operation_id = "list_users", summary = "List customers",
    description = "Oneself, and the customers of the partner that asks, newest first.",
    params(Filters, Page),
    responses((status = 200, description = "Users.", body = [UserBody]), errors::List),
)]
pub(crate) async fn handle(State(app): State<App>, Known(actor): Known, query: Query) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let filter = CustomersFilter {
        partners: actor.partners(),
        own: actor.user().map(|user| (user.user, user.proved.clone())),
        ids: query.ids("ids", &mut problems),
        suggest: query.part_of_name("suggest", &mut problems),
        ordered: ordered(&query, &mut problems),
        order: order(&query, &mut problems),
    };
    let slice = query.slice(&mut problems);
    problems.finish()?;
    let page = app.engine.page(filter, slice).await?;
    let users: Vec<UserId> = page.rows.iter().map(|user| user.id).collect();
    // Whom else a customer works for is its own affair.
    let partners_of = users.iter().copied().filter(|user| permission::is_self(&actor, *user)).collect();
    let view = app.engine.view(&Needs { partners_of, ..Needs::default() }).await?;
    let sums = sums_of(&app.engine, &actor, users).await?;
    let body = |user: &User| {
        let sums = sums.get(&user.id).copied().unwrap_or_default();
        UserBody::new(user, view.partners_of(user.id)).with_crm(&sums)
    };
    let items: Vec<UserBody> = page.rows.iter().map(body).collect();
    Ok(Answer::list(&items, page.total))
}

/// `order_event`, and `order_status` with it.
fn ordered(query: &Query, problems: &mut Problems) -> Option<OrderedFor> {
    let status = states(query, "order_status", problems);
    let events: Option<Vec<EventId>> = query.ids("order_event", problems);
    if status.is_some() && events.is_none() {
        problems.parameter("order_status", "needs order_event");
    }
    events.map(|events| OrderedFor { events, status })
}

/// `sort`: no two users have the same e-mail, so that the first field decides.
fn order(query: &Query, problems: &mut Problems) -> CustomersOrder {
    match query.sort(&FIELDS, problems).first() {
        None => CustomersOrder::Newest,
        Some((Field::Email, descending)) => CustomersOrder::Email { descending: *descending },
        Some((Field::Suggest, descending)) => CustomersOrder::Suggest { descending: *descending },
    }
}
