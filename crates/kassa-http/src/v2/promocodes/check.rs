//! `POST /v2/services/promocodes/check`: what a code would take off, for those who may sell the event.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;
use kassa_domain::event::Event;
use kassa_domain::promocode::{Promocode, TicketsCount};
use kassa_domain::set::{Set, SetId};
use kassa_domain::{Needs, Refusal, Timestamp, View, permission};
use serde::Serialize;
use utoipa::ToSchema;

use super::super::refs::{DiscountBody, SpanBody, shown_price};
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::ApiError;
use crate::input::{CodeText, Input, Json, Problems, fields, must, requires};
use crate::openapi::errors;
use crate::wire::{Price, Ref, SetRef};

fields! {
    /// A code that somebody typed.
    pub(crate) struct CheckInput {
        event: Input<Ref<Event>>,
        code: Input<CodeText>,
    }
}

requires! {
    /// A code of an event.
    pub(crate) struct Check: CheckInput { event, code }
}

/// What a code does.
// api-facts §5.4
#[derive(Serialize, ToSchema)]
#[schema(as = CheckedPromocode)]
struct CheckedBody {
    discount: DiscountBody,
    /// When orders can begin to use it; missing if that is always.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    lifetime: Option<SpanBody>,
    /// Whose tickets get cheaper; those of all sets if it is empty.
    sets: Vec<SetRef>,
    tickets_count: TicketsCountBody,
}

/// How many of these tickets an order must have: `{}` without limits.
#[derive(Serialize, ToSchema)]
#[schema(as = TicketsCount)]
struct TicketsCountBody {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    min: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    max: Option<u32>,
}

/// The sets that a code names.
#[derive(Serialize, ToSchema)]
#[schema(as = CheckRefs)]
struct CheckRefs<'a> {
    #[schema(value_type = BTreeMap<SetRef, CheckedSet>)]
    sets: BTreeMap<SetId, CheckedSet<'a>>,
}

/// A set, at the price that its organizer asks.
#[derive(Serialize, ToSchema)]
struct CheckedSet<'a> {
    id: SetRef,
    name: &'a str,
    price: Price,
}

/// What a code does, and what it refers to.
#[derive(Serialize, ToSchema)]
struct CheckAnswer<'a> {
    data: CheckedBody,
    refs: CheckRefs<'a>,
}

impl<'a> CheckAnswer<'a> {
    fn new(promocode: &Promocode, view: &'a View, now: Timestamp) -> Self {
        let TicketsCount { min, max } = promocode.tickets_count;
        let set = |set: &'a Set| CheckedSet { id: Ref(set.id), name: &set.name, price: shown_price(set, now) };
        let sets = promocode.sets.iter().filter_map(|id| view.sets.get(*id));
        Self {
            data: CheckedBody {
                discount: promocode.discount.into(),
                lifetime: promocode.lifetime.map(SpanBody::from),
                sets: promocode.sets.iter().copied().map(Ref).collect(),
                tickets_count: TicketsCountBody { min, max },
            },
            refs: CheckRefs { sets: sets.map(|found| (found.id, set(found))).collect() },
        }
    }
}

#[utoipa::path(
    post, path = "/promocodes/check", tag = "Promocodes", operation_id = "check_promocode",
    summary = "Check a promocode",
    description = "For those who may sell the event. Codes that no order could begin to use now are not found.",
    request_body = Check,
    responses((status = 200, description = "What it does.", body = CheckAnswer), errors::Create),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    Json(body): Json<CheckInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let event = body.event.required("event", &mut problems);
    let code = body.code.required("code", &mut problems);
    problems.finish()?;
    let (Ref(event), CodeText(code)) = (must(event)?, must(code)?);
    let needs = Needs {
        events: vec![event],
        sets_of: vec![event],
        codes: vec![(event, code.clone())],
        deals_of: actor.partners().into_iter().map(|partner| (event, partner)).collect(),
        ..Needs::default()
    };
    let view = app.engine.view(&needs).await?;
    let sold = view.events.get(event).is_some_and(|event| permission::sells_event(&actor, event, &view));
    if !sold {
        return Err(Refusal::EventUnknown(event.to_string()).into());
    }
    let now = app.engine.now();
    let promocode = view.promocode(event, &code).filter(|found| found.is_valid(now) && found.uses.is_left());
    let not_found = || ApiError::new(StatusCode::BAD_REQUEST, "promocode_not_found", "Promocode not found");
    Ok(Answer::ok(&CheckAnswer::new(promocode.ok_or_else(not_found)?, &view, now)))
}
