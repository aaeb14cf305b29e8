//! `PATCH /v1/resources/venues/{venue}/maps/{map}`: by the partner that made the venue.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::hall_map::{HallMap, UpdateHallMap};
use kassa_domain::venue::Venue;

use super::model::{MAP, MapBody, MapInput};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{BodyLimit, ResourceType, Route};

pub(crate) static ROUTE: Route =
    Route::new().resource(ResourceType::HallMap).shows(&MAP).body_limit(BodyLimit::HallMap);

#[utoipa::path(
    patch, path = "/venues/{venue}/maps/{map}", tag = "Maps", operation_id = "update_map", summary = "Change a hall map",
    description = "Only the partner that created the venue can. Seats that an event sells can be moved but not \
                   removed. The body can be as long as that of a new map.",
    request_body = MapInput,
    responses((status = 200, description = "The map.", body = MapBody), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(venue): PathId<Venue>,
    PathId(map): PathId<HallMap, 1>,
    Json(body): Json<MapInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let command = UpdateHallMap {
        venue,
        hall_map: map,
        name: body.name.patch_non_null("name", &mut problems).map(|name| name.0),
        desc: body.desc.patch("desc", &mut problems).map(|text| text.0),
        sectors: body.sectors.patch_non_null("sectors", &mut problems).value().map(|sectors| sectors.0),
    };
    problems.finish()?;
    let render = |_: &View, map: &HallMap| ApiResponse::ok(&MapBody::new(map)).with_revision(map.revision.number());
    Ok(app.engine.execute(&actor, command, render).await?)
}
