//! `/v1/resources/events/{event}/promotions`: the organizer's.

pub(super) mod create;
pub(super) mod delete;
pub(super) mod get;
pub(super) mod list;
pub(super) mod model;
pub(super) mod update;

use kassa_domain::event::EventId;
use kassa_domain::{Actor, permission};

use crate::app::AppState;
use crate::error::ApiError;
use crate::v1::events;

/// Refuses a caller to whom the promotions of this event are closed.
async fn ensure_may_view(app: &AppState, actor: &Actor, event: EventId) -> Result<(), ApiError> {
    events::ensure_event_permission(app, actor, event, |actor, event, _| permission::manage_promotions(actor, event))
        .await
}

/// Refuses a caller who may not make promotions of this event.
async fn ensure_may_create(app: &AppState, actor: &Actor, event: EventId) -> Result<(), ApiError> {
    events::ensure_event_permission(app, actor, event, permission::create_promotion).await
}
