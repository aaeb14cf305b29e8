//! What becomes of money: it buys the tickets of its order, is waited for, or goes back.

use super::SaleRows;
use crate::commands::order::OrderTransition;
use crate::commands::payment_closing::close_payments;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::order::{Order, OrderStatusKind};
use crate::model::payment::{OrderPayment, PaymentReason, PaymentReport, PaymentStatus};
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::money::Money;
use crate::values::resource_ids::PaymentId;
use crate::view::{ReadSet, View};

/// Notes what the provider of a payment says of it, and what follows from that, or from the time that has passed. The
/// same report may come any number of times.
#[derive(Debug)]
pub struct SettlePayment {
    /// Which.
    pub payment: PaymentId,
    /// Its order.
    pub rows: SaleRows,
    /// What the provider says.
    pub report: PaymentReport,
}

impl Command for SettlePayment {
    /// The payment as it is now.
    type Outcome = OrderPayment;

    fn shard(&self) -> ShardTag {
        self.rows.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        self.rows.read_set(read_set);
        read_set.payments.push(self.payment);
    }

    fn weight(&self) -> u32 {
        self.rows.weight()
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<OrderPayment, Refusal> {
        let payment = view.payments.get(self.payment).ok_or(Refusal::NotFound("payment"))?.clone();
        let mut after = payment.clone();
        after.settle(self.report, &self.rows, cx, view)?;
        Ok(after.store(&payment, cx, view))
    }
}

impl OrderPayment {
    /// Takes in a report. The command has changed nothing in the view before.
    pub(super) fn settle(
        &mut self,
        report: PaymentReport,
        rows: &SaleRows,
        cx: &mut Context<'_>,
        view: &mut View,
    ) -> Result<(), Refusal> {
        let order = view.orders.get(self.order).ok_or(Refusal::Stale)?.clone();
        if let PaymentReport::Received(total) = report {
            // An older report says less.
            self.received = self.received.max(total);
        }
        let unused = self.unused();
        if self.may_buy() && unused > Money::ZERO && unused >= order.totals().full {
            return self.buy(order, rows, cx, view);
        }
        match self.status {
            PaymentStatus::Pending if report == PaymentReport::Declined => self.rest(PaymentReason::Declined),
            PaymentStatus::Pending => {
                if let Some(reason) = end_of(order.state()) {
                    self.rest(reason);
                }
            }
            PaymentStatus::Paid if unused > Money::ZERO => self.rest(PaymentReason::Surplus),
            PaymentStatus::Failed | PaymentStatus::Canceled | PaymentStatus::Returned if unused > Money::ZERO => {
                self.rest(self.reason.unwrap_or(PaymentReason::Expired));
            }
            PaymentStatus::Paid
            | PaymentStatus::Failed
            | PaymentStatus::Canceled
            | PaymentStatus::Returning
            | PaymentStatus::Returned => {}
        }
        Ok(())
    }

    /// There is money enough for the order: it is paid, or the money goes back.
    fn buy(&mut self, mut order: Order, rows: &SaleRows, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        if order.state() == OrderStatusKind::Expired && rows.expired_lines.is_none() {
            // It expired after somebody had looked: its tickets are not in the view.
            return Err(Refusal::Stale);
        }
        let event = view.events.get(order.event).ok_or(Refusal::Stale)?.clone();
        order.payment.system = Some(self.provider.system());
        // Nobody loses the tickets because the vendor has taken the address away since.
        order.payment.send_tickets &= order.customer.email.is_some();
        match order.transition(OrderTransition::Paid, &event, cx, view) {
            Ok(()) => {
                self.used = order.totals().full;
                (self.status, self.reason) = (PaymentStatus::Paid, None);
                if self.unused() > Money::ZERO {
                    self.rest(PaymentReason::Surplus);
                }
                close_payments(&order, Some(self.id), PaymentReason::OrderPaid, cx, view);
                view.orders.put(order);
            }
            Err(Refusal::Stale) => return Err(Refusal::Stale),
            Err(refusal) => {
                // What late money has taken before it was refused.
                view.roll_back();
                self.rest(reason_of(&refusal));
            }
        }
        Ok(())
    }
}

/// Why no money is waited for any more, by the state of the order.
fn end_of(order: OrderStatusKind) -> Option<PaymentReason> {
    match order {
        OrderStatusKind::Reserved | OrderStatusKind::AwaitingPayment => None,
        OrderStatusKind::Expired => Some(PaymentReason::Expired),
        OrderStatusKind::Canceled => Some(PaymentReason::OrderCanceled),
        OrderStatusKind::Paid | OrderStatusKind::Refunded => Some(PaymentReason::OrderPaid),
    }
}

/// Why money buys nothing.
fn reason_of(refusal: &Refusal) -> PaymentReason {
    if let Refusal::OrderTransition { from, .. } = refusal {
        return end_of(*from).unwrap_or(PaymentReason::OrderChanged);
    }
    if matches!(refusal, Refusal::TicketsGone | Refusal::PromocodeGone) {
        return PaymentReason::TicketsGone;
    }
    if matches!(refusal, Refusal::EventOver | Refusal::EventNotOnSale) {
        return PaymentReason::EventOver;
    }
    PaymentReason::OrderChanged
}
