//! `GET /v1/resources/events/{event}/promotions/{promotion}`: for the organizer, a removed one, too.

use axum::extract::State;
use kassa_domain::Needs;
use kassa_domain::event::Event;
use kassa_domain::promotion::Promotion;

use super::model::PromotionBody;
use super::open;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::errors;

#[utoipa::path(
    get, path = "/events/{event}/promotions/{promotion}", tag = "Promotions", operation_id = "get_promotion",
    summary = "Get a promotion", description = "For the organizer.",
    responses((status = 200, description = "The promotion.", body = PromotionBody), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(event): PathId<Event>,
    PathId(id): PathId<Promotion, 1>,
) -> Result<Answer, ApiError> {
    open(&app, &actor, event).await?;
    let view = app.engine.view(&Needs { promotions: vec![id], ..Needs::default() }).await?;
    let promotion = view.promotions.get(id).filter(|promotion| promotion.event == event);
    let promotion = promotion.ok_or_else(|| ApiError::not_found("promotion"))?;
    Ok(Answer::ok(&PromotionBody::new(promotion)).tagged(promotion.revision))
}
