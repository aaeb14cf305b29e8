//! Refund requests.

use kassa_domain::order::PaymentSystem;
use kassa_domain::refund::{Culprit, RefundLine, RefundPolicy, RefundRequest, RefundStatus, RefundStatusKind};
use kassa_domain::ticket::TicketId;
use kassa_domain::{Id, Timestamp};
use serde::{Deserialize, Serialize};

use super::system::{read_tag, read_time, read_time_or_null};
use super::table;
use crate::cell::json_cell;
use crate::error::StoreError;

/// What of a refund request nothing filters by.
#[derive(Serialize, Deserialize)]
struct RefundRequestBody {
    culprit: Culprit,
    lines: Vec<RefundLine>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    other_tickets: Vec<TicketId>,
    #[serde(default)]
    policy: RefundPolicy,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    payment_system: Option<PaymentSystem>,
    requested_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl From<&RefundRequest> for RefundRequestBody {
    fn from(request: &RefundRequest) -> Self {
        Self {
            culprit: request.culprit,
            lines: request.lines.clone(),
            other_tickets: request.other_tickets.clone(),
            policy: request.policy,
            payment_system: request.payment_system,
            requested_at: request.requested_at,
            reason: request.reason.clone(),
        }
    }
}

table! { RefundRequest, "refund_requests", |row, source| {
    Key Int "id": key = source.int()?, row.id.key();
    Tag Int "tag": tag = read_tag(source)?, row.id.tag().to_i64();
    Immutable Int "order_id": order = Id::with_tag(tag, source.int()?), row.order.key();
    Immutable Int "event": event = Id::root(source.int()?), row.event.key();
    Immutable Int "organizer": organizer = Id::root(source.int()?), row.organizer.key();
    Immutable Int "vendor": vendor = Id::root(source.int()?), row.vendor.key();
    Mutable Text "status": state = source.text()?, row.state().name();
    Mutable Int "value": _value = source.int()?, row.amounts().total().minor();
    Mutable Int "finished_at": finished_at = read_time_or_null(source)?, row.finished_at().map(Timestamp::ms);
    Mutable Json "body": body = source.json::<RefundRequestBody>()?, json_cell(&RefundRequestBody::from(row));
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "updated_at": updated_at = read_time(source)?, row.updated_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision;
} => RefundRequest {
    id: Id::with_tag(tag, key),
    order,
    event,
    organizer,
    vendor,
    culprit: body.culprit,
    status: read_refund_status(key, &state, finished_at)?,
    lines: body.lines,
    other_tickets: body.other_tickets,
    policy: body.policy,
    payment_system: body.payment_system,
    requested_at: body.requested_at,
    reason: body.reason,
    created_at,
    updated_at,
    revision,
} }

fn read_refund_status(key: i64, state: &str, finished_at: Option<Timestamp>) -> Result<RefundStatus, StoreError> {
    let known = RefundStatusKind::ALL.into_iter().find(|known| known.name() == state);
    match (known, finished_at) {
        (Some(RefundStatusKind::New), None) => Ok(RefundStatus::New),
        (Some(RefundStatusKind::InProgress), None) => Ok(RefundStatus::InProgress),
        (Some(RefundStatusKind::Approved), Some(at)) => Ok(RefundStatus::Approved { at }),
        (Some(RefundStatusKind::Rejected), Some(at)) => Ok(RefundStatus::Rejected { at }),
        (Some(_) | None, _) => Err(StoreError::Corrupt(format!("refund request {key} in status {state}"))),
    }
}
