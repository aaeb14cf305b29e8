//! `PATCH /v1/resources/deals/{deal}`: its status. `reversed_deal` is accepted and ignored; terms
//! never change.

use axum::extract::State;
use kassa_domain::deal::{Deal, DealStatus, UpdateDeal};
use kassa_domain::{Needs, View};
use utoipa::openapi::{RefOr, Schema};

use super::model::DealBody;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::{ApiError, Detail};
use crate::input::{FromJson, Input, Json, PathId, Problems, fields};
use crate::openapi::{errors, schema};

fields! {
    /// A change of a deal.
    pub(crate) struct DealInput {
        status: Input<StatusInput>,
    }
}

struct StatusInput(DealStatus);

impl FromJson for StatusInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        let name = json.trim_matches('"');
        let known = DealStatus::ALL.into_iter().find(|status| json.starts_with('"') && status.name() == name);
        let problem = "must be accepted, declined, revoked or terminated".to_owned();
        known.map(Self).ok_or_else(|| vec![Detail { field: String::new(), problem }])
    }

    fn form() -> RefOr<Schema> {
        schema::words(DealStatus::ALL.map(DealStatus::name)).into()
    }
}

#[utoipa::path(
    patch, path = "/deals/{deal}", tag = "Deals", operation_id = "update_deal", summary = "Answer or end a deal",
    description = "Terms never change.",
    request_body = DealInput,
    responses((status = 200, description = "The deal.", body = DealBody), errors::Change),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(id): PathId<Deal>,
    Json(body): Json<DealInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let status = body.status.patch_some("status", &mut problems).value().map(|status| status.0);
    problems.finish()?;
    // A deal never changes its event.
    let found = app.engine.view(&Needs { deals: vec![id], ..Needs::default() }).await?;
    let event = found.deals.get(id).ok_or_else(|| ApiError::not_found("deal"))?.event;
    let render = |view: &View, deal: &Deal| {
        Answer::ok(&DealBody::new(deal, view.events.get(deal.event), deal.updated_at)).tagged(deal.revision)
    };
    Ok(app.engine.execute(&actor, UpdateDeal { deal: id, event, status }, render).await?)
}
