//! `GET /v1/resources/events/{event}/promocodes/{promocode}`: by the organizer.

use axum::extract::State;
use kassa_domain::ReadSet;
use kassa_domain::event::Event;
use kassa_domain::promocode::Promocode;

use super::ensure_may_view;
use super::model::{PROMOCODE, PromocodeBody};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Promocode).shows(&PROMOCODE);

#[utoipa::path(
    get, path = "/events/{event}/promocodes/{promocode}", tag = "Promocodes", operation_id = "get_promocode",
    summary = "Get a promocode",
    description = "Only for the organizer.",
    responses((status = 200, description = "The promocode.", body = PromocodeBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(event): PathId<Event>,
    PathId(id): PathId<Promocode, 1>,
) -> Result<ApiResponse, ApiError> {
    ensure_may_view(&app, &actor, event).await?;
    let view = app.engine.view(&ReadSet { promocodes: vec![id], ..ReadSet::default() }).await?;
    let promocode = view.promocodes.get(id).filter(|promocode| promocode.event == event);
    let promocode = promocode.ok_or_else(|| ApiError::not_found("promocode"))?;
    Ok(ApiResponse::ok(&PromocodeBody::new(promocode)).with_revision(promocode.revision.number()))
}
