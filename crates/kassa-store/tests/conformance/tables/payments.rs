//! Payments of orders.

use crate::database::{Database, keys};
use crate::dice::Dice;
use crate::guards::write_error;
use crate::kinds::{UniquePair, kind};
use crate::lists::{ListModel, assert_lists_agree};
use crate::plans::{AccessPath, PlanCases};
use crate::samples::{self, ELSEWHERE, HERE, at, event_id, id_in_event, party};
use kassa_domain::attachment::Hex128;
use kassa_domain::change::Revision;
use kassa_domain::event::EventId;
use kassa_domain::payment::{
    OrderPayment, PaymentProvider, PaymentReason, PaymentReference, PaymentStatus, TestOutcome, TestPlan,
};
use kassa_domain::{Id, Money, ReadSet, Timestamp, View};
use kassa_store::StoreError;
use kassa_store::queries::{DuePayments, PaymentsByReference, ReturningPayments};
use std::cmp::Ordering;

const PAYMENTS: i64 = 60;

/// A payment of order 5 at the door, of partner 1 for itself, for which nothing has come.
pub(crate) fn payment(event: EventId, key: i64) -> OrderPayment {
    OrderPayment {
        id: id_in_event(event, key),
        order: id_in_event(event, 5),
        event,
        organizer: Id::root(1),
        vendor: Id::root(1),
        provider: PaymentProvider::Door,
        status: PaymentStatus::Pending,
        reason: None,
        amount: Money::from_minor(100),
        received: Money::ZERO,
        used: Money::ZERO,
        returned: Money::ZERO,
        reference: PaymentReference::new(event.key() * 1_000 + key, 0),
        due_at: at(500),
        poll_at: Some(at(key)),
        polls: 0,
        plan: None,
        checkout: None,
        entries: Vec::new(),
        created_at: at(key),
        updated_at: at(key),
        revision: Revision::stored(1, None),
    }
}

pub(crate) fn full_payment(event: EventId, key: i64) -> OrderPayment {
    OrderPayment {
        vendor: Id::root(2),
        provider: PaymentProvider::Test,
        status: PaymentStatus::Returning,
        reason: Some(PaymentReason::Surplus),
        amount: Money::PRICE_MAX,
        received: Money::PRICE_MAX + Money::PRICE_MAX,
        used: Money::PRICE_MAX,
        returned: Money::from_minor(1),
        polls: u32::MAX,
        plan: Some(TestPlan { outcome: TestOutcome::Twice, chosen_at: at(7) }),
        checkout: Some("cs_test_1".to_owned()),
        entries: vec![Hex128([1; 16]), Hex128([0xff; 16])],
        ..payment(event, key)
    }
}

kind!(
    OrderPayment,
    payments,
    |row, read_set| read_set.payments.push(row.id),
    [samples::payment(party().id, 1), samples::full_payment(party().id, 2)],
    |row| OrderPayment {
        status: match row.status {
            PaymentStatus::Pending => PaymentStatus::Paid,
            PaymentStatus::Paid | PaymentStatus::Failed | PaymentStatus::Canceled => PaymentStatus::Pending,
            PaymentStatus::Returning | PaymentStatus::Returned => PaymentStatus::Failed,
        },
        reason: Some(PaymentReason::EventOver),
        received: row.received + Money::from_minor(9),
        used: row.used + Money::from_minor(2),
        returned: row.returned + Money::from_minor(3),
        poll_at: None,
        polls: 3,
        plan: Some(TestPlan { outcome: TestOutcome::Late, chosen_at: at(9) }),
        checkout: Some("cs_test_2".to_owned()),
        entries: vec![Hex128([2; 16])],
        updated_at: at(99),
        revision: samples::revision(2),
        ..row
    },
    {
        fn fill(_: &mut Dice, view: &mut View) {
            (1..=PAYMENTS).for_each(|key| put_payment(&mut Dice::new(key.unsigned_abs()), key, view));
        }

        fn plan_cases(cases: &mut PlanCases) {
            let now = Timestamp::from_ms(0);
            cases.add(&DuePayments { now }, AccessPath::OrderedIndex, &["payments_due"]);
            let named = PaymentsByReference { vendor: Id::root(1), references: vec![PaymentReference::new(7, 0)] };
            cases.add(&named, AccessPath::SortedIndex, &["payments_reference"]);
            let returning = ReturningPayments { vendors: vec![Id::root(1), Id::root(2)] };
            cases.add(&returning, AccessPath::SortedIndex, &["payments_returning"]);
        }

        fn unique_pairs() -> Vec<UniquePair> {
            let named =
                |key| OrderPayment { reference: PaymentReference::new(7, 0), ..payment(samples::event(1).id, key) };
            vec![UniquePair::new(
                "reference",
                move |view| view.payments.put(named(11)),
                move |view| view.payments.put(named(12)),
            )]
        }
    }
);

fn put_payment(dice: &mut Dice, key: i64, view: &mut View) {
    let poll_at = dice.flip().then(|| dice.moment());
    let vendor = dice.partner();
    let status = if dice.flip() { PaymentStatus::Returning } else { PaymentStatus::Returned };
    view.payments.put(OrderPayment { poll_at, vendor, status, ..samples::payment(Dice::event_of(key), key) });
}

impl ListModel for DuePayments {
    fn includes(&self, payment: &OrderPayment, _: &View) -> bool {
        payment.poll_at.is_some_and(|poll_at| poll_at <= self.now)
    }

    fn compare(&self, one: &OrderPayment, other: &OrderPayment) -> Ordering {
        (one.poll_at, one.id.key()).cmp(&(other.poll_at, other.id.key()))
    }
}

pub(crate) async fn due_payments_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<DuePayments>(db, |dice| DuePayments { now: dice.moment() }).await;
}

impl ListModel for PaymentsByReference {
    fn includes(&self, payment: &OrderPayment, _: &View) -> bool {
        payment.vendor == self.vendor && self.references.contains(&payment.reference)
    }
}

pub(crate) async fn payments_that_are_named_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<PaymentsByReference>(db, |dice| {
        let named = (0..100 + dice.below(100)).map(|_| {
            let key = 1 + i64::try_from(dice.below(60)).unwrap_or(0);
            PaymentReference::new(Dice::event_of(key).key() * 1_000 + key, 0)
        });
        PaymentsByReference { references: named.collect(), vendor: dice.partner() }
    })
    .await;
}

impl ListModel for ReturningPayments {
    fn includes(&self, payment: &OrderPayment, _: &View) -> bool {
        payment.status == PaymentStatus::Returning && self.vendors.contains(&payment.vendor)
    }

    fn compare(&self, one: &OrderPayment, other: &OrderPayment) -> Ordering {
        one.id.key().cmp(&other.id.key())
    }
}

pub(crate) async fn payments_to_give_back_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<ReturningPayments>(db, |dice| {
        let count = dice.below(4);
        ReturningPayments { vendors: (0..count).map(|_| dice.partner()).collect() }
    })
    .await;
}

pub(crate) async fn the_payments_of_an_order_are_found(db: Database) {
    let here = event_id(HERE);
    let of = |key, order| OrderPayment { order: id_in_event(here, order), ..samples::payment(here, key) };
    let payments = [of(1, 5), of(2, 6), of(3, 5), of(4, 7)];
    db.insert(|view| payments.iter().for_each(|payment| view.payments.put(payment.clone()))).await;
    let found = async |payments_of| {
        let view = db.view(ReadSet { payments_of, ..ReadSet::default() }).await;
        keys(view.payments.rows()).into_iter().map(Id::key).collect::<Vec<i64>>()
    };
    assert_eq!(found(vec![id_in_event(here, 5), id_in_event(here, 7)]).await, [1, 3, 4]);
    assert_eq!(found(vec![id_in_event(event_id(ELSEWHERE), 5)]).await, [0; 0]);
}

pub(crate) async fn no_more_of_a_payment_is_spent_than_has_come(db: Database) {
    let payment = samples::payment(samples::event(1).id, 1);
    let [one, two] = [1, 2].map(Money::from_minor);
    for (used, returned) in [(one, two), (two, one), (-one, one), (one, -one)] {
        let wrong = OrderPayment { received: two, used, returned, ..payment.clone() };
        let error = write_error(&db, |view| view.payments.put(wrong.clone()));
        assert!(matches!(error.await, StoreError::Constraint(_)), "{used} {returned}");
    }
}
