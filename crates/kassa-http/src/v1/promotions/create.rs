//! `POST /v1/resources/events/{event}/promotions`: by the organizer.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::event::Event;
use kassa_domain::promotion::{CreatePromotion, Promotion};

use super::may_make;
use super::model::{PromotionBody, PromotionInput};
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems, must, requires};
use crate::openapi::errors;

requires! {
    /// A new promotion.
    pub(crate) struct NewPromotion: PromotionInput { lifetime, by, kind, levels }
}

#[utoipa::path(
    post, path = "/events/{event}/promotions", tag = "Promotions", operation_id = "create_promotion",
    summary = "Make a promotion", description = "By the organizer.",
    request_body = NewPromotion,
    responses((status = 201, description = "The promotion.", body = PromotionBody), errors::Change),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(event): PathId<Event>,
    Json(body): Json<PromotionInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let lifetime = body.lifetime.required("lifetime", &mut problems);
    let sets = body.sets.optional("sets", &mut problems);
    let by = body.by.required("by", &mut problems);
    let kind = body.kind.required("kind", &mut problems);
    let levels = body.levels.required("levels", &mut problems);
    problems.finish()?;
    let command = CreatePromotion {
        event,
        lifetime: must(lifetime)?.0,
        sets: sets.map_or_else(Vec::new, |list| list.0.into_iter().map(|set| set.0).collect()),
        by: must(by)?.0,
        kind: must(kind)?.0,
        levels: must(levels)?.0.into_iter().map(|level| level.0).collect(),
    };
    may_make(&app, &actor, event).await?;
    let render =
        |_: &View, promotion: &Promotion| Answer::created(&PromotionBody::new(promotion)).tagged(promotion.revision);
    Ok(app.engine.execute(&actor, command, render).await?)
}
