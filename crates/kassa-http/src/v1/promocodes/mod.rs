//! `/v1/resources/events/{event}/promocodes`: the organizer's.

pub(super) mod create;
pub(super) mod get;
pub(super) mod list;
pub(super) mod model;
pub(super) mod update;

use kassa_domain::event::EventId;
use kassa_domain::{Actor, permission};

use crate::app::App;
use crate::error::ApiError;
use crate::v1::events;

/// Refuses a caller to whom the promocodes of this event are closed.
async fn open(app: &App, actor: &Actor, event: EventId) -> Result<(), ApiError> {
    events::check(app, actor, event, |actor, event, _| permission::open_promocodes(actor, event)).await
}

/// Refuses a caller who may not make promocodes of this event.
async fn may_make(app: &App, actor: &Actor, event: EventId) -> Result<(), ApiError> {
    events::check(app, actor, event, permission::make_promocode).await
}
