//! Each ticket has one holder at most, which has it, too.

use super::{Audited, Findings};
use crate::model::order::{Order, OrderStatusKind};
use crate::model::ticket::{Ticket, TicketState};
use crate::view::{ReadSet, View};

impl Audited for Ticket {
    fn audit_read_set(&self, read_set: &mut ReadSet) -> bool {
        let Some(holder) = self.holder() else { return false };
        read_set.tickets.push(self.id);
        read_set.orders.push(holder);
        read_set.refunds.extend(self.refund());
        true
    }

    fn audit(&self, view: &View, findings: &mut Findings) {
        let mut about = findings.checker_for("ticket", &self.id);
        let holder = self.holder();
        let order = holder.and_then(|holder| view.orders.get(holder));
        about.expect("holder", holder.is_none() || order.is_some(), "an order", &holder);
        let Some(order) = order else { return };
        let lines = order.lines.iter().filter(|line| line.ticket == self.id).count();
        about.expect("holder", lines == 1, "an order that has it in one line", &(order.id, lines));
        let may_hold = may_hold(order, self);
        about.expect("holder", may_hold, "an order that may hold it so", &(order.id, order.state(), &self.state));
        if let Some(refund) = self.refund() {
            let open = view.refunds.get(refund).filter(|request| request.is_open() && request.order == order.id);
            let takes_it = open.is_some_and(|request| request.tickets().any(|ticket| ticket == self.id));
            about.expect("refund", takes_it, "an open request for it", &refund);
        }
    }
}

fn may_hold(order: &Order, ticket: &Ticket) -> bool {
    match &ticket.state {
        TicketState::Held { till, .. } => order.is_live() && *till == order.reserved_till,
        TicketState::Sold { .. } => order.state() == OrderStatusKind::Paid,
        TicketState::Vacant | TicketState::Blocked => false,
    }
}
