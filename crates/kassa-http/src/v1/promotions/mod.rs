//! `/v1/resources/events/{event}/promotions`: the organizer's.

mod create;
mod delete;
mod get;
mod list;
pub(super) mod model;
mod update;

use kassa_domain::event::EventId;
use kassa_domain::{Actor, permission};

use crate::app::AppState;
use crate::error::ApiError;
use crate::route::{ApiRoutes, endpoints};
use crate::v1::events;

/// Adds these endpoints.
pub(super) fn routes(routes: ApiRoutes<AppState>) -> ApiRoutes<AppState> {
    endpoints!(routes, "/v1/resources", [list, create, get, update, delete])
}

/// Refuses a caller to whom the promotions of this event are closed.
async fn ensure_may_view(app: &AppState, actor: &Actor, event: EventId) -> Result<(), ApiError> {
    events::ensure_event_permission(app, actor, event, |actor, event, _| permission::read_promotions(actor, event))
        .await
}

/// Refuses a caller who may not make promotions of this event.
async fn ensure_may_create(app: &AppState, actor: &Actor, event: EventId) -> Result<(), ApiError> {
    events::ensure_event_permission(app, actor, event, permission::create_promotion).await
}
