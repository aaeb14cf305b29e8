//! Ten thousand payments whose money is doubled, and whose reports are repeated, reordered, lost and late: in the end all
//! money has bought tickets or has gone back.

use std::collections::BTreeMap;

use kassa_domain::event::EventStatus;
use kassa_domain::order::{CreateOrder, OrderEdit, OrderId, OrderStatusKind, OrderTransition};
use kassa_domain::payment::{
    ClaimPaymentPoll, OrderPayment, PaymentId, PaymentProvider, PaymentReason, PaymentReport, PaymentReturn,
    PaymentStatus, RecordPaymentReturn,
};
use kassa_domain::refund::{Culprit, RefundTransition};
use kassa_domain::set::SetId;
use kassa_domain::{Actor, Money};

use crate::audit::audit;
use crate::fixture::{Fixture, customer, random, steps};

const PAYMENTS: usize = 10_000;
/// What happens in one world.
const ACTS: u64 = 150;
const PROVIDERS: [PaymentProvider; 3] = [PaymentProvider::Test, PaymentProvider::Transfer, PaymentProvider::Door];

/// A world, and what really happened to the money in it.
struct Storm {
    fixture: Fixture,
    set: SetId,
    dice: u64,
    /// What customers have paid to the provider that is asked.
    sent: BTreeMap<PaymentId, Money>,
    /// What they have got back from it.
    sent_back: BTreeMap<PaymentId, Money>,
}

impl Storm {
    fn new(seed: u64) -> Self {
        let mut fixture = Fixture::new();
        let set = fixture.set(12, 1000);
        fixture.open_shop();
        fixture.start_in_days(20);
        Self { fixture, set, dice: seed, sent: BTreeMap::new(), sent_back: BTreeMap::new() }
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.dice >> 33) % limit
    }

    fn one_of<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        let at = self.below(of.len().max(1) as u64);
        of.get(usize::try_from(at).unwrap()).copied()
    }

    fn orders(&self) -> Vec<OrderId> {
        let mut orders: Vec<OrderId> = self.fixture.view.orders.rows().map(|order| order.id).collect();
        orders.sort_unstable();
        orders
    }

    fn payments(&self) -> Vec<OrderPayment> {
        let mut payments: Vec<OrderPayment> = self.fixture.view.payments.rows().cloned().collect();
        payments.sort_unstable_by_key(|payment| payment.id);
        payments
    }

    fn any_payment(&mut self, is_meant: impl Fn(&OrderPayment) -> bool) -> Option<OrderPayment> {
        let meant: Vec<OrderPayment> = self.payments().into_iter().filter(is_meant).collect();
        let at = self.below(meant.len().max(1) as u64);
        meant.into_iter().nth(usize::try_from(at).unwrap())
    }

    /// Something happens.
    fn act(&mut self) {
        match self.below(20) {
            0..=6 => self.begin(),
            7..=10 => self.pay_provider(),
            11..=12 => self.pay_by_hand(),
            13 => self.decline(),
            14 => self.end_order(),
            15 => self.refund(),
            16 => self.look(),
            17 => self.expire(),
            _ => {
                let minutes = 1 + self.below(25);
                self.fixture.pass_minutes(u32::try_from(minutes).unwrap());
            }
        }
    }

    fn begin(&mut self) {
        let count = 1 + u32::try_from(self.below(3)).unwrap();
        let orders = self.orders();
        let mut order = if self.below(3) == 0 { self.one_of(&orders) } else { None };
        if order.is_none() {
            let edit = OrderEdit { customer: customer("ann@example.org").customer, ..random(&[(self.set, count)]) };
            let (event, vendor) = (self.fixture.event, self.fixture.org);
            let command = CreateOrder { event, vendor, deal: None, edit };
            // Nothing is sold to an event that was called off.
            order = self.fixture.give_once(&self.fixture.organizer(), &command).ok().map(|made| made.order.id);
        }
        let Some(order) = order else { return };
        let provider = self.one_of(&PROVIDERS);
        let command = self.fixture.beginning(order, provider);
        // Orders that are over, or empty, cannot be paid.
        let _refused = self.fixture.give_once(&Actor::Buyer(order), &command);
    }

    /// A customer pays at the provider that is asked, which tells of it now, twice, out of order, or not at all.
    fn pay_provider(&mut self) {
        let can_pay = |payment: &OrderPayment| payment.provider == PaymentProvider::Test && payment.may_buy();
        let Some(payment) = self.any_payment(can_pay) else { return };
        let before = self.sent.get(&payment.id).copied().unwrap_or_default();
        let share = [payment.amount, payment.amount, payment.amount + payment.amount, Money::from_minor(300)];
        let more = self.one_of(&share).unwrap_or_default();
        self.sent.insert(payment.id, before + more);
        let reports = match self.below(5) {
            0 => vec![before + more],
            1 => vec![before + more, before + more],
            2 => vec![before + more, before],
            3 => vec![before],
            _ => Vec::new(),
        };
        for total in reports {
            self.report(payment.id, PaymentReport::Received(total));
        }
    }

    fn report(&mut self, payment: PaymentId, report: PaymentReport) {
        let command = self.fixture.settlement(payment, report);
        self.fixture.give_once(&Actor::System, &command).expect("it is noted");
    }

    fn pay_by_hand(&mut self) {
        let Some(payment) = self.any_payment(|payment| payment.provider != PaymentProvider::Test) else { return };
        let amounts = [payment.amount, payment.amount, Money::from_minor(700), payment.amount + Money::from_minor(1)];
        let amount = self.one_of(&amounts);
        let command = self.fixture.receipt(payment.id, amount);
        self.fixture.give_once(&self.fixture.organizer(), &command).expect("it is noted");
    }

    /// A provider that has got nothing says no.
    fn decline(&mut self) {
        let sent: Vec<PaymentId> = self.sent.keys().copied().collect();
        let is_empty = |payment: &OrderPayment| !sent.contains(&payment.id);
        if let Some(payment) = self.any_payment(is_empty).filter(|payment| payment.provider.can_be_asked()) {
            self.report(payment.id, PaymentReport::Declined);
        }
    }

    /// The vendor gives an order up, or has got its money elsewhere.
    fn end_order(&mut self) {
        let orders = self.orders();
        let Some(order) = self.one_of(&orders) else { return };
        let step = [OrderTransition::Canceled, OrderTransition::Canceled, OrderTransition::Paid];
        let step = self.one_of(&step).unwrap();
        let command = self.fixture.update_of(order, steps(step));
        let _refused = self.fixture.give_once(&self.fixture.organizer(), &command);
    }

    fn refund(&mut self) {
        let orders = self.orders();
        let paid = self.one_of(&orders).filter(|order| self.fixture.state(*order) == OrderStatusKind::Paid);
        if let Some(order) = paid {
            let tickets = self.fixture.lines(order);
            let request = self.fixture.ask(order, Culprit::Organizer, &tickets[..1]).expect("it is asked for");
            self.fixture.decide_on(request.id, RefundTransition::Approved).expect("it is approved");
        }
    }

    fn expire(&mut self) {
        let now = self.fixture.now;
        for order in self.orders() {
            if self.fixture.found(order).is_live() && self.fixture.found(order).reserved_till <= now {
                let command = self.fixture.expiry_of(order);
                self.fixture.give_once(&Actor::System, &command).expect("it expires");
            }
        }
    }

    /// Looks at the payments that are due, as a server does: asks the provider, and has money sent back. Sometimes the
    /// server ends in between.
    fn look(&mut self) {
        for payment in self.payments() {
            let Some(poll_at) = payment.poll_at.filter(|poll_at| *poll_at <= self.fixture.now) else { continue };
            let claim = ClaimPaymentPoll { payment: payment.id, event: payment.event, poll_at };
            let claimed = self.fixture.give_once(&Actor::System, &claim).expect("it is claimed");
            // One that has changed meanwhile is looked at later.
            let Some(payment) = claimed.filter(|_| self.below(5) > 0) else { continue };
            match payment {
                payment if payment.status == PaymentStatus::Returning => self.send_back(&payment),
                payment => {
                    let sent = self.sent.get(&payment.id).copied();
                    self.report(payment.id, sent.map_or(PaymentReport::Nothing, PaymentReport::Received));
                }
            }
        }
    }

    /// The provider sends money back once, however often that is asked.
    fn send_back(&mut self, payment: &OrderPayment) {
        let total = payment.returned + payment.to_return();
        self.sent_back.insert(payment.id, total);
        if self.below(3) > 0 {
            self.note_return(payment, PaymentReturn::Total(total), &Actor::System);
        }
    }

    fn note_return(&mut self, payment: &OrderPayment, returned: PaymentReturn, by: &Actor) {
        let OrderPayment { id, order, event, .. } = *payment;
        let command = RecordPaymentReturn { payment: id, order, event, returned };
        self.fixture.give_once(by, &command).expect("it is noted");
    }

    /// Nothing more happens, but time passes, and people send back what is to go back.
    fn calm_down(&mut self) {
        for round in 0..68 {
            self.fixture.pass_minutes(if round < 24 { 30 } else { 12 * 60 });
            self.expire();
            self.look();
            for payment in self.payments() {
                if payment.to_return() > Money::ZERO && !payment.provider.can_be_asked() {
                    self.note_return(&payment, PaymentReturn::More(None), &self.fixture.organizer());
                }
            }
        }
    }

    /// All money that came has bought tickets or has gone back.
    fn assert_settled(&self) {
        audit(&self.fixture.view);
        for payment in self.payments() {
            let order = self.fixture.found(payment.order);
            if payment.provider.can_be_asked() {
                assert_eq!(self.sent.get(&payment.id).copied().unwrap_or_default(), payment.received, "{payment:?}");
                let back = self.sent_back.get(&payment.id).copied().unwrap_or_default();
                assert_eq!(back, payment.returned, "{payment:?}");
            }
            assert_eq!(payment.unused(), Money::ZERO, "{payment:?} of {order:?}");
            assert!(!matches!(payment.status, PaymentStatus::Pending | PaymentStatus::Returning), "{payment:?}");
            let is_bought = matches!(order.state(), OrderStatusKind::Paid | OrderStatusKind::Refunded);
            assert!(payment.used == Money::ZERO || is_bought, "{payment:?} of {order:?}");
        }
    }
}

#[test]
fn of_ten_thousand_payments_all_money_buys_tickets_or_goes_back() {
    let (mut begun, mut seed, mut ends) = (0, 0, BTreeMap::new());
    while begun < PAYMENTS {
        seed += 1;
        let mut storm = Storm::new(seed);
        for act in 0..ACTS {
            if seed % 10 == 0 && act == ACTS / 2 {
                storm.fixture.switch(EventStatus::Canceled);
            }
            storm.act();
        }
        storm.calm_down();
        storm.assert_settled();
        begun += storm.payments().len();
        for payment in storm.payments() {
            *ends.entry(format!("{:?} {:?}", payment.status, payment.reason)).or_insert(0) += 1;
        }
    }
    // Every end has happened.
    for reason in [
        PaymentReason::OrderCanceled,
        PaymentReason::OrderPaid,
        PaymentReason::TicketsGone,
        PaymentReason::EventOver,
        PaymentReason::Expired,
    ] {
        assert!(ends.contains_key(&format!("Returned {:?}", Some(reason))), "{reason:?} in {ends:#?}");
    }
    for end in ["Paid None", "Paid Some(Surplus)", "Failed Some(Declined)", "Canceled Some(Replaced)"] {
        assert!(ends.contains_key(end), "{end} in {ends:#?}");
    }
}
