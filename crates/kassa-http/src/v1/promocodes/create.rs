//! `POST /v1/resources/events/{event}/promocodes`: by the organizer.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::event::Event;
use kassa_domain::promocode::{AMOUNT_MAX, CreatePromocode, Promocode};
use kassa_domain::set::{SETS_MAX, Set};

use super::may_make;
use super::model::{CountInput, DiscountInput, LifetimeInput, PromocodeBody};
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{CodeText, Count, Input, Json, List, LongText, Name, PathId, Problems, fields, must, requires};
use crate::openapi::errors;
use crate::wire::Ref;

fields! {
    /// What a new promocode is.
    pub(crate) struct IssueInput {
        /// Unique in the event.
        code: Input<CodeText>,
        name: Input<Name>,
        desc: Input<LongText>,
        /// Whose tickets get cheaper; those of all sets if none is named.
        sets: Input<List<Ref<Set>, { SETS_MAX as usize }>>,
        /// What it takes off each ticket: one of these.
        discount: Input<DiscountInput>,
        /// How many orders can use it; any number if it is not said.
        amount: Input<Count<AMOUNT_MAX>>,
        /// When orders can begin to use it.
        lifetime: Input<LifetimeInput>,
        /// How many of these tickets an order must have.
        tickets_count: Input<CountInput>,
    }
}

requires! {
    /// A new promocode.
    pub(crate) struct NewPromocode: IssueInput { code, discount }
}

#[utoipa::path(
    post, path = "/events/{event}/promocodes", tag = "Promocodes", operation_id = "create_promocode",
    summary = "Make a promocode", description = "By the organizer.",
    request_body = NewPromocode,
    responses((status = 201, description = "The promocode.", body = PromocodeBody), errors::Change),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    PathId(event): PathId<Event>,
    Json(body): Json<IssueInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let code = body.code.required("code", &mut problems);
    let discount = body.discount.required("discount", &mut problems);
    let name = body.name.optional("name", &mut problems).map(|text| text.0);
    let desc = body.desc.optional("desc", &mut problems).map(|text| text.0);
    let sets = body.sets.optional("sets", &mut problems);
    let amount = body.amount.optional("amount", &mut problems).map(|count| count.0);
    let lifetime = body.lifetime.optional("lifetime", &mut problems).map(|lifetime| lifetime.0);
    let tickets_count = body.tickets_count.optional("tickets_count", &mut problems).map(|count| count.0);
    problems.finish()?;
    let command = CreatePromocode {
        event,
        code: must(code)?.0,
        name,
        desc,
        sets: sets.map_or_else(Vec::new, |list| list.0.into_iter().map(|set| set.0).collect()),
        discount: must(discount)?.0,
        tickets_count: tickets_count.unwrap_or_default(),
        lifetime: lifetime.unwrap_or_default(),
        amount,
    };
    may_make(&app, &actor, event).await?;
    let render =
        |_: &View, promocode: &Promocode| Answer::created(&PromocodeBody::new(promocode)).tagged(promocode.revision);
    Ok(app.engine.execute(&actor, command, render).await?)
}
