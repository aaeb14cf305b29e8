//! `POST /v1/resources/venues/{venue}/maps`: by the partner that made the venue.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::hall::{CreateMap, HallMap};
use kassa_domain::venue::Venue;

use super::model::{MapBody, MapInput, NewMap};
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{MapJson, PathId, Problems, must};
use crate::openapi::errors;

#[utoipa::path(
    post, path = "/venues/{venue}/maps", tag = "Maps", operation_id = "create_map", summary = "Make a hall map",
    description = "By the partner that made the venue. A map may be longer than other bodies: 16 MiB, unless the \
                   operator says otherwise.",
    request_body = NewMap,
    responses((status = 201, description = "The map.", body = MapBody), errors::Change),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(venue): PathId<Venue>,
    MapJson(body): MapJson<MapInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let name = body.name.required("name", &mut problems);
    let desc = body.desc.optional("desc", &mut problems).map(|text| text.0);
    let sectors = body.sectors.optional("sectors", &mut problems).map_or_else(Vec::new, |sectors| sectors.0);
    problems.finish()?;
    let command = CreateMap { venue, name: must(name)?.0, desc, sectors };
    let render = |_: &View, map: &HallMap| Answer::created(&MapBody::new(map)).tagged(map.revision);
    Ok(app.engine.execute(&actor, command, render).await?)
}
