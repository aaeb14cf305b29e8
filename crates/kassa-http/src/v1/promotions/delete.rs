//! `DELETE /v1/resources/events/{event}/promotions/{promotion}`: it is over at once.

use axum::extract::State;
use kassa_domain::event::Event;
use kassa_domain::promotion::{Promotion, RemovePromotion};

use super::open;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::errors;
use crate::v1::partners::model::Empty;

#[utoipa::path(
    delete, path = "/events/{event}/promotions/{promotion}", tag = "Promotions", operation_id = "remove_promotion",
    summary = "Remove a promotion",
    description = "It is over at once. Orders that were promised it keep their prices.",
    responses((status = 200, description = "An empty object.", body = Empty), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(event): PathId<Event>,
    PathId(promotion): PathId<Promotion, 1>,
) -> Result<Answer, ApiError> {
    open(&app, &actor, event).await?;
    let command = RemovePromotion { event, promotion };
    Ok(app.engine.execute(&actor, command, |_, ()| Answer::removed()).await?)
}
