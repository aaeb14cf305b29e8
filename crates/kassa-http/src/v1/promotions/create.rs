//! `POST /v1/resources/events/{event}/promotions`: by the organizer.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::event::Event;
use kassa_domain::promotion::{CreatePromotion, Promotion};

use super::ensure_may_create;
use super::model::{PROMOTION, PromotionBody, PromotionInput};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems, required_value, requires};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{EventSource, Route};

requires! {
    /// A new promotion.
    pub(crate) struct NewPromotion: PromotionInput { lifetime, by, kind, levels }
}

pub(crate) static ROUTE: Route = Route::new().shows(&PROMOTION).event(EventSource::Path);

#[utoipa::path(
    post, path = "/events/{event}/promotions", tag = "Promotions", operation_id = "create_promotion",
    summary = "Create a promotion",
    description = "Only the organizer can.",
    request_body = NewPromotion,
    responses((status = 201, description = "The promotion.", body = PromotionBody), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(event): PathId<Event>,
    Json(body): Json<PromotionInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let lifetime = body.lifetime.required("lifetime", &mut problems);
    let sets = body.sets.optional("sets", &mut problems);
    let by = body.by.required("by", &mut problems);
    let kind = body.kind.required("kind", &mut problems);
    let levels = body.levels.required("levels", &mut problems);
    problems.finish()?;
    let command = CreatePromotion {
        event,
        lifetime: required_value(lifetime)?.0,
        sets: sets.map_or_else(Vec::new, |list| list.0.into_iter().map(|set| set.0).collect()),
        measure: required_value(by)?.0,
        kind: required_value(kind)?.0,
        levels: required_value(levels)?.0.into_iter().map(|level| level.0).collect(),
    };
    ensure_may_create(&app, &actor, event).await?;
    let render = |_: &View, promotion: &Promotion| {
        ApiResponse::created(&PromotionBody::new(promotion)).with_revision(promotion.revision.number())
    };
    Ok(app.engine.execute(&actor, command, render).await?)
}
