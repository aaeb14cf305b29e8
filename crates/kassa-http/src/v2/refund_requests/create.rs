//! `POST /v2/resources/refund_requests`: asks that tickets of a paid order be given back.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::order::Order;
use kassa_domain::refund::{Culprit, RefundRequest, RefundTickets};
use kassa_engine::KeyOrRow;
use kassa_engine::refunds::NewRefundRequest;
use utoipa::openapi::{RefOr, Schema};

use super::model::RefundResponse;
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::{ApiError, ErrorDetail};
use crate::input::{FromJson, Input, Json, Problems, fields, required_value, requires};
use crate::openapi::error_responses;
use crate::related::RelatedRows;
use crate::response::ApiResponse;
use crate::route::{EventSource, Route};
use crate::wire::{CULPRITS, IdRef, TicketList, TimeInput, culprits_schema, parse_word_or_explain};

fields! {
    /// A request for a refund.
    pub(crate) struct RefundInput {
        /// The paid order.
        order: Input<IdRef<Order>>,
        /// Who caused the refund: with `user`, the customer, the refund policy of the order applies; with `org`, the
        /// organizer, all that was paid is returned.
        culprit: Input<CulpritInput>,
        /// The tickets of the order to return, by id.
        tickets: Input<TicketList>,
        /// When the customer asked, between the payment and now; now by default.
        requested_at: Input<TimeInput>,
    }
}

requires! {
    /// A new refund request.
    pub(crate) struct NewRefund: RefundInput { order, culprit, tickets }
}

struct CulpritInput(Culprit);

impl FromJson for CulpritInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let [user, org] = [Culprit::Customer, Culprit::Organizer].map(|culprit| CULPRITS.name(culprit));
        // The word is spelled so in the interface.
        let explain = |word| format!("Value '{word}' not in list of avaiable values ['{user}', '{org}']");
        parse_word_or_explain(CULPRITS.words, json, explain).map(Self)
    }

    fn json_schema() -> RefOr<Schema> {
        culprits_schema()
    }
}

pub(crate) static ROUTE: Route = Route::new().event(EventSource::Body);

#[utoipa::path(
    post, path = "/refund_requests", tag = "Refunds", operation_id = "create_refund_request",
    summary = "Request a refund",
    description = "By the vendor of a paid order or by the organizer. A ticket can be in one open request only.",
    request_body = NewRefund,
    responses((status = 200, description = "The request.", body = RefundResponse), error_responses::CreateErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    Json(body): Json<RefundInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let order = body.order.required("order", &mut problems);
    let culprit = body.culprit.required("culprit", &mut problems);
    let tickets = body.tickets.required("tickets", &mut problems);
    let requested_at = body.requested_at.optional("requested_at", &mut problems).map(|time| time.0);
    problems.finish()?;
    let (IdRef(order), CulpritInput(culprit), tickets) =
        (required_value(order)?, required_value(culprit)?, required_value(tickets)?);
    let tickets = RefundTickets::Tickets(tickets.0.into_iter().map(|id| id.0).collect());
    // An order that is not there is for the engine to refuse.
    let found = app.engine.order(order).await?;
    let related = RelatedRows::beside_new_refund(&app.engine, found.as_ref()).await?;
    let order = found.map_or_else(|| order.into(), KeyOrRow::from);
    let new = NewRefundRequest { order, culprit, tickets, requested_at, reason: None };
    let render = move |view: &View, request: &RefundRequest| {
        ApiResponse::ok(&RefundResponse::new(request, related.lookup_over(view)))
            .with_revision(request.revision.number())
    };
    Ok(app.engine.create_refund(&actor, new, render).await?)
}
