//! `POST /v2/resources/orders/export`: mails a list of orders. What is wanted is said in the body, or in
//! the query.

use axum::extract::State;
use axum::http::StatusCode;
use kassa_domain::event::Event;
use kassa_domain::order::{ExportOrders, Exported, OrderState};
use kassa_domain::user::Email;
use kassa_store::queries::OrdersFilter;
use utoipa::openapi::{RefOr, Schema};

use super::super::page::whole;
use super::list::{STATES, filter};
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Known;
use crate::error::{ApiError, Detail};
use crate::input::{
    Address, Flag, FromJson, Input, MaybeJson, Problems, Query, Several, bad, fields, must, one_of, requires,
};
use crate::openapi::params::{flag, many, one, pair, parameters, words};
use crate::openapi::{errors, schema};
use crate::wire::{ReadTime, Ref};

fields! {
    /// Which orders are wanted, and where they go.
    pub(crate) struct ExportInput {
        /// Where the list is sent.
        email: Input<Address>,
        /// Only those made from then to then: two times.
        created_at: Input<SpanInput>,
        /// Only those in these states.
        status: Input<Several<StateInput>>,
        /// Only those for these events.
        events: Input<Several<Ref<Event>>>,
        /// Whether to leave out those whose customer's e-mail is not known.
        only_with_customer: Input<Flag>,
    }
}

requires! {
    /// Which orders are wanted, and where they go.
    pub(crate) struct Export: ExportInput { email }
}

/// Two times, the first of which is not the later.
struct SpanInput(ReadTime, ReadTime);

impl FromJson for SpanInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        let Several(times) = Several::<ReadTime>::from_json(json)?;
        match times[..] {
            [from, till] if from <= till => Ok(Self(from, till)),
            _ => Err(bad("must be two times, the earlier first")),
        }
    }

    fn form() -> RefOr<Schema> {
        Several::<ReadTime>::form()
    }
}

struct StateInput(OrderState);

impl FromJson for StateInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        one_of(&STATES, json).map(Self)
    }

    fn form() -> RefOr<Schema> {
        schema::words(STATES.map(|(name, _)| name)).into()
    }
}

parameters! {
    pub(crate) struct Filters:
        one("email", schema::text_in("email"), "Where the list is sent, if the body does not say."),
        pair("created_at", schema::text_in("date-time"), "Only those made from then to then."),
        words("status", &STATES, "Only those in these states."),
        many("events", schema::id(), "Only those for these events."),
        flag("only_with_customer", "Whether to leave out those whose customer's e-mail is not known."),
}

impl ExportInput {
    /// The address, and what is wanted: what the body does not say, the query may.
    fn into_wish(self, query: &Query, problems: &mut Problems) -> (Option<Email>, OrdersFilter) {
        let mut wanted = filter(query, problems);
        if let Some(SpanInput(from, till)) = self.created_at.optional("created_at", problems) {
            wanted.created = Some(whole((from, till)));
        }
        if let Some(Several(states)) = self.status.optional("status", problems) {
            wanted.status = Some(states.into_iter().map(|state| state.0).collect());
        }
        if let Some(Several(events)) = self.events.optional("events", problems) {
            wanted.events = Some(events.into_iter().map(|event| event.0).collect());
        }
        if let Some(flag) = self.only_with_customer.optional("only_with_customer", problems) {
            wanted.with_customer = flag.0;
        }
        let said = query.one("email", problems);
        if matches!(self.email, Input::Absent | Input::Null) && said.is_none() {
            problems.add("email", "is required");
        }
        let email = self.email.optional("email", problems).map(|address| address.0).or(said);
        (email, wanted)
    }
}

#[utoipa::path(
    post, path = "/orders/export", tag = "Orders", operation_id = "export_orders", summary = "Mail a list of orders",
    description = "Those that the partner sold or organizes, as a CSV file. What is wanted can be said in the query, too. \
                   The list is made and sent afterwards.",
    params(Filters), request_body = Export,
    responses(
        (status = 200, description = "It will be sent.", body = String, content_type = "text/html", example = ""),
        errors::Create,
    ),
)]
pub(crate) async fn handle(
    State(app): State<App>,
    Known(actor): Known,
    query: Query,
    MaybeJson(body): MaybeJson<ExportInput>,
) -> Result<Answer, ApiError> {
    let mut problems = Problems::default();
    let (to, wanted) = body.into_wish(&query, &mut problems);
    problems.finish()?;
    let OrdersFilter { created, status, events, with_customer, .. } = wanted;
    let exported = Exported { partner: actor.partner()?, created, status, events, with_customer };
    let command = ExportOrders { to: must(to)?, exported };
    Ok(app.engine.execute(&actor, command, |_, ()| Answer::empty(StatusCode::OK)).await?)
}
