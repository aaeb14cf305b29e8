//! Errors as version 2 shows them: those of resources have the body of version 1 and `errors`, the texts that clients
//! of this interface know. Codes that an order leaves out are named in the answer to a success.

use axum::body::Body as HttpBody;
use axum::http::header;
use axum::response::Response;
use kassa_domain::Refusal;
use kassa_domain::order::{OrderId, OrderStatusKind};
use kassa_domain::refund::{RefundRefusal, RefundStatusKind};
use kassa_engine::Failure;
use serde::Serialize;
use utoipa::ToSchema;

use super::order_status::order_status_name;
use crate::error::{ApiError, ErrorBody, ErrorDetail};
use crate::wire::{REFUND_STATUSES, TICKETS_AND_RANDOM, TimeV2};

/// How the text begins of a status that a refund request cannot be given. It is a whole sentence.
pub(super) const INCORRECT_REFUND_STATUS: &str = "Incorrect status ";

/// An error.
#[derive(Serialize, ToSchema)]
#[schema(as = Error)]
pub(crate) struct ErrorV2Body<'a> {
    /// The name of the status.
    error: &'static str,
    /// What is wrong, in a sentence for people. It may change.
    reason: &'a str,
    /// What is wrong, in a word for programs. It never changes.
    code: &'static str,
    /// The fields and parameters that are wrong; empty if the error is about none.
    details: &'a [ErrorDetail],
    /// What is wrong, as texts. Only resources have it, not services.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    errors: Vec<String>,
}

impl<'a> ErrorV2Body<'a> {
    fn of(error: &'a ApiError) -> Self {
        let ErrorBody { error: name, reason, code, details } = error.body();
        Self { error: name, reason, code, details, errors: error_texts(error) }
    }
}

/// What is said of an error: a text for each bad field, else one for all.
fn error_texts(error: &ApiError) -> Vec<String> {
    let ErrorBody { details, reason, .. } = error.body();
    if details.is_empty() {
        let text = error.text().map(str::to_owned).or_else(|| refusal_text(error.refusal()?));
        return vec![text.unwrap_or_else(|| reason.to_owned())];
    }
    details.iter().map(detail_text).collect()
}

/// The text of a bad field.
fn detail_text(detail: &ErrorDetail) -> String {
    // These are whole sentences.
    if detail.problem == TICKETS_AND_RANDOM {
        return "Only one of tickets or random can be set".to_owned();
    }
    if detail.problem.starts_with(INCORRECT_REFUND_STATUS) {
        return detail.problem.clone();
    }
    let problem = detail.text.as_ref().unwrap_or(&detail.problem);
    format!("{} {problem}", detail.field.trim_start_matches("$."))
}

/// Adds the texts to an error, if there is one that has them.
pub(crate) fn add_error_texts(has_texts: bool, response: &mut Response) {
    let Some(error) = response.extensions_mut().remove::<ApiError>().filter(|_| has_texts) else { return };
    if let Ok(body) = serde_json::to_vec(&ErrorV2Body::of(&error)) {
        // The answer may have been packed, too.
        response.headers_mut().remove(header::CONTENT_ENCODING);
        response.headers_mut().remove(header::CONTENT_LENGTH);
        *response.body_mut() = HttpBody::from(body);
    }
}

/// The text of a refusal, where it is another than its reason. What clients of this interface know stays as it is.
fn refusal_text(refusal: &Refusal) -> Option<String> {
    if let Refusal::Refund(refusal) = refusal {
        return refund_refusal_text(refusal);
    }
    order_refusal_text(refusal).or_else(|| fixed_text(refusal.code()).map(str::to_owned))
}

/// The text of a refusal that names a thing, a status or a number.
fn order_refusal_text(refusal: &Refusal) -> Option<String> {
    if let Refusal::OrderFinal(state)
    | Refusal::OrderTransition { from: state @ (OrderStatusKind::Paid | OrderStatusKind::Refunded), .. } = refusal
    {
        return Some(format!("Not allow to update order in status {}", order_status_name(*state)));
    }
    if let Refusal::OrderTransition { from, .. } = refusal {
        return Some(format!("Incorrect status {} for this operation", order_status_name(*from)));
    }
    if let Refusal::HoldTooLong(max) = refusal {
        return Some(format!("max expired_after is {}", TimeV2(*max)));
    }
    if let Refusal::PromocodeTooFewTickets { min, .. } = refusal {
        return Some(format!("Mimimum count of tickets in order for promocode activation is {min}"));
    }
    if let Refusal::TicketUnknown(ticket) = refusal {
        return Some(format!("ticket (id = {ticket}) does not belong to current event"));
    }
    if let Refusal::SetUnknown(set) = refusal {
        return Some(format!("set (id = {set}) does not belong to current event"));
    }
    if let Refusal::DuplicateTicket(ticket) = refusal {
        return Some(format!("ticket (id = {ticket}) is named twice"));
    }
    if let Refusal::DuplicateSet(set) = refusal {
        return Some(format!("set (id = {set}) is named twice"));
    }
    if let Refusal::TicketNotInOrder(ticket) = refusal {
        return Some(format!("ticket (id = {ticket}) is not in the order"));
    }
    if let Refusal::TooMany { max, .. } = refusal {
        return Some(format!("There are too many of them: at most {max}"));
    }
    None
}

/// The text of refusals that say nothing but their code.
fn fixed_text(code: &str) -> Option<&'static str> {
    let text = match code {
        "credential_required" => "Authentication is required",
        "credential_invalid" => "The credentials are invalid",
        "cross_site" => "Requests with a cookie must come from this site",
        "customer_email_required" => "The e-mail of the customer is required",
        "deal_not_found" => "Deal not found",
        "event_not_on_sale" => "The event is not on sale",
        "expired_after_fixed" => "expired_after is not changable",
        "forbidden" => "You are not allowed to do this",
        "invitation_forbidden" => "invitation can send from control panel or salespoint only",
        "order_empty" => "there is no tickets in order",
        "partner_required" => "Name the partner to act for in the X-Partner header",
        "precondition_failed" => "The resource has changed: it has no ETag of those that If-Match names",
        "promocode_already_used" => "Promocode already used",
        "promocode_apply_info" => "Cant apply promocode by some reason",
        "promocode_not_found" => "Promocode not found",
        "promotion_runs" => "Cant use promocode when event have promotion",
        "stale" => "The resource is being changed by others at this moment",
        _ => return None,
    };
    Some(text)
}

fn refund_refusal_text(refusal: &RefundRefusal) -> Option<String> {
    let text = match refusal {
        RefundRefusal::OrderUnknown(_) | RefundRefusal::InvalidRequestTime => return None,
        RefundRefusal::OrderNotPaid { order, status } => {
            return Some(format!("wrong order (id: {order}) status: {}", order_status_name(*status)));
        }
        RefundRefusal::TooLate(days) => {
            return Some(format!(
                "Operation failed: customers give tickets back at least {days} days before the event starts"
            ));
        }
        RefundRefusal::CannotApprove(state) => {
            let state = REFUND_STATUSES.name(*state);
            return Some(format!("RefundRequest in wrong status `{state}` for approve"));
        }
        RefundRefusal::CannotReject(request) => return Some(format!("Failed to reject refund request {request}")),
        RefundRefusal::CannotBeginPayment(state) => {
            let state = REFUND_STATUSES.name(*state);
            return Some(format!("{INCORRECT_REFUND_STATUS}{state} for this operation"));
        }
        RefundRefusal::CannotReopen(_) => {
            let new = REFUND_STATUSES.name(RefundStatusKind::New);
            return Some(format!("{INCORRECT_REFUND_STATUS}{new} for this operation"));
        }
        RefundRefusal::NoTickets => "tickets list length is less than 1",
        RefundRefusal::AllTicketsKept => "Empty tickets for refund",
        RefundRefusal::InvalidTickets => "bad tickets",
        RefundRefusal::TicketsTaken => "Some tickets already use in another refund request",
        RefundRefusal::EventStarted => "Operation failed: Event started, and no after_event_start setting.",
        RefundRefusal::EventEnded => "Operation failed: Event ended, and no after_event_end setting.",
        RefundRefusal::OrganizerCulpritOnly => "Only org culprit allowed for cancelled events",
        RefundRefusal::EventFinished => "Not allowed to approve refund for finished event",
    };
    Some(text.to_owned())
}

/// What a change of an order is refused by: who cannot cancel it hears which one.
pub(super) fn order_error(failure: Failure, order: OrderId) -> ApiError {
    let to_cancel = |failure: &Failure| {
        let Failure::Refused(Refusal::OrderTransition { from, to }) = failure else { return false };
        *to == OrderStatusKind::Canceled && *from != OrderStatusKind::Paid
    };
    if to_cancel(&failure) {
        ApiError::from(failure).with_text(format!("Order {order} is not cancellable"))
    } else {
        failure.into()
    }
}

/// A promocode that was left out of an order.
#[derive(Serialize, ToSchema)]
#[schema(as = LeftOut)]
pub(super) struct SkippedPromocodeBody {
    /// Why it was left out, for programs: `promocode_not_found`, `promocode_apply_info`, `promocode_limit_min_tickets`
    /// or `promocode_already_used`.
    code: &'static str,
    /// Why it was left out, for people.
    msg: String,
}

impl SkippedPromocodeBody {
    /// All that were, in the order in which they were named.
    pub(super) fn all(left_out: &[Refusal]) -> Option<Vec<Self>> {
        (!left_out.is_empty()).then(|| left_out.iter().map(Self::new).collect())
    }

    fn new(refusal: &Refusal) -> Self {
        Self { code: refusal.code(), msg: refusal_text(refusal).unwrap_or_else(|| refusal.to_string()) }
    }
}
