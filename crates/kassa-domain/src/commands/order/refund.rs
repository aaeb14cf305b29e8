//! What becomes of a paid order whose tickets are given back.

use super::reservation::release_tickets;
use crate::model::order::{Order, OrderStatus};
use crate::model::refund::RefundRequest;
use crate::refusal::Refusal;
use crate::values::resource_ids::TicketId;
use crate::values::time::Timestamp;
use crate::view::View;

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
