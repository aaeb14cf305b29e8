//! `PATCH /v1/resources/events/{event}/promocodes/{promocode}`: by the organizer. `name` and `desc`; and
//! `amount` and `lifetime`, by which a code is ended or lasts longer. What the code is for never changes:
//! other fields are read-only and ignored.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::event::Event;
use kassa_domain::promocode::{AMOUNT_MAX, Promocode, UpdatePromocode};

use super::model::{LifetimeInput, PromocodeBody};
use super::open;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{Count, Input, Json, LongText, Name, PathId, Problems, fields};
use crate::openapi::errors;

fields! {
    /// A change of a promocode.
    pub(crate) struct PromocodeInput {
        name: Input<Name>,
        desc: Input<LongText>,
        /// How many orders can use it.
        amount: Input<Count<AMOUNT_MAX>>,
        /// When orders can begin to use it.
        lifetime: Input<LifetimeInput>,
    }
}

#[utoipa::path(
    patch, path = "/events/{event}/promocodes/{promocode}", tag = "Promocodes", operation_id = "update_promocode",
    summary = "Change a promocode", description = "By the organizer. What the code is for never changes.",
    request_body = PromocodeInput,
    responses((status = 200, description = "The promocode.", body = PromocodeBody), errors::Change),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(event): PathId<Event>,
    PathId(promocode): PathId<Promocode, 1>,
    Json(body): Json<PromocodeInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let command = UpdatePromocode {
        event,
        promocode,
        name: body.name.patch("name", &mut problems).map(|text| text.0),
        desc: body.desc.patch("desc", &mut problems).map(|text| text.0),
        amount: body.amount.patch("amount", &mut problems).map(|count| count.0),
        lifetime: body.lifetime.patch("lifetime", &mut problems).map(|lifetime| lifetime.0),
    };
    problems.finish()?;
    open(&app, &actor, event).await?;
    let render =
        |_: &View, promocode: &Promocode| Answer::ok(&PromocodeBody::new(promocode)).tagged(promocode.revision);
    Ok(app.engine.execute(&actor, command, render).await?)
}
