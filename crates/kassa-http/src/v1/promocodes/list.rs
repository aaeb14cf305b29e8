//! `GET /v1/resources/events/{event}/promocodes`: for the organizer, newest first.

use axum::extract::State;
use kassa_domain::event::Event;
use kassa_store::queries::PromocodesFilter;

use super::ensure_may_view;
use super::model::{PROMOCODE, PromocodeBody};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{PathId, Problems, Query};
use crate::openapi::error_responses;
use crate::openapi::params::{LimitOffsetParameters, ids, parameters};
use crate::response::ApiResponse;
use crate::route::Route;

parameters! {
    pub(crate) struct Filters: ids()
}

pub(crate) static ROUTE: Route = Route::new().list().shows(&PROMOCODE);

#[utoipa::path(
    get, path = "/events/{event}/promocodes", tag = "Promocodes", operation_id = "list_promocodes",
    summary = "List the promocodes of an event",
    description = "Only for the organizer; newest first.",
    params(Filters, LimitOffsetParameters),
    responses((status = 200, description = "Promocodes.", body = [PromocodeBody]), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(event): PathId<Event>,
    query: Query,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let ids = query.ids("ids", &mut problems);
    let slice = query.slice(&mut problems);
    ensure_may_view(&app, &actor, event).await?;
    problems.finish()?;
    let page = app.engine.page(PromocodesFilter { event, ids }, slice).await?;
    let items: Vec<PromocodeBody<'_>> = page.rows.iter().map(PromocodeBody::new).collect();
    Ok(ApiResponse::list(&items, page.total))
}
