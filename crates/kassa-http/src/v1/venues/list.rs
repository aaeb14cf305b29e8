//! `GET /v1/resources/venues`: for everybody, newest first.

use axum::extract::State;
use kassa_store::queries::VenuesFilter;

use super::model::VenueBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::{Problems, Query};

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
