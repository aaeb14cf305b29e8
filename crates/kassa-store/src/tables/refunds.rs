//! Refund requests.

#[cfg(feature = "test-drivers")]
use kassa_domain::Money;
use kassa_domain::change::Revision;
use kassa_domain::event::EventId;
use kassa_domain::order::{OrderId, PaymentSystem};
use kassa_domain::partner::PartnerId;
use kassa_domain::refund::{
    Culprit, RefundId, RefundLine, RefundPolicy, RefundRequest, RefundStatus, RefundStatusKind,
};
use kassa_domain::ticket::TicketId;
use kassa_domain::{Id, ShardTag, Timestamp};
use serde::{Deserialize, Serialize};

use crate::cell::json_cell;
use crate::error::StoreError;
use crate::lists::{Conditions, Filter, NEWEST_FIRST, Predicate, SortKey, Visibility, tag_of_all};
use crate::rows::{batch_id_cell, read_batch_id, read_tag, read_time, read_time_or_null, table};

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
    Mutable Int "revision": revision = source.int()?, row.revision.number();
    Mutable Blob "changed_in": changed_in = read_batch_id(source)?, batch_id_cell(row.revision.changed_in());
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
    revision: Revision::stored(revision, changed_in),
},
    check row.amounts().total() >= Money::ZERO
}

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

/// How a list of refund requests is sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RefundsOrder {
    /// The newest first.
    #[default]
    Newest,
    /// The oldest first.
    Oldest,
    /// By what is given back; of equal ones the newest first.
    Value {
        /// From the largest down.
        descending: bool,
    },
}

/// Refund requests that a caller may see.
#[derive(Clone, Debug, Default)]
pub struct RefundsFilter {
    /// The partners that the caller acts for: it sees requests for what they sold or organize.
    pub partners: Vec<PartnerId>,
    /// Only these.
    pub ids: Option<Vec<RefundId>>,
    /// Only for these orders.
    pub orders: Option<Vec<OrderId>>,
    /// Only for one of these events.
    pub events: Option<Vec<EventId>>,
    /// Only in one of these states.
    pub status: Option<Vec<RefundStatusKind>>,
    /// Only of this vendor.
    pub vendor: Option<PartnerId>,
    /// Only of this organizer.
    pub org: Option<PartnerId>,
    /// Only made between these moments, both included.
    pub created_at: Option<(Timestamp, Timestamp)>,
    /// Only decided between these moments, both included.
    pub finished_at: Option<(Timestamp, Timestamp)>,
    /// In which order.
    pub order: RefundsOrder,
}

/// As `permission::sees_refund` says.
impl Filter for RefundsFilter {
    type Row = RefundRequest;

    fn order(&self) -> &'static [SortKey] {
        match self.order {
            RefundsOrder::Newest => NEWEST_FIRST,
            RefundsOrder::Oldest => &[SortKey::Ascending("id")],
            RefundsOrder::Value { descending: false } => &[SortKey::Ascending("value"), SortKey::Descending("id")],
            RefundsOrder::Value { descending: true } => &[SortKey::Descending("value"), SortKey::Descending("id")],
        }
    }

    fn visibility(&self) -> Option<Visibility> {
        Some(Visibility::either_side(["organizer", "vendor"], &self.partners))
    }

    fn shard_tag(&self) -> Option<ShardTag> {
        tag_of_all(self.events.as_deref()).or_else(|| tag_of_all(self.orders.as_deref()))
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.extend(self.ids.as_deref().map(|ids| Predicate::one_of_tagged("id", ids)));
        conditions.extend(self.orders.as_deref().map(|orders| Predicate::one_of_tagged("order_id", orders)));
        conditions.extend(self.events.as_deref().map(|events| Predicate::names_one_of("event", events)));
        conditions.extend(
            self.status
                .as_ref()
                .map(|list| Predicate::one_of("status", list.iter().map(|status| status.name().into()))),
        );
        conditions.extend(self.vendor.map(|vendor| Predicate::names("vendor", vendor)));
        conditions.extend(self.org.map(|org| Predicate::names("organizer", org)));
        conditions.extend(self.created_at.map(|(first, last)| Predicate::time_between("created_at", first, last)));
        conditions.extend(self.finished_at.map(|(first, last)| Predicate::time_between("finished_at", first, last)));
    }
}
