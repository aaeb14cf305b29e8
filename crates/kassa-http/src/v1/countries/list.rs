//! `GET /v1/resources/countries`: by name, for everybody.

use kassa_domain::geo::{CountriesQuery, CountryField};

use super::model::CountryBody;
use crate::answer::Answer;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::{Problems, Query};

const FIELDS: [(&str, CountryField); 2] = [("id", CountryField::Id), ("name", CountryField::Name)];

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
