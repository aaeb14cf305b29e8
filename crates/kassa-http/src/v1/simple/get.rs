//! `GET /v1/services/simple/events/{event}`: for those who may sell it.

use axum::extract::State;
use kassa_domain::ReadSet;
use kassa_domain::event::Event;

use super::CallerContext;
use super::model::{SIMPLE_EVENT, SimpleEventBody};
use super::related::RelatedEventRows;
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;

pub(crate) static ROUTE: Route = Route::new().unbounded().tagged().shows(&SIMPLE_EVENT);

#[utoipa::path(
    get, path = "/simple/events/{event}", tag = "Simple events", operation_id = "get_simple_event",
    summary = "Get an event to sell",
    description = "Only for those who can sell it.",
    responses((status = 200, description = "The event.", body = SimpleEventBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
    PathId(id): PathId<Event>,
) -> Result<ApiResponse, ApiError> {
    let caller = CallerContext { engine: app.engine.clone(), actor: (*actor).clone(), base };
    let view = caller.engine.view(&ReadSet { events: vec![id], ..ReadSet::default() }).await?;
    let events: Vec<Event> = view.events.get(id).cloned().into_iter().collect();
    let related = RelatedEventRows::load(&caller, &events, caller.engine.now()).await?;
    let event = related.sellable_bodies(&events).next().ok_or_else(|| ApiError::not_found("event"))?;
    let revision = events.first().map_or(0, |event| event.revision.number());
    Ok(ApiResponse::ok(&event).with_revision(revision))
}
