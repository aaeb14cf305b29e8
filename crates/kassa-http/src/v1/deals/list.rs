//! `GET /v1/resources/deals`: those of which one is a side, newest first.

use axum::extract::State;
use kassa_domain::Needs;
use kassa_domain::deal::DealStatus;
use kassa_store::queries::DealsFilter;

use super::model::DealBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Problems, Query};

/// The statuses by name. A deal is finished by the end of its event: it stays `accepted` in lists
/// that are filtered.
const STATUSES: [(&str, DealStatus); 5] = [
    ("new", DealStatus::New),
    ("accepted", DealStatus::Accepted),
    ("declined", DealStatus::Declined),
    ("revoked", DealStatus::Revoked),
    ("terminated", DealStatus::Terminated),
];

pub(crate) async fn handle(State(app): State<App>, Known(actor): Known, query: Query) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let filter = DealsFilter {
        own: actor.partners(),
        partner: query.id("partner", &mut problems),
        event: query.id("event", &mut problems),
        ids: query.ids("ids", &mut problems),
        status: query.words("status", &STATUSES, &mut problems),
    };
    let slice = query.slice(&mut problems);
    problems.finish()?;
    let page = app.engine.page(filter, slice).await?;
    let events = page.rows.iter().map(|deal| deal.event).collect();
    let view = app.engine.view(&Needs { events, ..Needs::default() }).await?;
    let now = app.engine.now();
    let items: Vec<DealBody> =
        page.rows.iter().map(|deal| DealBody::new(deal, view.events.get(deal.event), now)).collect();
    Ok(Answer::list(&items, page.total))
}
