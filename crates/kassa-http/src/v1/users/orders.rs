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
use crate::v1::orders::list::states;
use crate::v1::orders::model::OrderBody;

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
