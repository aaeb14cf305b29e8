//! `GET /v1/resources/countries`: by name, for everybody.

use kassa_domain::geo::{CountriesQuery, CountryField};

use super::model::CountryBody;
use crate::answer::Answer;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{Page, many, one, parameters, sort};
use crate::openapi::{errors, schema};

const FIELDS: [(&str, CountryField); 2] = [("id", CountryField::Id), ("name", CountryField::Name)];

parameters! {
    pub(crate) struct Filters:
        many("ids", schema::country(), "Only those with these ids, in any case."),
        one("suggest", schema::line(255), "Only those with this part of a name."),
        sort(&FIELDS),
}

#[utoipa::path(
    get, path = "/countries", tag = "Geo", operation_id = "list_countries", summary = "List countries",
    description = "By name, unless `sort` says otherwise.",
    security((), ("key" = []), ("cookie" = [])),
    params(Filters, Page),
    responses((status = 200, description = "Countries.", body = [CountryBody]), errors::List),
)]
pub(crate) async fn handle(_: Caller, query: Query) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let wanted = CountriesQuery {
        ids: query.each("ids", &mut problems),
        suggest: query.part_of_name("suggest", &mut problems),
        sort: query.sort(&FIELDS, &mut problems),
    };
    let slice = query.slice(&mut problems);
    problems.finish()?;
    let listed = wanted.list(usize::try_from(slice.offset).unwrap_or(usize::MAX), slice.limit as usize);
    let items: Vec<CountryBody> = listed.items.into_iter().map(CountryBody::from).collect();
    Ok(Answer::list(&items, listed.total as u64))
}
