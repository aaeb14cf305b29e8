//! `DELETE /v1/resources/events/{event}/sets/{set}`: answers the removed set.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::event::Event;
use kassa_domain::set::TicketSet;

use super::model::{SET, SetBody};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{EventSource, ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Set).shows(&SET).event(EventSource::Path);

#[utoipa::path(
    delete, path = "/events/{event}/sets/{set}", tag = "Sets", operation_id = "remove_set", summary = "Remove a set",
    description = "Only the organizer can, and not while tickets are held or sold.",
    responses((status = 200, description = "The removed set.", body = SetBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(event): PathId<Event>,
    PathId(set): PathId<TicketSet, 1>,
) -> Result<ApiResponse, ApiError> {
    let render = |_: &View, set: &TicketSet| {
        ApiResponse::ok(&SetBody::new(set, None, set.updated_at)).with_revision(set.revision.number())
    };
    Ok(app.engine.remove_set(&actor, event, set, render).await?)
}
