//! `GET /v1/resources/venues`: for everybody, newest first.

use axum::extract::State;
use kassa_store::queries::VenuesFilter;

use super::model::{VENUE, VenueBody};
use crate::app::AppState;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{LimitOffsetParameters, flag, ids, parameters, single_value};
use crate::openapi::{error_responses, schema};
use crate::response::ApiResponse;
use crate::route::Route;

parameters! {
    pub(crate) struct Filters:
        ids(),
        single_value("org", schema::id(), "Only those that this partner created."),
        single_value("city", schema::integer().minimum(Some(0)), "Only those in this city: its number in GeoNames."),
        single_value(
            "country", schema::country(),
            "Only those in this country: two letters (ISO 3166-1), in any case.",
        ),
        single_value("suggest", schema::line(255), "Only those with this text in their name."),
        flag("removed", "Whether to include your own removed ones; `false` by default."),
}

pub(crate) static ROUTE: Route = Route::new().list().shows(&VENUE);

#[utoipa::path(
    get, path = "/venues", tag = "Venues", operation_id = "list_venues", summary = "List venues",
    description = "Newest first.",
    security((), ("key" = []), ("cookie" = [])),
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Venues.", body = [VenueBody]), error_responses::ListErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AnyCaller(actor): AnyCaller,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let removed = query.flag("removed", &mut problems);
    let filter = VenuesFilter {
        ids: query.ids("ids", &mut problems),
        org: query.id("org", &mut problems),
        city: query.value("city", &mut problems),
        country: query.value("country", &mut problems),
        name_contains: query.part_of_name("suggest", &mut problems),
        include_removed_of: if removed { actor.acting_partners() } else { Vec::new() },
    };
    let slice = query.slice(&mut problems);
    problems.finish()?;
    let page = app.engine.page(filter, slice).await?;
    let items: Vec<VenueBody> = page.rows.iter().map(VenueBody::new).collect();
    Ok(ApiResponse::list(&items, page.total))
}
