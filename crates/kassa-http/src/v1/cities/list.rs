//! `GET /v1/resources/cities`: by name, for everybody.

use kassa_domain::geo::{CitiesQuery, CityField};

use super::model::CityBody;
use crate::answer::Answer;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{Page, many, one, parameters, sort};
use crate::openapi::{errors, schema};

const FIELDS: [(&str, CityField); 5] = [
    ("id", CityField::Id),
    ("name", CityField::Name),
    ("country", CityField::Country),
    ("timezone", CityField::Timezone),
    ("population", CityField::Population),
];

parameters! {
    pub(crate) struct Filters:
        many("ids", schema::number().minimum(Some(0)), "Only those with these ids."),
        one("country", schema::country(), "Only those in this country: its two letters, in any case."),
        one("suggest", schema::line(255), "Only those with this part of a name."),
        sort(&FIELDS),
}

#[utoipa::path(
    get, path = "/cities", tag = "Geo", operation_id = "list_cities", summary = "List cities",
    description = "By name, unless `sort` says otherwise.",
    security((), ("key" = []), ("cookie" = [])),
    params(Filters, Page),
    responses((status = 200, description = "Cities.", body = [CityBody]), errors::List),
)]
pub(crate) async fn handle(_: Caller, query: Query) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let wanted = CitiesQuery {
        ids: query.each("ids", &mut problems),
        country: query.one("country", &mut problems),
        suggest: query.part_of_name("suggest", &mut problems),
        sort: query.sort(&FIELDS, &mut problems),
    };
    let slice = query.slice(&mut problems);
    problems.finish()?;
    let listed = wanted.list(usize::try_from(slice.offset).unwrap_or(usize::MAX), slice.limit as usize);
    let items: Vec<CityBody> = listed.items.into_iter().map(CityBody::from).collect();
    Ok(Answer::list(&items, listed.total as u64))
}
