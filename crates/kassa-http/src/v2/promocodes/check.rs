//! `POST /v2/services/promocodes/check`: what a code would take off, for those who may sell or buy the event.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;
use kassa_domain::event::Event;
use kassa_domain::promocode::Promocode;
use kassa_domain::set::{SetId, TicketSet};
use kassa_domain::{ReadSet, Refusal, Timestamp, View, permission};
use serde::Serialize;
use utoipa::ToSchema;

use super::super::refs::{DiscountV2Body, TimeSpanBody, shown_price};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Input, Json, Problems, PromocodeCodeInput, fields, required_value, requires};
use crate::openapi::error_responses;
use crate::related::events_and_deals;
use crate::response::ApiResponse;
use crate::route::{EventSource, RateLimit, Route};
use crate::wire::{IdRef, MoneyBody, SetRef, TicketsCountBody};

fields! {
    /// A code that somebody typed.
    pub(crate) struct PromocodeCheckInput {
        /// The id of the event.
        event: Input<IdRef<Event>>,
        /// The code as the customer typed it.
        code: Input<PromocodeCodeInput>,
    }
}

requires! {
    /// A code of an event.
    pub(crate) struct Check: PromocodeCheckInput { event, code }
}

/// What a promocode does.
#[derive(Serialize, ToSchema)]
#[schema(as = CheckedPromocode)]
struct CheckedPromocodeBody {
    /// What it takes off each ticket.
    discount: DiscountV2Body,
    /// When orders can start using it; missing if that is at any time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    lifetime: Option<TimeSpanBody>,
    /// The sets whose tickets it discounts; all sets of the event if it is empty.
    sets: Vec<SetRef>,
    /// How many tickets of its sets an order must have.
    tickets_count: TicketsCountBody,
}

/// The sets that a code names.
#[derive(Serialize, ToSchema)]
#[schema(as = CheckRefs)]
struct PromocodeCheckRefs<'a> {
    /// The sets that it names, by id.
    #[schema(value_type = BTreeMap<SetRef, CheckedSetBody>)]
    sets: BTreeMap<SetId, CheckedSetBody<'a>>,
}

/// A set, at the price that its organizer asks.
#[derive(Serialize, ToSchema)]
#[schema(as = CheckedSet)]
struct CheckedSetBody<'a> {
    /// The id of the set.
    id: SetRef,
    /// The name of the set.
    name: &'a str,
    /// The organizer's price now, else of the next price rule, else of the last.
    price: MoneyBody,
}

/// What a promocode does, and the sets that it names.
#[derive(Serialize, ToSchema)]
#[schema(as = CheckAnswer)]
struct PromocodeCheckResponse<'a> {
    /// What the code does.
    data: CheckedPromocodeBody,
    /// What it refers to by id.
    refs: PromocodeCheckRefs<'a>,
}

impl<'a> PromocodeCheckResponse<'a> {
    fn new(promocode: &Promocode, view: &'a View, now: Timestamp) -> Self {
        let set =
            |set: &'a TicketSet| CheckedSetBody { id: IdRef(set.id), name: &set.name, price: shown_price(set, now) };
        let sets = promocode.sets.iter().filter_map(|id| view.sets.get(*id));
        Self {
            data: CheckedPromocodeBody {
                discount: promocode.discount.into(),
                lifetime: promocode.lifetime.map(TimeSpanBody::from),
                sets: promocode.sets.iter().copied().map(IdRef).collect(),
                tickets_count: promocode.ticket_count_limits.into(),
            },
            refs: PromocodeCheckRefs { sets: sets.map(|found| (found.id, set(found))).collect() },
        }
    }
}

pub(crate) static ROUTE: Route = Route::new().event(EventSource::Body).rate_limit(RateLimit::PromocodeCheck);

#[utoipa::path(
    post, path = "/promocodes/check", tag = "Promocodes", operation_id = "check_promocode",
    summary = "Check a promocode",
    description = "Only for those who can sell the event, and for visitors of a shop that sells it. A code that no order could start using now is not found.",
    request_body = Check,
    responses((status = 200, description = "What it does.", body = PromocodeCheckResponse), error_responses::CreateErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    Json(body): Json<PromocodeCheckInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let event = body.event.required("event", &mut problems);
    let code = body.code.required("code", &mut problems);
    problems.finish()?;
    let (IdRef(event), PromocodeCodeInput(code)) = (required_value(event)?, required_value(code)?);
    let read_set = ReadSet {
        sets_of: vec![event],
        promocodes_by_text: vec![(event, code.clone())],
        ..events_and_deals(&actor, vec![event])
    };
    let view = app.engine.view(&read_set).await?;
    let sold = view.events.get(event).is_some_and(|event| permission::may_use_promocodes(&actor, event, &view));
    if !sold {
        return Err(Refusal::EventUnknown(event.to_string()).into());
    }
    let now = app.engine.now();
    let promocode = view.promocode(event, &code).filter(|found| found.is_valid(now) && found.uses.has_remaining());
    let not_found = || ApiError::new(StatusCode::BAD_REQUEST, "promocode_not_found", "Promocode not found");
    Ok(ApiResponse::ok(&PromocodeCheckResponse::new(promocode.ok_or_else(not_found)?, &view, now)))
}
