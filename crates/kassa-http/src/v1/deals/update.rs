//! `PATCH /v1/resources/deals/{deal}`: its status. `reversed_deal` is accepted and ignored; terms
//! never change.

use axum::extract::State;
use kassa_domain::deal::{Deal, EffectiveDealStatus, UpdateDeal};
use kassa_domain::{ReadSet, View};
use utoipa::openapi::{RefOr, Schema};

use super::model::{DEAL, DealBody, effective_statuses};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::{ApiError, ErrorDetail};
use crate::input::{FromJson, Input, Json, PathId, Problems, fields, invalid_value, parse_word};
use crate::openapi::{error_responses, schema};
use crate::response::ApiResponse;
use crate::route::{EventSource, ResourceType, Route};

fields! {
    /// A change of a deal.
    pub(crate) struct DealInput {
        /// The organizer sets `accepted` or `declined`, an agent `revoked`, for a `new` deal; either side sets
        /// `terminated` for an accepted one.
        status: Input<DealStatusInput>,
    }
}

/// A status; that of a deal whose event has ended can only be sent back, and so can `new`.
struct DealStatusInput(EffectiveDealStatus);

impl FromJson for DealStatusInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let problem = |_| invalid_value("must be accepted, declined, revoked or terminated");
        parse_word(&effective_statuses(), json).map(Self).map_err(problem)
    }

    fn json_schema() -> RefOr<Schema> {
        schema::words(effective_statuses().into_iter().map(|(name, _)| name)).into()
    }
}

pub(crate) static ROUTE: Route = Route::new().resource(ResourceType::Deal).shows(&DEAL).event(EventSource::Path);

#[utoipa::path(
    patch, path = "/deals/{deal}", tag = "Deals", operation_id = "update_deal", summary = "Answer or end a deal",
    description = "The sides set its `status`. Terms never change.",
    request_body = DealInput,
    responses((status = 200, description = "The deal.", body = DealBody), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(id): PathId<Deal>,
    Json(body): Json<DealInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let status = body.status.patch_non_null("status", &mut problems).value().map(|status| status.0);
    problems.finish()?;
    // A deal never changes its event.
    let found = app.engine.view(&ReadSet { deals: vec![id], ..ReadSet::default() }).await?;
    let event = found.deals.get(id).ok_or_else(|| ApiError::not_found("deal"))?.event;
    let render = |view: &View, deal: &Deal| {
        ApiResponse::ok(&DealBody::new(deal, view.events.get(deal.event), deal.updated_at))
            .with_revision(deal.revision.number())
    };
    Ok(app.engine.execute(&actor, UpdateDeal { deal: id, event, status }, render).await?)
}
