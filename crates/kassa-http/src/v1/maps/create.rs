//! `POST /v1/resources/venues/{venue}/maps`: by the partner that made the venue.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::hall_map::{CreateHallMap, HallMap};
use kassa_domain::venue::Venue;

use super::model::{MAP, MapBody, MapInput, NewMap};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems, required_value};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{BodyLimit, Route};

pub(crate) static ROUTE: Route = Route::new().shows(&MAP).body_limit(BodyLimit::HallMap);

#[utoipa::path(
    post, path = "/venues/{venue}/maps", tag = "Maps", operation_id = "create_map", summary = "Create a hall map",
    description = "Only the partner that created the venue can. The body can be longer than others: 16 MiB, unless \
                   the operator sets another limit.",
    request_body = NewMap,
    responses((status = 201, description = "The map.", body = MapBody), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(venue): PathId<Venue>,
    Json(body): Json<MapInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let name = body.name.required("name", &mut problems);
    let desc = body.desc.optional("desc", &mut problems).map(|text| text.0);
    let sectors = body.sectors.optional("sectors", &mut problems).map_or_else(Vec::new, |sectors| sectors.0);
    problems.finish()?;
    let command = CreateHallMap { venue, name: required_value(name)?.0, desc, sectors };
    let render =
        |_: &View, map: &HallMap| ApiResponse::created(&MapBody::new(map)).with_revision(map.revision.number());
    Ok(app.engine.execute(&actor, command, render).await?)
}
