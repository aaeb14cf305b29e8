//! `GET /v1/resources/countries`: by name, for everybody.

use kassa_domain::geo::{CountriesQuery, CountryField};

use super::model::{COUNTRY, CountryBody};
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{LimitOffsetParameters, parameters, single_value, sort_fields, value_list};
use crate::openapi::{error_responses, schema};
use crate::response::ApiResponse;
use crate::route::Route;

const SORT_FIELDS: [(&str, CountryField); 2] = [("id", CountryField::Id), ("name", CountryField::Name)];

parameters! {
    pub(crate) struct Filters:
        value_list("ids", schema::country(), "Only those with these ids: two letters each (ISO 3166-1), in any case."),
        single_value(
            "suggest", schema::line(255),
            "Only those with this text in one of their names, in any language and case.",
        ),
        sort_fields(&SORT_FIELDS),
}

pub(crate) static ROUTE: Route = Route::new().list().shows(&COUNTRY);

#[utoipa::path(
    get, path = "/countries", tag = "Geo", operation_id = "list_countries", summary = "List countries",
    description = "By name, unless `sort` says otherwise.",
    security((), ("key" = []), ("cookie" = [])),
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Countries.", body = [CountryBody]), error_responses::ListErrors),
)]
pub(crate) async fn handle(_: AnyCaller, query: Query) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let wanted = CountriesQuery {
        ids: query.values("ids", &mut problems),
        name_contains: query.part_of_name("suggest", &mut problems),
        sort: query.sort(&SORT_FIELDS, &mut problems),
    };
    let slice = query.slice(&mut problems);
    problems.finish()?;
    let listed = wanted.list(usize::try_from(slice.offset).unwrap_or(usize::MAX), slice.limit as usize);
    let items: Vec<CountryBody> = listed.items.into_iter().map(CountryBody::from).collect();
    Ok(ApiResponse::list(&items, listed.total as u64))
}
