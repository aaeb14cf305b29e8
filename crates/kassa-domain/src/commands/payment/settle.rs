//! What becomes of money: it buys the tickets of its order, is waited for, or goes back.

use super::SaleRows;
use crate::commands::order::OrderTransition;
use crate::commands::payment_closing::close_payments;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::order::{Order, OrderStatusKind};
use crate::model::payment::{
    ENTRIES_PER_PAYMENT_MAX, OrderPayment, PaymentReason, PaymentReport, PaymentStatus, TestOutcome, TestPlan,
};
use crate::model::shop::PaymentProvider;
use crate::permission;
use crate::refusal::Refusal;
use crate::safeguard::{self, Safeguard};
use crate::values::hex128::Hex128;
use crate::values::id::ShardTag;
use crate::values::money::Money;
use crate::values::resource_ids::PaymentId;
use crate::view::{ReadSet, View};

/// The most that one payment takes in: a hundred times what the dearest ticket costs.
const RECEIVED_MAX: Money = Money::from_minor(100 * Money::PRICE_MAX.minor());

/// What somebody says of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaymentNews {
    /// What its provider says. The same may be said any number of times; nothing, when its time is up.
    Report(PaymentReport),
    /// More has come: the vendor says so, who has found it in a statement, or was given it.
    Received {
        /// How much; all that is missing, by default.
        amount: Option<Money>,
        /// The entry of a statement, which is noted once for a payment.
        entry: Option<Hex128>,
    },
    /// How it shall end, if it is a test. Whoever has the link of the order says so, or its vendor.
    TestOutcome(TestOutcome),
}

/// Notes news of a payment, and what follows from them, or from the time that has passed.
#[derive(Debug)]
pub struct SettlePayment {
    /// Which.
    pub payment: PaymentId,
    /// Its order.
    pub rows: SaleRows,
    /// What is said of it.
    pub news: PaymentNews,
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
        let may_say = match self.news {
            PaymentNews::Report(_) | PaymentNews::Received { .. } => permission::receive_money,
            PaymentNews::TestOutcome(_) => permission::play_payment,
        };
        let payment = may_say(cx.actor, self.rows.order, self.payment, view)?.clone();
        let mut after = payment.clone();
        let report = match self.news {
            PaymentNews::Report(report) => report,
            PaymentNews::Received { amount, entry } => after.receipt(amount, entry)?,
            PaymentNews::TestOutcome(outcome) => after.plan_test(outcome, cx)?,
        };
        after.settle(report, &self.rows, cx, view)?;
        Ok(after.store(&payment, cx, view))
    }
}

impl OrderPayment {
    /// What a vendor says of money, as a report.
    fn receipt(&mut self, amount: Option<Money>, entry: Option<Hex128>) -> Result<PaymentReport, Refusal> {
        if self.provider.can_be_asked() {
            return Err(Refusal::PaymentByProvider);
        }
        let is_noted = entry.is_some_and(|entry| self.entries.contains(&entry));
        if is_noted && safeguard::is_enabled(Safeguard::StatementEntryOnce) {
            return Ok(PaymentReport::Nothing);
        }
        let amount = amount.unwrap_or(self.missing());
        let total = self.received + amount;
        if amount <= Money::ZERO || total > RECEIVED_MAX {
            return Err(Refusal::PaymentAmount);
        }
        if entry.is_some() && self.entries.len() >= ENTRIES_PER_PAYMENT_MAX as usize {
            return Err(Refusal::TooMany {
                what: "entries of statements for one payment",
                max: ENTRIES_PER_PAYMENT_MAX,
            });
        }
        self.entries.extend(entry);
        Ok(PaymentReport::Received(total))
    }

    /// Plans how a test ends, and reports what is known of it by now.
    fn plan_test(&mut self, outcome: TestOutcome, cx: &Context<'_>) -> Result<PaymentReport, Refusal> {
        if self.provider != PaymentProvider::Test || !cx.settings.allow_test_payments {
            return Err(Refusal::PaymentNotOffered);
        }
        if self.plan.is_some_and(|plan| plan.outcome == outcome) {
            return Ok(PaymentReport::Nothing);
        }
        if self.status != PaymentStatus::Pending {
            return Err(Refusal::PaymentDecided(self.status));
        }
        self.plan = Some(TestPlan { outcome, chosen_at: cx.now });
        Ok(self.test_report(cx.now))
    }

    /// Takes in a report. The command has changed nothing in the view before.
    fn settle(
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
                if self.unused() > Money::ZERO && safeguard::is_enabled(Safeguard::SurplusReturn) {
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
