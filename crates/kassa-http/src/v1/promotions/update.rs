//! `PATCH /v1/resources/events/{event}/promotions/{promotion}`: by the organizer. Orders that were promised
//! it keep what they were promised.

use axum::extract::State;
use kassa_domain::event::Event;
use kassa_domain::promotion::{Promotion, UpdatePromotion};
use kassa_domain::{Patch, View};

use super::ensure_may_view;
use super::model::{PROMOTION, PromotionBody, PromotionInput};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Json, PathId, Problems};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{EventSource, ResourceType, Route};

pub(crate) static ROUTE: Route =
    Route::new().resource(ResourceType::Promotion).shows(&PROMOTION).event(EventSource::Path);

#[utoipa::path(
    patch, path = "/events/{event}/promotions/{promotion}", tag = "Promotions", operation_id = "update_promotion",
    summary = "Change a promotion",
    description = "Only the organizer can. Orders that it already applies to keep their discount. A new `by` or \
                   `kind` requires new `levels`.",
    request_body = PromotionInput,
    responses((status = 200, description = "The promotion.", body = PromotionBody), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(event): PathId<Event>,
    PathId(promotion): PathId<Promotion, 1>,
    Json(body): Json<PromotionInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let lifetime = body.lifetime.patch_non_null("lifetime", &mut problems).map(|lifetime| lifetime.0);
    let sets = body.sets.patch("sets", &mut problems);
    let by = body.by.patch_non_null("by", &mut problems).map(|by| by.0);
    let kind = body.kind.patch_non_null("kind", &mut problems).map(|kind| kind.0);
    let levels = body.levels.patch_non_null("levels", &mut problems);
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
        measure: by.value(),
        kind: kind.value(),
        levels: levels.value().map(|list| list.0.into_iter().map(|level| level.0).collect()),
    };
    ensure_may_view(&app, &actor, event).await?;
    let render = |_: &View, promotion: &Promotion| {
        ApiResponse::ok(&PromotionBody::new(promotion)).with_revision(promotion.revision.number())
    };
    Ok(app.engine.execute(&actor, command, render).await?)
}
