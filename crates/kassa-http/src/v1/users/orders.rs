//! `GET /v1/resources/users/{user}/orders`, newest first: one's own, under addresses that one has
//! proved; or those of a customer that the partner that asks sold or organizes.

use axum::extract::State;
use kassa_domain::permission;
use kassa_domain::user::User;
use kassa_store::queries::OrdersFilter;

use super::readable;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::params::{Page, ids, many, parameters, words};
use crate::openapi::{errors, schema};
use crate::v1::orders::list::{STATES, states};
use crate::v1::orders::model::OrderBody;

parameters! {
    pub(crate) struct Filters:
        ids(),
        many("event", schema::id(), "Only those for these events."),
        words("status", &STATES, "Only those in these states."),
}

#[utoipa::path(
    get, path = "/users/{user}/orders", tag = "Users", operation_id = "list_user_orders",
    summary = "List the orders of a user",
    description = "One's own, under e-mails that are confirmed; or those of a customer that the partner that asks \
                   sold or organizes. Newest first.",
    params(Filters, Page),
    responses((status = 200, description = "Orders.", body = [OrderBody]), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(id): PathId<User>,
    query: Query,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let own = actor.user().filter(|_| permission::is_self(&actor, id));
    let filter = OrdersFilter {
        partners: if own.is_some() { Vec::new() } else { actor.partners() },
        customer: own.map(|own| (id, own.proved.clone())),
        ids: query.ids("ids", &mut problems),
        events: query.ids("event", &mut problems),
        status: states(&query, "status", &mut problems),
        user: Some(id),
        ..OrdersFilter::default()
    };
    let slice = query.slice(&mut problems);
    readable(&app, &actor, id).await?;
    problems.finish()?;
    let page = app.engine.page(filter, slice).await?;
    let items: Vec<OrderBody<'_>> = page.rows.iter().map(OrderBody::new).collect();
    Ok(Answer::list(&items, page.total))
}
