//! `GET /v1/resources/events/{event}/promocodes/{promocode}`: by the organizer.

use axum::extract::State;
use kassa_domain::Needs;
use kassa_domain::event::Event;
use kassa_domain::promocode::Promocode;

use super::model::PromocodeBody;
use super::open;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::PathId;
use crate::openapi::errors;

#[utoipa::path(
    get, path = "/events/{event}/promocodes/{promocode}", tag = "Promocodes", operation_id = "get_promocode",
    summary = "Get a promocode", description = "For the organizer.",
    responses((status = 200, description = "The promocode.", body = PromocodeBody), errors::Read),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(event): PathId<Event>,
    PathId(id): PathId<Promocode, 1>,
) -> Result<Answer, ApiError> {
    open(&app, &actor, event).await?;
    let view = app.engine.view(&Needs { promocodes: vec![id], ..Needs::default() }).await?;
    let promocode = view.promocodes.get(id).filter(|promocode| promocode.event == event);
    let promocode = promocode.ok_or_else(|| ApiError::not_found("promocode"))?;
    Ok(Answer::ok(&PromocodeBody::new(promocode)).tagged(promocode.revision))
}
