//! `GET /v1/resources/partners`: one's own and those that they have deals with, or any by `ids`, newest
//! first.

use axum::extract::State;
use kassa_domain::partner::Partner;
use kassa_store::queries::PartnersFilter;

use super::{Seen, seen};
use crate::answer::Answer;
use crate::app::App;
use crate::base::Base;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::{Problems, Query};
use crate::openapi::errors;
use crate::openapi::params::{Page, flag, ids, parameters};

parameters! {
    pub(crate) struct Filters: ids(), flag("removed", "Whether one's own that are removed are shown, too.")
}

#[utoipa::path(
    get, path = "/partners", tag = "Partners", operation_id = "list_partners", summary = "List partners",
    description = "One's own and those that they have deals with, or any by `ids`, newest first. Without a credential, \
                   `ids` must be there.",
    security((), ("key" = []), ("cookie" = [])),
    params(Filters, Page),
    responses((status = 200, description = "Partners.", body = [Seen]), errors::List),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Caller(actor): Caller,
    base: Base,
    query: Query,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let ids = query.ids::<Partner>("ids", &mut problems);
    let removed = query.flag("removed", &mut problems);
    let slice = query.slice(&mut problems);
    if ids.is_none() {
        actor.known()?;
    }
    problems.finish()?;
    let around = ids.is_none().then(|| actor.partners());
    let removed_of = if removed { actor.partners() } else { Vec::new() };
    let page = app.engine.page(PartnersFilter { ids, around, removed_of }, slice).await?;
    let seen = seen(&app.engine, &actor, &page.rows, &base).await?;
    let items: Vec<Seen> = seen.into_iter().map(|(_, body)| body).collect();
    Ok(Answer::list(&items, page.total))
}
