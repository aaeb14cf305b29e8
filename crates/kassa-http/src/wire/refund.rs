//! The words of refund requests (decisions §9).

use kassa_domain::refund::{Culprit, RefundStatusKind};
use utoipa::openapi::{RefOr, Schema};

use crate::openapi::schema;

/// Whose doing a refund can be.
pub(crate) fn culprits_schema() -> RefOr<Schema> {
    schema::words(Culprit::ALL.map(Culprit::name)).into()
}

/// Where a refund request can be in its life.
pub(crate) fn refund_states_schema() -> RefOr<Schema> {
    schema::words(RefundStatusKind::ALL.map(RefundStatusKind::name)).into()
}
