//! `GET /v1/resources/deals`: those of which one is a side, newest first.

use axum::extract::State;
use kassa_domain::ReadSet;
use kassa_store::queries::DealsFilter;

use super::model::{DEAL, DealBody, effective_statuses};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{LimitOffsetParameters, ids, parameters, single_value, sort_fields, words};
use crate::openapi::{error_responses, schema};
use crate::response::ApiResponse;
use crate::route::Route;

/// What the list can be sorted by.
const SORT_FIELDS: [(&str, ()); 1] = [("created_at", ())];

parameters! {
    pub(crate) struct Filters:
        ids(),
        single_value("partner", schema::id(), "Only those in which this partner is one of the sides."),
        single_value("event", schema::id(), "Only those for this event."),
        words("status", &effective_statuses(), "Only those with these statuses."),
        sort_fields(&SORT_FIELDS),
}

pub(crate) static ROUTE: Route = Route::new().list().shows(&DEAL);

#[utoipa::path(
    get, path = "/deals", tag = "Deals", operation_id = "list_deals", summary = "List deals",
    description = "Those of your partner, as organizer or agent, newest first.",
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Deals.", body = [DealBody]), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let now = app.engine.now();
    let filter = DealsFilter {
        caller_partners: actor.acting_partners(),
        partner: query.id("partner", &mut problems),
        event: query.id("event", &mut problems),
        ids: query.ids("ids", &mut problems),
        status: query.words("status", &effective_statuses(), &mut problems),
        now,
        oldest_first: query.sort(&SORT_FIELDS, &mut problems).first().is_some_and(|((), descending)| !descending),
    };
    let slice = query.slice(&mut problems);
    problems.finish()?;
    let page = app.engine.page(filter, slice).await?;
    let events = page.rows.iter().map(|deal| deal.event).collect();
    let view = app.engine.view(&ReadSet { events, ..ReadSet::default() }).await?;
    let items: Vec<DealBody> =
        page.rows.iter().map(|deal| DealBody::new(deal, view.events.get(deal.event), now)).collect();
    Ok(ApiResponse::list(&items, page.total))
}
