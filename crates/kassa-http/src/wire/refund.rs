//! The words of refund requests.

use kassa_domain::refund::{Culprit, RefundStatusKind};
use utoipa::openapi::{RefOr, Schema};

use crate::openapi::schema;

/// Whose doing a refund can be.
pub(crate) fn culprits_schema() -> RefOr<Schema> {
    let about = "Who caused the refund: with `user`, the customer, the refund policy applies; with `org`, the \
                 organizer, all that was paid is returned.";
    schema::words(Culprit::ALL.map(Culprit::name)).description(Some(about)).into()
}

/// Where a refund request can be in its life.
pub(crate) fn refund_states_schema() -> RefOr<Schema> {
    let about = "`new`, and `in_progress` while money moves, are open; `approved` and `rejected` are final.";
    schema::words(RefundStatusKind::ALL.map(RefundStatusKind::name)).description(Some(about)).into()
}
