//! `GET /v1/resources/deals/{deal}`: by its sides.

use axum::extract::State;
use kassa_domain::deal::Deal;
use kassa_domain::{ReadSet, permission};

use super::model::{DEAL, DealBody};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{ResourceType, Route};

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Deal).shows(&DEAL);

#[utoipa::path(
    get, path = "/deals/{deal}", tag = "Deals", operation_id = "get_deal", summary = "Get a deal",
    description = "Only for the two sides.",
    responses((status = 200, description = "The deal.", body = DealBody), error_responses::ReadErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<Deal>,
) -> Result<ApiResponse, ApiError> {
    let view = app.engine.view(&ReadSet { deals: vec![id], ..ReadSet::default() }).await?;
    let deal = view.deals.get(id).filter(|deal| permission::sees_deal(&actor, deal));
    let deal = deal.ok_or_else(|| ApiError::not_found("deal"))?;
    let events = app.engine.view(&ReadSet { events: vec![deal.event], ..ReadSet::default() }).await?;
    Ok(ApiResponse::ok(&DealBody::new(deal, events.events.get(deal.event), app.engine.now()))
        .with_revision(deal.revision.number()))
}
