//! `GET /v1/resources/deals`: those of which one is a side, newest first.

use axum::extract::State;
use kassa_domain::Needs;
use kassa_domain::deal::DealStatus;
use kassa_domain::deal::ShownDealStatus::{self, Left};
use kassa_store::queries::DealsFilter;

use super::model::DealBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{Page, ids, one, parameters, words};
use crate::openapi::{errors, schema};

/// The statuses by name.
pub(super) const STATUSES: [(&str, ShownDealStatus); 6] = [
    ("new", Left(DealStatus::New)),
    ("accepted", Left(DealStatus::Accepted)),
    ("declined", Left(DealStatus::Declined)),
    ("revoked", Left(DealStatus::Revoked)),
    ("terminated", Left(DealStatus::Terminated)),
    ("finished", ShownDealStatus::Finished),
];

parameters! {
    pub(crate) struct Filters:
        ids(),
        one("partner", schema::id(), "Only those of which this partner is a side."),
        one("event", schema::id(), "Only those for this event."),
        words("status", &STATUSES, "Only those in these states."),
}

#[utoipa::path(
    get, path = "/deals", tag = "Deals", operation_id = "list_deals", summary = "List deals",
    description = "Those of which one is a side, newest first.",
    params(Filters, Page),
    responses((status = 200, description = "Deals.", body = [DealBody]), errors::List),
)]
pub(crate) async fn handle(State(app): State<App>, Known(actor): Known, query: Query) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let now = app.engine.now();
    let filter = DealsFilter {
        own: actor.partners(),
        partner: query.id("partner", &mut problems),
        event: query.id("event", &mut problems),
        ids: query.ids("ids", &mut problems),
        status: query.words("status", &STATUSES, &mut problems),
        now,
    };
    let slice = query.slice(&mut problems);
    problems.finish()?;
    let page = app.engine.page(filter, slice).await?;
    let events = page.rows.iter().map(|deal| deal.event).collect();
    let view = app.engine.view(&Needs { events, ..Needs::default() }).await?;
    let items: Vec<DealBody> =
        page.rows.iter().map(|deal| DealBody::new(deal, view.events.get(deal.event), now)).collect();
    Ok(Answer::list(&items, page.total))
}
