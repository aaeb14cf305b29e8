//! What becomes of a paid order whose tickets are given back.

use serde::{Deserialize, Serialize};

use super::hold::release;
use super::{Order, OrderStatus};
use crate::money::Money;
use crate::refund::RefundRequest;
use crate::refusal::Refusal;
use crate::ticket::TicketId;
use crate::time::Timestamp;
use crate::view::View;

/// Money of tickets that have left a paid order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refunded {
    /// What was paid for them.
    pub paid: Money,
    /// What of it was given back.
    pub back: Money,
}

impl Refunded {
    /// Whether there is no money in it.
    pub fn is_zero(&self) -> bool {
        *self == Self::default()
    }

    /// What was kept.
    pub fn kept(&self) -> Money {
        self.paid - self.back
    }
}

impl Order {
    /// The tickets of a request leave the order and go on sale again. The promocodes that acted on them
    /// stay used up.
    pub(crate) fn give_back(
        &mut self,
        request: &RefundRequest,
        now: Timestamp,
        view: &mut View,
    ) -> Result<(), Refusal> {
        let tickets: Vec<TicketId> = request.tickets().collect();
        let held = self.held(view);
        if !tickets.iter().all(|id| held.iter().any(|ticket| ticket.id == *id)) {
            return Err(Refusal::Stale);
        }
        release(&tickets, view)?;
        self.lines.retain(|line| !tickets.contains(&line.ticket));
        self.notes.visitors.retain(|visitor| !tickets.contains(&visitor.ticket));
        self.refunded.paid += request.paid();
        self.refunded.back += request.back().value();
        if let (true, OrderStatus::Done { at, code }) = (self.lines.is_empty(), &self.status) {
            self.status = OrderStatus::Refunded { at: now, paid_at: *at, code: code.clone() };
        }
        self.updated_at = now;
        self.revision += 1;
        Ok(())
    }
}
