//! `POST /v1/resources/events/{event}/promocodes`: by the organizer.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::event::Event;
use kassa_domain::promocode::{CreatePromocode, PROMOCODE_USES_MAX, Promocode};
use kassa_domain::set::{SETS_MAX, TicketSet};

use super::ensure_may_create;
use super::model::{DiscountInput, LifetimeInput, PROMOCODE, PromocodeBody, TicketsCountInput};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{
    BoundedNumber, Input, Json, List, LongText, NameText, PathId, Problems, PromocodeCodeInput, fields, required_value,
    requires,
};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{EventSource, Route};
use crate::wire::IdRef;

fields! {
    /// What a new promocode is.
    pub(crate) struct NewPromocodeInput {
        /// The code that customers type, in any case; unique within the event.
        code: Input<PromocodeCodeInput>,
        /// A name for the organizer's own use; up to 255 characters.
        name: Input<NameText>,
        /// A description for the organizer's own use; up to 10000 characters.
        desc: Input<LongText>,
        /// The sets whose tickets it discounts, by id; all sets of the event if it is empty or missing.
        sets: Input<List<IdRef<TicketSet>, { SETS_MAX as usize }>>,
        /// What it takes off each ticket: exactly one of these fields.
        discount: Input<DiscountInput>,
        /// How many orders can use it; any number if it is missing.
        amount: Input<BoundedNumber<PROMOCODE_USES_MAX>>,
        /// When orders can start using it: a VEVENT (RFC 5545), or an object; at any time if it is missing.
        lifetime: Input<LifetimeInput>,
        /// How many tickets of its sets an order must have.
        tickets_count: Input<TicketsCountInput>,
    }
}

requires! {
    /// A new promocode.
    pub(crate) struct NewPromocode: NewPromocodeInput { code, discount }
}

pub(crate) static ROUTE: Route = Route::new().shows(&PROMOCODE).event(EventSource::Path);

#[utoipa::path(
    post, path = "/events/{event}/promocodes", tag = "Promocodes", operation_id = "create_promocode",
    summary = "Create a promocode",
    description = "Only the organizer can.",
    request_body = NewPromocode,
    responses((status = 201, description = "The promocode.", body = PromocodeBody), error_responses::ChangeErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    PathId(event): PathId<Event>,
    Json(body): Json<NewPromocodeInput>,
) -> Result<ApiResponse, ApiError> {
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
        code: required_value(code)?.0,
        name,
        desc,
        sets: sets.map_or_else(Vec::new, |list| list.0.into_iter().map(|set| set.0).collect()),
        discount: required_value(discount)?.0,
        ticket_count_limits: tickets_count.unwrap_or_default(),
        lifetime: lifetime.unwrap_or_default(),
        uses_limit: amount,
    };
    ensure_may_create(&app, &actor, event).await?;
    let render = |_: &View, promocode: &Promocode| {
        ApiResponse::created(&PromocodeBody::new(promocode)).with_revision(promocode.revision.number())
    };
    Ok(app.engine.execute(&actor, command, render).await?)
}
