//! `GET /v1/resources/events/{event}`

use axum::extract::State;
use kassa_domain::ReadSet;
use kassa_domain::event::Event;

use super::model::{EVENT, EventBody};
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};
use crate::v1::sets::{VisibleEvent, load_visible_event_with, seller_terms};

pub(crate) static ROUTE: Route = Route::new().unbounded().resource(ResourceType::Event).shows(&EVENT).kept();

#[utoipa::path(
    get, path = "/events/{event}", tag = "Events", operation_id = "get_event", summary = "Get an event",
    description = "A public event for anyone; others for the organizer and for agents with an accepted deal.",
    security((), ("key" = []), ("cookie" = [])),
    responses((status = 200, description = "The event.", body = EventBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AnyCaller(actor): AnyCaller,
    base: BaseUrl,
    PathId(id): PathId<Event>,
) -> Result<ApiResponse, ApiError> {
    let related = ReadSet { venues_of: vec![id], ..ReadSet::default() };
    let VisibleEvent { event, view } = load_visible_event_with(&app, &actor, id, related).await?;
    let sets = view.sets_of(id).into_iter().filter(|set| !set.removed);
    let terms = seller_terms(&view, &actor, &event);
    let venue = event.venue.and_then(|venue| view.venues.get(venue));
    let body = EventBody::new(&event, sets, terms, app.engine.now(), &base).with_venue(venue);
    Ok(ApiResponse::ok(&body).with_revision(event.revision.number()))
}
