//! What becomes of a paid order whose tickets are given back.

use serde::{Deserialize, Serialize};

use super::reservation::release_tickets;
use super::{Order, OrderStatus};
use crate::money::Money;
use crate::refund::RefundRequest;
use crate::refusal::Refusal;
use crate::ticket::TicketId;
use crate::time::Timestamp;
use crate::view::View;

/// Money of tickets that have left a paid order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundTotals {
    /// What was paid for them.
    pub paid: Money,
    /// What of it was given back.
    pub returned: Money,
}

impl RefundTotals {
    /// Whether there is no money in it.
    pub fn is_zero(&self) -> bool {
        *self == Self::default()
    }

    /// What was kept.
    pub fn retained(&self) -> Money {
        self.paid - self.returned
    }
}

impl Order {
    /// The tickets of a request leave the order and go on sale again. The promocodes that acted on them
    /// stay used up.
    pub(crate) fn return_tickets(
        &mut self,
        request: &RefundRequest,
        now: Timestamp,
        view: &mut View,
    ) -> Result<(), Refusal> {
        let tickets: Vec<TicketId> = request.tickets().collect();
        let held = self.held_tickets(view);
        if !tickets.iter().all(|id| held.iter().any(|ticket| ticket.id == *id)) {
            return Err(Refusal::Stale);
        }
        release_tickets(&tickets, view)?;
        self.lines.retain(|line| !tickets.contains(&line.ticket));
        self.notes.visitors.retain(|visitor| !tickets.contains(&visitor.ticket));
        self.refunded.paid += request.paid();
        self.refunded.returned += request.amounts().total();
        if let (true, OrderStatus::Paid { at, code }) = (self.lines.is_empty(), &self.status) {
            self.status = OrderStatus::Refunded { at: now, paid_at: *at, code: code.clone() };
        }
        self.updated_at = now;
        self.revision += 1;
        Ok(())
    }
}
