//! `PATCH /v1/resources/venues/{venue}/maps/{map}`: by the partner that made the venue.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::hall::{HallMap, UpdateMap};
use kassa_domain::venue::Venue;

use super::model::{MapBody, MapInput};
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{MapJson, PathId, Problems};
use crate::openapi::errors;

#[utoipa::path(
    patch, path = "/venues/{venue}/maps/{map}", tag = "Maps", operation_id = "update_map", summary = "Change a hall map",
    description = "By the partner that made the venue. Seats that events sell by can be moved, and not taken away. The \
                   body may be as long as that of a new one.",
    request_body = MapInput,
    responses((status = 200, description = "The map.", body = MapBody), errors::Change),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(venue): PathId<Venue>,
    PathId(map): PathId<HallMap, 1>,
    MapJson(body): MapJson<MapInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let command = UpdateMap {
        venue,
        map,
        name: body.name.patch_some("name", &mut problems).map(|name| name.0),
        desc: body.desc.patch("desc", &mut problems).map(|text| text.0),
        sectors: body.sectors.patch_some("sectors", &mut problems).value().map(|sectors| sectors.0),
    };
    problems.finish()?;
    let render = |_: &View, map: &HallMap| Answer::ok(&MapBody::new(map)).tagged(map.revision);
    Ok(app.engine.execute(&actor, command, render).await?)
}
