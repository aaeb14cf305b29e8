//! `GET /v1/resources/events/{event}/promocodes`: for the organizer, newest first.

use axum::extract::State;
use kassa_domain::event::Event;
use kassa_store::queries::PromocodesFilter;

use super::model::PromocodeBody;
use super::open;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::errors;
use crate::openapi::params::{Page, ids, parameters};

parameters! {
    pub(crate) struct Filters: ids()
}

#[utoipa::path(
    get, path = "/events/{event}/promocodes", tag = "Promocodes", operation_id = "list_promocodes",
    summary = "List the promocodes of an event", description = "For the organizer, newest first.",
    params(Filters, Page),
    responses((status = 200, description = "Promocodes.", body = [PromocodeBody]), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(event): PathId<Event>,
    query: Query,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let ids = query.ids("ids", &mut problems);
    let slice = query.slice(&mut problems);
    open(&app, &actor, event).await?;
    problems.finish()?;
    let page = app.engine.page(PromocodesFilter { event, ids }, slice).await?;
    let items: Vec<PromocodeBody<'_>> = page.rows.iter().map(PromocodeBody::new).collect();
    Ok(Answer::list(&items, page.total))
}
