//! `POST /v1/resources/refund_requests`: asks that tickets of a paid order be given back.

use axum::extract::State;
use kassa_domain::View;
use kassa_domain::order::Order;
use kassa_domain::refund::{Culprit, RefundRequest, RefundTickets};
use kassa_domain::ticket::Ticket;
use kassa_engine::refunds::NewRefundRequest;

use super::model::{REFUND_REQUEST, RefundBody};
use crate::app::AppState;
use crate::caller::AuthenticatedCaller;
use crate::error::ApiError;
use crate::input::{Input, Json, List, LongText, Problems, fields, required_value, requires};
use crate::openapi::error_responses;
use crate::response::ApiResponse;
use crate::route::{EventSource, Route};
use crate::wire::{CULPRITS, IdRef, TimeInput, enum_input};

fields! {
    /// A request for a refund.
    pub(crate) struct RefundInput {
        /// The paid order.
        order: Input<IdRef<Order>>,
        /// Who caused the refund: with `user`, the customer, the refund policy of the order applies; with `org`, the
        /// organizer, all that was paid is returned.
        culprit: Input<CulpritInput>,
        /// The tickets of the order to return, by id.
        tickets_refund: Input<List<IdRef<Ticket>>>,
        /// In place of `tickets_refund`: the tickets of the order to keep, by id.
        tickets: Input<List<IdRef<Ticket>>>,
        /// When the customer asked, between the payment and now; now by default.
        requested_at: Input<TimeInput>,
        /// Why, in your own words; up to 10000 characters.
        reason: Input<LongText>,
    }
}

requires! {
    /// A new refund request. One of `tickets_refund` and `tickets` must be there, too.
    pub(crate) struct NewRefund: RefundInput { order, culprit }
}

enum_input! {
    struct CulpritInput(Culprit) of CULPRITS;
}

pub(crate) static ROUTE: Route = Route::new().shows(&REFUND_REQUEST).event(EventSource::Body);

#[utoipa::path(
    post, path = "/refund_requests", tag = "Refunds", operation_id = "create_refund_request",
    summary = "Request a refund",
    description = "By the vendor of a paid order or by the organizer. A ticket can be in one open request only.",
    request_body = NewRefund,
    responses((status = 201, description = "The request.", body = RefundBody), error_responses::CreateErrors),
)]
pub(crate) async fn handle(
    State(app): State<AppState>,
    AuthenticatedCaller(actor): AuthenticatedCaller,
    Json(body): Json<RefundInput>,
) -> Result<ApiResponse, ApiError> {
    let mut problems = Problems::default();
    let order = body.order.required("order", &mut problems);
    let culprit = body.culprit.required("culprit", &mut problems);
    let given = body.tickets_refund.optional("tickets_refund", &mut problems);
    let kept = body.tickets.optional("tickets", &mut problems);
    let requested_at = body.requested_at.optional("requested_at", &mut problems).map(|time| time.0);
    let reason = body.reason.optional("reason", &mut problems).map(|text| text.0);
    if problems.is_empty() {
        match (&given, &kept) {
            (Some(_), Some(_)) => problems.add("tickets", "must not be given together with tickets_refund"),
            (None, None) => problems.add("tickets_refund", "is required, unless tickets is given"),
            (Some(_), None) | (None, Some(_)) => {}
        }
    }
    problems.finish()?;
    let ids = |List(tickets): List<IdRef<Ticket>>| tickets.into_iter().map(|id| id.0).collect();
    let tickets =
        given.map(|given| RefundTickets::Tickets(ids(given))).or(kept.map(|kept| RefundTickets::AllExcept(ids(kept))));
    let new = NewRefundRequest {
        order: required_value(order)?.0.into(),
        culprit: required_value(culprit)?.0,
        tickets: required_value(tickets)?,
        requested_at,
        reason,
    };
    let render = |_: &View, request: &RefundRequest| {
        ApiResponse::created(&RefundBody::new(request)).with_revision(request.revision.number())
    };
    Ok(app.engine.create_refund(&actor, new, render).await?)
}
