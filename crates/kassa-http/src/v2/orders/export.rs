//! `POST /v2/resources/orders/export`: mails a list of orders. What is wanted is said in the body, or in
//! the query.

use axum::extract::State;
use axum::http::StatusCode;
use kassa_domain::event::Event;
use kassa_domain::order::ExportFilter;
use kassa_domain::user::Email;
use kassa_store::queries::OrdersFilter;
use utoipa::openapi::{RefOr, Schema};

use super::super::order_status::{ORDER_STATUSES, OrderStatusV2};
use super::super::pagination::through_whole_second;
use super::list::read_orders_filter;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::{ApiError, ErrorDetail};
use crate::input::{
    CommaSeparated, EmailText, Flag, FromJson, Input, OptionalJson, Problems, Query, fields, invalid_value,
    required_value, requires,
};
use crate::openapi::params::{flag, parameters, single_value, value_list, value_pair, words};
use crate::openapi::{error_responses, schema};
use crate::response::ApiResponse;
use crate::route::{RateLimit, Route};
use crate::wire::{IdRef, TimeInput, enum_input};

fields! {
    /// Which orders are wanted, and where they go.
    pub(crate) struct ExportInput {
        /// Where to mail the list: the confirmed e-mail of a user of your partner; required, here or in the query.
        email: Input<EmailText>,
        /// Only orders made between these two times, the earlier first: a list, or a text with a comma.
        created_at: Input<TimeRangeInput>,
        /// Only orders in these states: a list, or a text with commas.
        status: Input<CommaSeparated<OrderStatusInput>>,
        /// Only orders for these events, by id: a list, or a text with commas.
        events: Input<CommaSeparated<IdRef<Event>>>,
        /// Whether to leave out orders without the customer's e-mail; `false` by default.
        only_with_customer: Input<Flag>,
    }
}

requires! {
    /// Which orders are wanted, and where they go.
    pub(crate) struct Export: ExportInput { email }
}

/// Two times, the first of which is not the later.
struct TimeRangeInput(TimeInput, TimeInput);

impl FromJson for TimeRangeInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let CommaSeparated(times) = CommaSeparated::<TimeInput>::from_json(json)?;
        match times[..] {
            [from, till] if from <= till => Ok(Self(from, till)),
            _ => Err(invalid_value("must be two times, the earlier first")),
        }
    }

    fn json_schema() -> RefOr<Schema> {
        CommaSeparated::<TimeInput>::json_schema()
    }
}

enum_input! {
    struct OrderStatusInput(OrderStatusV2) of ORDER_STATUSES;
}

parameters! {
    pub(crate) struct Filters:
        single_value("email", schema::text_with_format("email"), "Where to mail the list, if the body does not say."),
        value_pair(
            "created_at", schema::text_with_format("date-time"),
            "Only those created between these two times, the earlier first.",
        ),
        words("status", ORDER_STATUSES.words, "Only those with these statuses."),
        value_list("events", schema::id(), "Only those for these events."),
        flag("only_with_customer", "Whether to leave out orders without the customer's e-mail; `false` by default."),
}

impl ExportInput {
    /// The address, and what is wanted: what the body does not say, the query may.
    fn into_filter(self, query: &Query, problems: &mut Problems) -> (Option<Email>, OrdersFilter) {
        let mut wanted = read_orders_filter(OrdersFilter::default(), query, problems);
        if let Some(TimeRangeInput(from, till)) = self.created_at.optional("created_at", problems) {
            wanted.created = Some(through_whole_second(from, till));
        }
        if let Some(CommaSeparated(states)) = self.status.optional("status", problems) {
            wanted.status = Some(OrderStatusV2::kinds_of(states.into_iter().map(|state| state.0)));
        }
        if let Some(CommaSeparated(events)) = self.events.optional("events", problems) {
            wanted.events = Some(events.into_iter().map(|event| event.0).collect());
        }
        if let Some(flag) = self.only_with_customer.optional("only_with_customer", problems) {
            wanted.with_customer = flag.0;
        }
        let said = query.value("email", problems);
        if matches!(self.email, Input::Absent | Input::Null) && said.is_none() {
            problems.add("email", "is required");
        }
        let email = self.email.optional("email", problems).map(|address| address.0).or(said);
        (email, wanted)
    }
}

pub(crate) static ROUTE: Route = Route::new().rate_limit(RateLimit::Export);

#[utoipa::path(
    post, path = "/orders/export", tag = "Orders", operation_id = "export_orders", summary = "Mail a list of orders",
    description = "Mails those that your partner sold or organizes, as a CSV file, to a user of your partner whose \
                   e-mail is confirmed. Filters can be in the body or in the query. The list is made and sent in the \
                   background.",
    params(Filters), request_body = Export,
    responses(
        (status = 200, description = "It will be sent.", body = String, content_type = "text/html", example = ""),
        error_responses::CreateErrors,
    ),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    query: Query,
    OptionalJson(body): OptionalJson<ExportInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let (to, wanted) = body.into_filter(&query, &mut problems);
    problems.finish()?;
    let OrdersFilter { created, status, events, with_customer, .. } = wanted;
    let exported = ExportFilter { partner: actor.acting_partner()?, created, status, events, with_customer };
    Ok(app
        .engine
        .export_orders(&actor, required_value(to)?, exported, |_, ()| ApiResponse::empty(StatusCode::OK))
        .await?)
}
