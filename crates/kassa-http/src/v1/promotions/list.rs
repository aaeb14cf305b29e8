//! `GET /v1/resources/events/{event}/promotions`: for the organizer, newest first.

use axum::extract::State;
use kassa_domain::event::Event;
use kassa_store::queries::PromotionsFilter;

use super::ensure_may_view;
use super::model::{PROMOTION, PromotionBody};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::error_responses;
use crate::openapi::params::{LimitOffsetParameters, flag, ids, parameters};
use crate::response::ApiResponse;
use crate::route::Route;

parameters! {
    pub(crate) struct Filters: ids(), flag("removed", "Whether to include removed ones; `false` by default.")
}

pub(crate) static ROUTE: Route = Route::new().list().shows(&PROMOTION);

#[utoipa::path(
    get, path = "/events/{event}/promotions", tag = "Promotions", operation_id = "list_promotions",
    summary = "List the promotions of an event",
    description = "Only for the organizer; newest first.",
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Promotions.", body = [PromotionBody]), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(event): PathId<Event>,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let ids = query.ids("ids", &mut problems);
    let removed = query.flag("removed", &mut problems);
    let slice = query.slice(&mut problems);
    ensure_may_view(&app, &actor, event).await?;
    problems.finish()?;
    let page = app.engine.page(PromotionsFilter { event, ids, include_removed: removed }, slice).await?;
    let items: Vec<PromotionBody> = page.rows.iter().map(PromotionBody::new).collect();
    Ok(ApiResponse::list(&items, page.total))
}
