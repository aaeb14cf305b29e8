//! Money as it really moved: what providers have told, and what vendors were given and have sent back. The payments are
//! compared with it, and what orders cost.

use std::collections::{BTreeMap, BTreeSet};

use kassa_domain::attachment::Hex128;
use kassa_domain::order::{Order, OrderId, OrderStatusKind};
use kassa_domain::payment::{OrderPayment, PaymentId, PaymentReport, PaymentStatus};
use kassa_domain::{Money, Timestamp};

use crate::Violation;
use crate::play::KnownRows;
use crate::play::actions::PaymentAction;
use crate::play::perform::{MoneyMovement, movement};

/// The money of all payments.
#[derive(Default)]
pub(crate) struct MovedMoney {
    payments: BTreeMap<PaymentId, PaymentMoney>,
    /// Whether a payment may have begun of which nobody has heard.
    may_begin: bool,
}

/// The money of one payment.
struct PaymentMoney {
    order: OrderId,
    received: Bounds,
    returned: Bounds,
    entries: BTreeSet<Hex128>,
    /// Entries that may have been noted.
    unheard: BTreeSet<Hex128>,
}

/// How much moved: where nobody has heard what came of it, it is one of two.
#[derive(Clone, Copy, Debug, Default)]
struct Bounds {
    min: Money,
    max: Money,
}

impl Bounds {
    fn add(&mut self, amount: Money, is_heard: bool) {
        self.max += amount;
        if is_heard {
            self.min += amount;
        }
    }

    fn raise(&mut self, total: Money, is_heard: bool) {
        self.max = self.max.max(total);
        if is_heard {
            self.min = self.min.max(total);
        }
    }

    /// It is so much: what was not heard has come to light.
    fn settle(&mut self, found: Money) {
        *self = Self { min: found, max: found };
    }
}

impl PaymentMoney {
    fn of(payment: &OrderPayment) -> Self {
        let (received, returned) = <(Bounds, Bounds)>::default();
        let (entries, unheard) = <(BTreeSet<Hex128>, BTreeSet<Hex128>)>::default();
        Self { order: payment.order, received, returned, entries, unheard }
    }

    fn note(&mut self, moved: MoneyMovement, is_heard: bool) {
        match moved {
            MoneyMovement::Reported(total) => self.received.raise(total, is_heard),
            // It is the same money.
            MoneyMovement::Received(_, Some(entry)) if self.entries.contains(&entry) => {}
            MoneyMovement::Received(amount, entry) => {
                self.received.add(amount, is_heard);
                let entries = if is_heard { &mut self.entries } else { &mut self.unheard };
                entries.extend(entry);
            }
            MoneyMovement::Returned(amount) => self.returned.add(amount, is_heard),
        }
    }
}

impl MovedMoney {
    /// Notes what an act has moved, or, if nobody has heard what came of it, may have moved.
    pub(crate) fn note(&mut self, act: &PaymentAction, known: &KnownRows, is_heard: bool) {
        self.may_begin |= !is_heard && matches!(act, PaymentAction::Begin { .. });
        if let Some((payment, moved)) = movement(act, known) {
            self.payments.entry(payment.id).or_insert_with(|| PaymentMoney::of(payment)).note(moved, is_heard);
        }
    }

    /// Takes a payment of an answer for begun.
    pub(crate) fn record_answer(&mut self, payment: &OrderPayment) {
        self.payments.entry(payment.id).or_insert_with(|| PaymentMoney::of(payment));
    }

    /// Compares all payments of an order with the money that moved, and with what it costs.
    pub(crate) fn check_order(
        &mut self,
        order: &Order,
        payments: &[&OrderPayment],
        now: Timestamp,
    ) -> Result<(), Violation> {
        for payment in payments {
            self.check_payment(payment, now)?;
        }
        let kept: Money = payments.iter().map(|payment| payment.used).sum();
        let has_bought = matches!(order.state(), OrderStatusKind::Paid | OrderStatusKind::Refunded);
        let price = if has_bought && order.payment.has_payments() {
            order.totals().full + order.refunded.paid - order.refunded.returned
        } else {
            Money::ZERO
        };
        let buyers = payments.iter().filter(|payment| payment.used > Money::ZERO).count();
        if kept != price || buyers > 1 {
            return Err(Violation::new("money is kept that is not the price of tickets", (order, payments)));
        }
        Ok(())
    }

    fn check_payment(&mut self, payment: &OrderPayment, now: Timestamp) -> Result<(), Violation> {
        if self.may_begin {
            self.record_answer(payment);
        }
        let Some(money) = self.payments.get_mut(&payment.id) else {
            return Err(Violation::new("a payment was begun that nobody asked for", payment));
        };
        if money.order != payment.order {
            return Err(Violation::new("a payment is for two orders", (money.order, payment)));
        }
        let told = match payment.test_report(now) {
            PaymentReport::Received(total) => total,
            PaymentReport::Nothing | PaymentReport::Declined => Money::ZERO,
        };
        let Bounds { min, max } = money.received;
        if payment.received < min || payment.received > max.max(told) {
            return Err(Violation::new("a payment differs from the money that came", (money.received, payment)));
        }
        let Bounds { min, max } = money.returned;
        // Providers that are asked send back what they are told to.
        if !payment.provider.can_be_asked() && (payment.returned < min || payment.returned > max) {
            return Err(Violation::new("a payment differs from the money that went", (money.returned, payment)));
        }
        // Providers that are asked send it back when somebody looks.
        let is_looked_at = !payment.provider.can_be_asked() || payment.poll_at.is_some();
        let is_on_its_way = payment.status == PaymentStatus::Returning && is_looked_at;
        let goes_back = is_on_its_way || payment.status == PaymentStatus::Pending;
        if payment.unused() < Money::ZERO || (payment.unused() > Money::ZERO && !goes_back) {
            return Err(Violation::new("money has neither a ticket nor a way back", payment));
        }
        money.received.settle(payment.received);
        money.returned.settle(payment.returned);
        let unheard = std::mem::take(&mut money.unheard);
        money.entries.extend(unheard.into_iter().filter(|entry| payment.entries.contains(entry)));
        Ok(())
    }

    /// Whatever nobody has heard of has come to light.
    pub(crate) fn end_step(&mut self) {
        self.may_begin = false;
    }
}
