//! `GET /v1/resources/partners/{partner}`: in full for its own people, its face for everybody; with its
//! contact and its legal form for partners that it has a deal with.

use axum::extract::State;
use kassa_domain::Needs;
use kassa_domain::partner::Partner;

use super::{Seen, seen};
use crate::answer::Answer;
use crate::app::App;
use crate::base::Base;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::errors;

#[utoipa::path(
    get, path = "/partners/{partner}", tag = "Partners", operation_id = "get_partner", summary = "Get a partner",
    description = "In full for its own people; with contact and legal form for the other side of an accepted deal; its face for everybody.",
    security((), ("key" = []), ("cookie" = [])),
    responses((status = 200, description = "The partner.", body = Seen), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Caller(actor): Caller,
    base: Base,
    PathId(id): PathId<Partner>,
) -> Result<Answer, ApiError> {
    let view = app.engine.view(&Needs { partners: vec![id], ..Needs::default() }).await?;
    let partner = view.partners.get(id).ok_or_else(|| ApiError::not_found("partner"))?;
    let seen = seen(&app.engine, &actor, [partner], &base).await?;
    let (_, body) = seen.first().ok_or_else(|| ApiError::not_found("partner"))?;
    Ok(Answer::ok(body).tagged(partner.revision))
}
