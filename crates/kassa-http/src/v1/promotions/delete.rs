//! `DELETE /v1/resources/events/{event}/promotions/{promotion}`: it is over at once.

use axum::extract::State;
use kassa_domain::event::Event;
use kassa_domain::promotion::{Promotion, RemovePromotion};

use super::ensure_may_view;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{EventSource, ResourceType, Route};
use crate::wire::EmptyBody;

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Promotion).event(EventSource::Path);

#[utoipa::path(
    delete, path = "/events/{event}/promotions/{promotion}", tag = "Promotions", operation_id = "remove_promotion",
    summary = "Remove a promotion",
    description = "Only the organizer can. It ends at once. Orders that it already applies to keep their prices.",
    responses((status = 200, description = "An empty object.", body = EmptyBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(event): PathId<Event>,
    PathId(promotion): PathId<Promotion, 1>,
) -> Result<ApiResponse, ApiError> {
    ensure_may_view(&app, &actor, event).await?;
    let command = RemovePromotion { event, promotion };
    Ok(app.engine.execute(&actor, command, |_, ()| ApiResponse::removed()).await?)
}
