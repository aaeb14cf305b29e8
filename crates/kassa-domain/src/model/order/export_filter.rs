//! Which orders an export has.

use serde::{Deserialize, Serialize};

use super::OrderStatusKind;
use crate::values::resource_ids::{EventId, PartnerId};
use crate::values::time::Timestamp;

/// Which orders of a partner a list has: of those that it sold or organizes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportFilter {
    /// Whose.
    pub partner: PartnerId,
    /// Only those made from then to then, both included.
    pub created: Option<(Timestamp, Timestamp)>,
    /// Only in one of these states.
    pub status: Option<Vec<OrderStatusKind>>,
    /// Only for one of these events.
    pub events: Option<Vec<EventId>>,
    /// Only those whose customer has said its e-mail.
    pub with_customer: bool,
}
