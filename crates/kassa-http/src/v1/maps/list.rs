//! `GET /v1/resources/venues/{venue}/maps`: for everybody who sees the venue, newest first.

use axum::extract::State;
use kassa_domain::venue::Venue;
use kassa_domain::{ReadSet, permission};
use kassa_store::queries::HallMapsFilter;

use super::model::{MAP, MapBody};
use crate::app::AppState;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::error_responses;
use crate::openapi::params::{LimitOffsetParameters, ids, parameters};
use crate::response::ApiResponse;
use crate::route::Route;

parameters! {
    pub(crate) struct Filters: ids()
}

pub(crate) static ROUTE: Route = Route::new().shows(&MAP);

#[utoipa::path(
    get, path = "/venues/{venue}/maps", tag = "Maps", operation_id = "list_maps", summary = "List the maps of a venue",
    description = "For anyone who sees the venue; newest first.",
    security((), ("key" = []), ("cookie" = [])),
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Maps.", body = [MapBody]), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AnyCaller(actor): AnyCaller,
    PathId(venue): PathId<Venue>,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let filter = HallMapsFilter { venue, ids: query.ids("ids", &mut problems) };
    let slice = query.slice(&mut problems);
    let view = app.engine.view(&ReadSet { venues: vec![venue], ..ReadSet::default() }).await?;
    let seen = view.venues.get(venue).is_some_and(|venue| permission::sees_venue(&actor, venue));
    if !seen {
        return Err(ApiError::not_found("venue"));
    }
    problems.finish()?;
    let page = app.engine.page(filter, slice).await?;
    let items: Vec<MapBody<'_>> = page.rows.iter().map(MapBody::new).collect();
    Ok(ApiResponse::list(&items, page.total))
}
