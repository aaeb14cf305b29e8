//! How a request is opened, and its tickets are marked.

use crate::context::Context;
use crate::model::change::ChangeType;
use crate::model::order::{Order, OrderLine};
use crate::model::refund::{Culprit, RefundAmounts, RefundLine, RefundRequest, RefundStatus};
use crate::model::ticket::{Ticket, TicketState};
use crate::refusal::Refusal;
use crate::values::resource_ids::{RefundId, TicketId};
use crate::values::revision::Revision;
use crate::values::time::Timestamp;
use crate::view::View;

/// What a new request says, besides its tickets.
pub(super) struct RefundRequestDetails {
    pub(super) culprit: Culprit,
    pub(super) at: Timestamp,
    pub(super) reason: Option<String>,
}

impl RefundRequest {
    /// Opens a request for these lines of a paid order, whose tickets no other request has.
    pub(super) fn open(
        order: &Order,
        lines: &[OrderLine],
        asked: RefundRequestDetails,
        cx: &mut Context<'_>,
        view: &mut View,
    ) -> Result<Self, Refusal> {
        let RefundRequestDetails { culprit, at, reason } = asked;
        let rest = order.lines.iter().filter(|line| !lines.iter().any(|taken| taken.ticket == line.ticket));
        let mut request = Self {
            id: cx.id_with_tag(order.event.tag()),
            order: order.id,
            event: order.event,
            organizer: order.organizer,
            vendor: order.vendor,
            culprit,
            status: RefundStatus::New,
            lines: Vec::new(),
            other_tickets: rest.map(|line| line.ticket).collect(),
            policy: order.refund_policy,
            payment_system: order.payment.system,
            requested_at: at,
            reason,
            created_at: cx.now,
            updated_at: cx.now,
            revision: Revision::default(),
        };
        request.compute_amounts(lines, order);
        request.mark_tickets(Some(request.id), view)?;
        let facts = request.creation_facts();
        cx.state(&mut request, ChangeType::RefundRequestCreated, facts, view);
        view.refunds.put(request.clone());
        Ok(request)
    }

    /// Says what is given back for each of these lines.
    pub(super) fn compute_amounts(&mut self, lines: &[OrderLine], order: &Order) {
        let back = |line: &OrderLine| match self.culprit {
            Culprit::Customer => {
                RefundAmounts::nominal_refund(&line.price, order.terms.platform_fee_on_top, self.policy.retained)
            }
            Culprit::Organizer => RefundAmounts::full_refund(&line.price),
        };
        self.lines = lines.iter().map(|line| RefundLine { line: *line, amounts: back(line) }).collect();
    }

    /// Marks its tickets as those of an open request, or of none.
    pub(super) fn mark_tickets(&self, open: Option<RefundId>, view: &mut View) -> Result<(), Refusal> {
        for line in &self.lines {
            let mut ticket = view.tickets.get(line.line.ticket).ok_or(Refusal::Stale)?.clone();
            match &mut ticket.state {
                TicketState::Sold { order, refund, .. } if *order == self.order => *refund = open,
                TicketState::Sold { .. } | TicketState::Vacant | TicketState::Held { .. } | TicketState::Blocked => {
                    return Err(Refusal::Stale);
                }
            }
            view.tickets.put(ticket);
        }
        Ok(())
    }
}

/// The open request that has a ticket.
pub(super) fn open_request_of(ticket: TicketId, view: &View) -> Option<RefundId> {
    view.tickets.get(ticket).and_then(Ticket::refund)
}
