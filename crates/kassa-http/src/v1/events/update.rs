//! `PATCH /v1/resources/events/{event}`: by the organizer.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::event::{Event, UpdateEvent};
use kassa_domain::set::TicketSet;

use super::model::{EVENT, EventBody, EventInput};
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{EventSource, ResourceType, Route};
use crate::text_rates::limit_texts;

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Event).shows(&EVENT).event(EventSource::Path);

#[utoipa::path(
    patch, path = "/events/{event}", tag = "Events", operation_id = "update_event", summary = "Change an event",
    description = "Only the organizer can.",
    request_body = EventInput,
    responses((status = 200, description = "The event.", body = EventBody), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
    PathId(event): PathId<Event>,
    Json(body): Json<EventInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let patch = body.into_patch(false, &mut problems);
    problems.finish()?;
    limit_texts(&app, &actor, patch.text_bytes())?;
    let render = move |view: &View, (event, sets): &(Event, Vec<TicketSet>)| {
        let venue = event.venue.and_then(|venue| view.venues.get(venue));
        let body = EventBody::new(event, sets, None, event.updated_at, &base).with_venue(venue);
        ApiResponse::ok(&body).with_revision(event.revision.number())
    };
    Ok(app.engine.execute(&actor, UpdateEvent { event, patch }, render).await?)
}
