//! `GET /v1/resources/venues`: for everybody, newest first.

use axum::extract::State;
use kassa_store::queries::VenuesFilter;

use super::model::VenueBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::params::{Page, flag, ids, one, parameters};
use crate::openapi::{errors, schema};

parameters! {
    pub(crate) struct Filters:
        ids(),
        one("org", schema::id(), "Only those that this partner made."),
        one("city", schema::number().minimum(Some(0)), "Only those in this city."),
        one("country", schema::country(), "Only those in this country: its two letters, in any case."),
        one("suggest", schema::line(255), "Only those with this part of a name."),
        flag("removed", "Whether one's own that are removed are shown, too."),
}

#[utoipa::path(
    get, path = "/venues", tag = "Venues", operation_id = "list_venues", summary = "List venues",
    description = "Newest first.",
    security((), ("key" = []), ("cookie" = [])),
    params(Filters, Page),
    responses((status = 200, description = "Venues.", body = [VenueBody]), errors::List),
)]
pub(crate) async fn handle(State(app): State<App>, Caller(actor): Caller, query: Query) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let removed = query.flag("removed", &mut problems);
    let filter = VenuesFilter {
        ids: query.ids("ids", &mut problems),
        org: query.id("org", &mut problems),
        city: query.one("city", &mut problems),
        country: query.one("country", &mut problems),
        suggest: query.part_of_name("suggest", &mut problems),
        removed_of: if removed { actor.partners() } else { Vec::new() },
    };
    let slice = query.slice(&mut problems);
    problems.finish()?;
    let page = app.engine.page(filter, slice).await?;
    let items: Vec<VenueBody> = page.rows.iter().map(VenueBody::new).collect();
    Ok(Answer::list(&items, page.total))
}
