//! The money of a payment has bought tickets, is waited for or goes back; none is lost, and none is there twice.

use super::change_log::{audit_last_change, read_last_change};
use super::{Audited, Findings};
use crate::model::order::{Order, OrderStatusKind};
use crate::model::payment::{OrderPayment, PaymentStatus};
use crate::values::money::Money;
use crate::view::{ReadSet, View};

impl Audited for OrderPayment {
    fn audit_read_set(&self, read_set: &mut ReadSet) -> bool {
        read_set.payments.push(self.id);
        read_set.orders.push(self.order);
        read_last_change(self.revision, read_set);
        true
    }

    fn audit(&self, view: &View, findings: &mut Findings) {
        let mut about = findings.checker_for("payment", &self.id);
        audit_last_change(self, view, &mut about);
        let money = (self.received, self.used, self.returned);
        let is_sane = self.used >= Money::ZERO && self.returned >= Money::ZERO && self.unused() >= Money::ZERO;
        about.expect("money", is_sane, "no more used and returned than came", &money);
        let is_unused = self.unused() > Money::ZERO;
        let agrees = match self.status {
            PaymentStatus::Pending => self.used == Money::ZERO && self.poll_at.is_some(),
            PaymentStatus::Paid => self.used > Money::ZERO && !is_unused,
            PaymentStatus::Failed | PaymentStatus::Canceled => self.received == Money::ZERO,
            PaymentStatus::Returning => is_unused,
            PaymentStatus::Returned => self.used == Money::ZERO && !is_unused,
        };
        about.expect("status", agrees, "one that says where the money is", &(self.status, money, self.poll_at));
        let of = (self.event, self.organizer, self.vendor);
        let order = view.orders.get(self.order).filter(|order| (order.event, order.organizer, order.vendor) == of);
        about.expect("order", order.is_some(), "one of the vendor for the event", &self.order);
        let has_bought = |order: &Order| matches!(order.state(), OrderStatusKind::Paid | OrderStatusKind::Refunded);
        let is_bought = self.used == Money::ZERO || order.is_none_or(has_bought);
        about.expect("order", is_bought, "one that was paid with it", &(self.used, order.map(Order::state)));
    }
}
