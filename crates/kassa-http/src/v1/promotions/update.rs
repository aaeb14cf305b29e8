//! `PATCH /v1/resources/events/{event}/promotions/{promotion}`: by the organizer. Orders that were promised
//! it keep what they were promised.

use axum::extract::State;
use kassa_domain::event::Event;
use kassa_domain::promotion::{Promotion, UpdatePromotion};
use kassa_domain::{Patch, View};

use super::model::{PromotionBody, PromotionInput};
use super::open;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems};
use crate::openapi::errors;

#[utoipa::path(
    patch, path = "/events/{event}/promotions/{promotion}", tag = "Promotions", operation_id = "update_promotion",
    summary = "Change a promotion",
    description = "By the organizer. Orders that were promised it keep what they were promised. Another `by` or `kind` needs new `levels`.",
    request_body = PromotionInput,
    responses((status = 200, description = "The promotion.", body = PromotionBody), errors::Change),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(event): PathId<Event>,
    PathId(promotion): PathId<Promotion, 1>,
    Json(body): Json<PromotionInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let lifetime = body.lifetime.patch_some("lifetime", &mut problems).map(|lifetime| lifetime.0);
    let sets = body.sets.patch("sets", &mut problems);
    let by = body.by.patch_some("by", &mut problems).map(|by| by.0);
    let kind = body.kind.patch_some("kind", &mut problems).map(|kind| kind.0);
    let levels = body.levels.patch_some("levels", &mut problems);
    problems.finish()?;
    let command = UpdatePromotion {
        event,
        promotion,
        lifetime: lifetime.value().unwrap_or_default(),
        sets: match sets {
            Patch::Keep => None,
            Patch::Clear => Some(Vec::new()),
            Patch::Set(list) => Some(list.0.into_iter().map(|set| set.0).collect()),
        },
        by: by.value(),
        kind: kind.value(),
        levels: levels.value().map(|list| list.0.into_iter().map(|level| level.0).collect()),
    };
    open(&app, &actor, event).await?;
    let render =
        |_: &View, promotion: &Promotion| Answer::ok(&PromotionBody::new(promotion)).tagged(promotion.revision);
    Ok(app.engine.execute(&actor, command, render).await?)
}
