//! `GET /v1/resources/venues/{venue}/maps/{map}`, and `…/maps/{map}.svg`, its drawing: for everybody who
//! sees the venue.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use kassa_domain::hall_map::HallMap;
use kassa_domain::venue::Venue;
use kassa_domain::{ReadSet, permission};

use super::drawing;
use super::model::{MAP, MapBody};
use crate::app::AppState;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::{PathId, PathText};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

/// What the drawing's path ends with.
const DRAWING_SUFFIX: &str = ".svg";

pub(crate) static ROUTE: Route = Route::new().unbounded().resource(ResourceType::HallMap).shows(&MAP);

#[utoipa::path(
    get, path = "/venues/{venue}/maps/{map}", tag = "Maps", operation_id = "get_map", summary = "Get a hall map",
    description = "For anyone who sees the venue.",
    security((), ("key" = []), ("cookie" = [])),
    responses((status = 200, description = "The map.", body = MapBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AnyCaller(actor): AnyCaller,
    PathId(venue): PathId<Venue>,
    PathText(name): PathText<1>,
) -> Result<Response, ApiError> {
    let (id, drawn) = name.strip_suffix(DRAWING_SUFFIX).map_or((name.as_str(), false), |id| (id, true));
    let not_found = || ApiError::not_found("map");
    let id = id.parse().map_err(|_| not_found())?;
    let view = app.engine.view(&ReadSet { venues: vec![venue], hall_maps: vec![id], ..ReadSet::default() }).await?;
    let venue = view.venues.get(venue).filter(|venue| permission::sees_venue(&actor, venue));
    let venue = venue.ok_or_else(|| ApiError::not_found("venue"))?;
    let map: &HallMap = view.hall_maps.get(id).filter(|map| map.venue == venue.id).ok_or_else(not_found)?;
    if drawn {
        return drawing(&app, map).await;
    }
    Ok(ApiResponse::ok(&MapBody::new(map)).with_revision(map.revision.number()).into_response())
}

#[utoipa::path(
    get, path = "/v1/resources/venues/{venue}/maps/{map}.svg", tag = "Maps", operation_id = "draw_map", summary = "Draw a hall map",
    description = "One `circle` per seat, with `data-row` and `data-number`, in a group per sector, with \
                   `data-sector`. A map of more than 100000 seats is not drawn.",
    security((), ("key" = []), ("cookie" = [])),
    responses(
        (
            status = 200, description = "The drawing.", body = String, content_type = "image/svg+xml",
            example = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-12 -12 24 24\" role=\"img\">…</svg>"
        ),
        error_responses::ReadErrors,
    ),
)]
pub(crate) async fn drawing(app: &AppState, map: &HallMap) -> Result<Response, ApiError> {
    drawing::respond(app, map).await
}
