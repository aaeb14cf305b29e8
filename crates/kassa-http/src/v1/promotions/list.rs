//! `GET /v1/resources/events/{event}/promotions`: for the organizer, newest first.

use axum::extract::State;
use kassa_domain::event::Event;
use kassa_store::queries::PromotionsFilter;

use super::model::PromotionBody;
use super::open;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::errors;
use crate::openapi::params::{Page, flag, ids, parameters};

parameters! {
    pub(crate) struct Filters: ids(), flag("removed", "Whether those that are removed are shown, too.")
}

#[utoipa::path(
    get, path = "/events/{event}/promotions", tag = "Promotions", operation_id = "list_promotions",
    summary = "List the promotions of an event", description = "For the organizer, newest first.",
    params(Filters, Page),
    responses((status = 200, description = "Promotions.", body = [PromotionBody]), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(event): PathId<Event>,
    query: Query,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let ids = query.ids("ids", &mut problems);
    let removed = query.flag("removed", &mut problems);
    let slice = query.slice(&mut problems);
    open(&app, &actor, event).await?;
    problems.finish()?;
    let page = app.engine.page(PromotionsFilter { event, ids, removed }, slice).await?;
    let items: Vec<PromotionBody> = page.rows.iter().map(PromotionBody::new).collect();
    Ok(Answer::list(&items, page.total))
}
