//! `GET /v1/resources/cities`: by name, for everybody.

use kassa_domain::geo::{CitiesQuery, CityField};

use kassa_engine::ListTurn;

use super::model::{CITY, CityBody};
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{LimitOffsetParameters, parameters, single_value, sort_fields, value_list};
use crate::openapi::{error_responses, schema};
use crate::response::ApiResponse;
use crate::route::Route;

const SORT_FIELDS: [(&str, CityField); 5] = [
    ("id", CityField::Id),
    ("name", CityField::Name),
    ("country", CityField::Country),
    ("timezone", CityField::Timezone),
    ("population", CityField::Population),
];

parameters! {
    pub(crate) struct Filters:
        value_list(
            "ids", schema::integer().minimum(Some(0)),
            "Only those with these ids: the cities' numbers in GeoNames.",
        ),
        single_value(
            "country", schema::country(),
            "Only those in this country: two letters (ISO 3166-1), in any case.",
        ),
        single_value(
            "suggest", schema::line(255),
            "Only those with this text in one of their names, in any language and case.",
        ),
        sort_fields(&SORT_FIELDS),
}

pub(crate) static ROUTE: Route = Route::new().list().shows(&CITY);

#[utoipa::path(
    get, path = "/cities", tag = "Geo", operation_id = "list_cities", summary = "List cities",
    description = "By name, unless `sort` says otherwise.",
    security((), ("key" = []), ("cookie" = [])),
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Cities.", body = [CityBody]), error_responses::ListErrors),
)]
pub(crate) async fn handle(_: AnyCaller, query: Query) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let wanted = CitiesQuery {
        ids: query.values("ids", &mut problems),
        country: query.value("country", &mut problems),
        name_contains: query.part_of_name("suggest", &mut problems),
        sort: query.sort(&SORT_FIELDS, &mut problems),
    };
    let slice = query.slice(&mut problems);
    problems.finish()?;
    // All cities are looked at for a page: whoever asks for many shares the threads of lists with others.
    ListTurn::begin().await?;
    let listed = wanted.list(usize::try_from(slice.offset).unwrap_or(usize::MAX), slice.limit as usize);
    let items: Vec<CityBody> = listed.items.into_iter().map(CityBody::from).collect();
    Ok(ApiResponse::list(&items, listed.total as u64))
}
