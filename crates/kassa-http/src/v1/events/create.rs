//! `POST /v1/resources/events`: an event of the partner that acts.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::event::{CreateEvent, Event};

use super::model::{EVENT, EventBody, EventInput, NewEvent};
use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, Problems};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::Route;
use crate::text_rates::limit_texts;

pub(crate) static ROUTE: Route = Route::new().shows(&EVENT);

#[utoipa::path(
    post, path = "/events", tag = "Events", operation_id = "create_event", summary = "Create an event",
    description = "The partner that creates it becomes its organizer.",
    request_body = NewEvent,
    responses((status = 200, description = "The event.", body = EventBody), error_responses::CreateErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    base: BaseUrl,
    Json(body): Json<EventInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let patch = body.into_patch(true, &mut problems);
    problems.finish()?;
    let org = actor.acting_partner()?;
    limit_texts(&app, &actor, patch.text_bytes())?;
    let render = move |view: &View, event: &Event| {
        let venue = event.venue.and_then(|venue| view.venues.get(venue));
        let body = EventBody::new(event, [], None, event.created_at, &base).with_venue(venue);
        ApiResponse::ok(&body).with_revision(event.revision.number())
    };
    Ok(app.engine.execute(&actor, CreateEvent { organizer: org, patch }, render).await?)
}
