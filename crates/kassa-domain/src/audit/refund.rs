//! A refund request is for tickets of a paid order, and gives back no more than was paid.

use super::change_log::{audit_last_change, read_last_change};
use super::{Audited, Findings};
use crate::model::order::OrderStatusKind;
use crate::model::refund::{RefundRequest, RefundStatusKind};
use crate::model::ticket::Ticket;
use crate::view::{ReadSet, View};

impl Audited for RefundRequest {
    fn audit_read_set(&self, read_set: &mut ReadSet) -> bool {
        read_set.refunds.push(self.id);
        read_set.orders.push(self.order);
        read_set.tickets.extend(self.tickets());
        read_last_change(self.revision, read_set);
        true
    }

    fn audit(&self, view: &View, findings: &mut Findings) {
        let mut about = findings.checker_for("refund_request", &self.id);
        audit_last_change(self, view, &mut about);
        let order = view.orders.get(self.order).filter(|order| order.event == self.event);
        let was_paid =
            order.is_some_and(|order| matches!(order.state(), OrderStatusKind::Paid | OrderStatusKind::Refunded));
        about.expect("order", was_paid, "one that was paid", &self.order);
        let Some(order) = order else { return };
        for line in &self.lines {
            about.expect("back", line.amounts.is_within(&line.line.price), "from nobody more than it got", line);
            let is_in_order = order.lines.contains(&line.line);
            let marked_by = view.tickets.get(line.line.ticket).and_then(Ticket::refund);
            let is_marked = marked_by == Some(self.id);
            let agrees = match self.state() {
                RefundStatusKind::New | RefundStatusKind::InProgress => is_in_order && is_marked,
                RefundStatusKind::Approved => !is_in_order && !is_marked,
                RefundStatusKind::Rejected => !is_marked,
            };
            let found = (self.state(), line.line.ticket, marked_by, is_in_order);
            about.expect("tickets", agrees, "those of the order, marked while it is open", &found);
        }
    }
}
