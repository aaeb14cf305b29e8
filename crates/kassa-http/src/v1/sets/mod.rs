//! `/v1/resources/events/{event}/sets`

pub(super) mod create;
pub(super) mod delete;
pub(super) mod get;
pub(super) mod list;
pub(super) mod model;
pub(super) mod update;

use kassa_domain::event::{Event, EventId};
use kassa_domain::{Actor, Needs, View, permission};

use crate::app::App;
use crate::error::ApiError;

/// The event that the caller may see, and its sets.
async fn visible(app: &App, actor: &Actor, id: EventId) -> Result<(Event, View), ApiError> {
    let view = app.engine.view(&Needs { events: vec![id], sets_of: vec![id], ..Needs::default() }).await?;
    let event = view.events.get(id).filter(|event| permission::sees_event(actor, event)).cloned();
    Ok((event.ok_or_else(|| ApiError::not_found("event"))?, view))
}
