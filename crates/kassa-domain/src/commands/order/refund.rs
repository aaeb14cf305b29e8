//! What becomes of a paid order whose tickets are given back.

use super::reservation::release_tickets;
use crate::context::Context;
use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::order::{Order, OrderStatus};
use crate::model::refund::RefundRequest;
use crate::refusal::Refusal;
use crate::values::resource_ids::TicketId;
use crate::view::View;

impl Order {
    /// The tickets of a request leave the order and go on sale again. The promocodes that acted on them
    /// stay used up.
    pub(crate) fn return_tickets(
        &mut self,
        request: &RefundRequest,
        cx: &Context<'_>,
        view: &mut View,
    ) -> Result<(), Refusal> {
        let tickets: Vec<TicketId> = request.tickets().collect();
        let held = self.held_tickets(view);
        if !tickets.iter().all(|id| held.iter().any(|ticket| ticket.id == *id)) {
            return Err(Refusal::Stale);
        }
        let (state, count, full) = (self.state(), self.ticket_count(), self.full_price());
        release_tickets(&tickets, view)?;
        self.lines.retain(|line| !tickets.contains(&line.ticket));
        self.notes.retain_tickets(|ticket| !tickets.contains(&ticket));
        self.refunded.paid += request.paid();
        self.refunded.returned += request.amounts().total();
        if let (true, OrderStatus::Paid { at, code }) = (self.lines.is_empty(), &self.status) {
            self.status = OrderStatus::Refunded { at: cx.now, paid_at: *at, code: code.clone() };
        }
        let kind = if self.lines.is_empty() { ChangeType::OrderRefunded } else { ChangeType::OrderChanged };
        let facts = Facts::none()
            .step(FactName::Status, state, self.state())
            .step(FactName::TicketCount, count, self.ticket_count())
            .step(FactName::Full, full, self.full_price())
            .with(FactName::RefundPaid, self.refunded.paid)
            .with(FactName::RefundReturned, self.refunded.returned);
        cx.state(self, kind, facts, view);
        let voided = Facts::none().with(FactName::Tickets, self.list_tickets(tickets.into_iter()));
        cx.state(self, ChangeType::TicketVoided, voided, view);
        Ok(())
    }
}
