//! `GET /v1/resources/events/{event}/promotions/{promotion}`: for the organizer, a removed one, too.

use axum::extract::State;
use kassa_domain::ReadSet;
use kassa_domain::event::Event;
use kassa_domain::promotion::Promotion;

use super::ensure_may_view;
use super::model::{PROMOTION, PromotionBody};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Promotion).shows(&PROMOTION);

#[utoipa::path(
    get, path = "/events/{event}/promotions/{promotion}", tag = "Promotions", operation_id = "get_promotion",
    summary = "Get a promotion",
    description = "Only for the organizer.",
    responses((status = 200, description = "The promotion.", body = PromotionBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(event): PathId<Event>,
    PathId(id): PathId<Promotion, 1>,
) -> Result<ApiResponse, ApiError> {
    ensure_may_view(&app, &actor, event).await?;
    let view = app.engine.view(&ReadSet { promotions: vec![id], ..ReadSet::default() }).await?;
    let promotion = view.promotions.get(id).filter(|promotion| promotion.event == event);
    let promotion = promotion.ok_or_else(|| ApiError::not_found("promotion"))?;
    Ok(ApiResponse::ok(&PromotionBody::new(promotion)).with_revision(promotion.revision.number()))
}
