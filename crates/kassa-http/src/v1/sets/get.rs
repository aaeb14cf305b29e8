//! `GET /v1/resources/events/{event}/sets/{set}`

use axum::extract::State;
use kassa_domain::event::Event;
use kassa_domain::permission;
use kassa_domain::set::TicketSet;

use super::model::{SET, SetBody};
use super::{VisibleEvent, load_visible_event, seller_terms};
use crate::app::AppState;
use crate::caller::AnyCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Set).shows(&SET).kept();

#[utoipa::path(
    get, path = "/events/{event}/sets/{set}", tag = "Sets", operation_id = "get_set", summary = "Get a set",
    description = "For anyone who sees the event.",
    security((), ("key" = []), ("cookie" = [])),
    responses((status = 200, description = "The set.", body = SetBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AnyCaller(actor): AnyCaller,
    PathId(event): PathId<Event>,
    PathId(id): PathId<TicketSet, 1>,
) -> Result<ApiResponse, ApiError> {
    let VisibleEvent { event, view } = load_visible_event(&app, &actor, event).await?;
    let set = view.sets.get(id).filter(|set| permission::sees_set(&actor, &event, set, &view));
    let set = set.ok_or_else(|| ApiError::not_found("set"))?;
    Ok(ApiResponse::ok(&SetBody::new(set, seller_terms(&view, &actor, &event), app.engine.now()))
        .with_revision(set.revision.number()))
}
