//! What a write to an order reports.

use crate::model::order::Order;
use crate::refusal::{Refusal, Shortfall};

/// What a write to an order has to report.
#[derive(Clone, Debug)]
pub struct OrderOutcome {
    /// The order as it is now.
    pub order: Order,
    /// What was asked for and could not be had.
    pub shortfalls: Vec<Shortfall>,
    /// Why codes that were named were left out; see
    /// [`UnusablePromocodePolicy::LeaveOut`](super::UnusablePromocodePolicy::LeaveOut).
    pub refused_promocodes: Vec<Refusal>,
}
