//! `GET /v1/resources/deals/{deal}`: by its sides.

use axum::extract::State;
use kassa_domain::deal::Deal;
use kassa_domain::{Needs, permission};

use super::model::DealBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::errors;

#[utoipa::path(
    get, path = "/deals/{deal}", tag = "Deals", operation_id = "get_deal", summary = "Get a deal",
    responses((status = 200, description = "The deal.", body = DealBody), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(id): PathId<Deal>,
) -> Result<Answer, ApiError> {
    let view = app.engine.view(&Needs { deals: vec![id], ..Needs::default() }).await?;
    let deal = view.deals.get(id).filter(|deal| permission::sees_deal(&actor, deal));
    let deal = deal.ok_or_else(|| ApiError::not_found("deal"))?;
    let events = app.engine.view(&Needs { events: vec![deal.event], ..Needs::default() }).await?;
    Ok(Answer::ok(&DealBody::new(deal, events.events.get(deal.event), app.engine.now())).tagged(deal.revision))
}
