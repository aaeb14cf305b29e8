//! `GET /v1/resources/venues/{venue}/maps`: for everybody who sees the venue, newest first.

use axum::extract::State;
use kassa_domain::venue::Venue;
use kassa_domain::{Needs, permission};
use kassa_store::queries::MapsFilter;

use super::model::MapBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::errors;
use crate::openapi::params::{Page, ids, parameters};

parameters! {
    pub(crate) struct Filters: ids()
}

#[utoipa::path(
    get, path = "/venues/{venue}/maps", tag = "Maps", operation_id = "list_maps", summary = "List the maps of a venue",
    description = "For everybody who sees the venue, newest first.",
    security((), ("key" = []), ("cookie" = [])),
    params(Filters, Page),
    responses((status = 200, description = "Maps.", body = [MapBody]), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Caller(actor): Caller,
    PathId(venue): PathId<Venue>,
    query: Query,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let filter = MapsFilter { venue, ids: query.ids("ids", &mut problems) };
    let slice = query.slice(&mut problems);
    let view = app.engine.view(&Needs { venues: vec![venue], ..Needs::default() }).await?;
    let seen = view.venues.get(venue).is_some_and(|venue| permission::sees_venue(&actor, venue));
    if !seen {
        return Err(ApiError::not_found("venue"));
    }
    problems.finish()?;
    let page = app.engine.page(filter, slice).await?;
    let items: Vec<MapBody<'_>> = page.rows.iter().map(MapBody::new).collect();
    Ok(Answer::list(&items, page.total))
}
