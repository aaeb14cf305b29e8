//! Refund requests.

use kassa_domain::order::PaymentSystem;
use kassa_domain::refund::{Culprit, RefundLine, RefundPolicy, RefundRequest, RefundStatus, RefundStatusKind};
use kassa_domain::ticket::TicketId;
use kassa_domain::{Id, Timestamp};
use serde::{Deserialize, Serialize};

use super::system::{read_tag, read_time};
use super::{Column, MappedRow, RowKey as _, columns};
use crate::cell::{Cell, RowReader, json_cell};
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

impl MappedRow for RefundRequest {
    const TABLE: &'static str = "refund_requests";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Tag Int "tag",
        Immutable Int "order_id",
        Immutable Int "event",
        Immutable Int "organizer",
        Immutable Int "vendor",
        Mutable Text "status",
        Mutable Int "value",
        Mutable Int "finished_at",
        Mutable Json "body",
        Immutable Int "created_at",
        Mutable Int "updated_at",
        Mutable Int "revision",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        let body = RefundRequestBody {
            culprit: self.culprit,
            lines: self.lines.clone(),
            other_tickets: self.other_tickets.clone(),
            policy: self.policy,
            payment_system: self.payment_system,
            requested_at: self.requested_at,
            reason: self.reason.clone(),
        };
        self.id.write(out);
        out.extend([self.id.tag().to_i64(), self.order.key(), self.event.key()].map(Cell::from));
        out.extend([self.organizer.key(), self.vendor.key()].map(Cell::from));
        out.extend([self.state().name().into(), self.amounts().total().minor().into()]);
        out.extend([self.finished_at().map(Timestamp::ms).into(), json_cell(&body)]);
        out.extend([self.created_at.ms(), self.updated_at.ms(), self.revision].map(Cell::from));
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        let key = source.int()?;
        let tag = read_tag(source)?;
        let order = Id::with_tag(tag, source.int()?);
        let (event, org, vendor) = (Id::root(source.int()?), Id::root(source.int()?), Id::root(source.int()?));
        let state = source.text()?;
        let _value = source.int()?;
        let finished_at = source.int_or_null()?.map(Timestamp::from_ms);
        let body: RefundRequestBody = source.json()?;
        Ok(Self {
            id: Id::with_tag(tag, key),
            order,
            event,
            organizer: org,
            vendor,
            culprit: body.culprit,
            status: read_refund_status(key, &state, finished_at)?,
            lines: body.lines,
            other_tickets: body.other_tickets,
            policy: body.policy,
            payment_system: body.payment_system,
            requested_at: body.requested_at,
            reason: body.reason,
            created_at: read_time(source)?,
            updated_at: read_time(source)?,
            revision: source.int()?,
        })
    }
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
