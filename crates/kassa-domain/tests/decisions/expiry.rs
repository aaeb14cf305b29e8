//! The end of a hold.

use kassa_domain::Command as _;
use kassa_domain::command::LIGHT_WEIGHT;
use kassa_domain::order::{OrderStatusKind, OrderTransition};

use crate::fixture::{Fixture, NOON, random};

#[test]
fn an_expired_order_returns_its_tickets_and_keeps_showing_them() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    let order = fixture.order(set, 2);
    let before = fixture.found(order).clone();
    fixture.lapse(order);
    let after = fixture.found(order);
    assert_eq!((after.state(), fixture.books(set).as_str()), (OrderStatusKind::Expired, "3 vacant"));
    assert_eq!(
        (&after.lines, after.reserved_till, after.revision.number()),
        (&before.lines, before.reserved_till, before.revision.number() + 1)
    );
    fixture.order(set, 3);
}

#[test]
fn a_hold_ends_when_it_is_due_and_not_before() {
    let cases = [(OrderStatusKind::Reserved, 15), (OrderStatusKind::AwaitingPayment, 30)];
    for (state, minutes) in cases {
        let mut fixture = Fixture::new();
        let set = fixture.set(1, 1000);
        let order = fixture.order_in(state, set);
        fixture.now = NOON.plus_minutes(minutes).plus_ms(-1);
        assert!(!fixture.expire(order), "{state}");
        fixture.now = NOON.plus_minutes(minutes);
        assert!(fixture.expire(order), "{state}");
    }
}

#[test]
fn a_prolonged_hold_is_not_ended_by_who_noticed_the_old_one() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let order = fixture.order(set, 1);
    fixture.pass_minutes(15);
    fixture.step(order, OrderTransition::AwaitingPayment).unwrap();
    assert!(!fixture.expire(order));
    assert_eq!(fixture.state(order), OrderStatusKind::AwaitingPayment);
}

#[test]
fn an_order_that_is_over_does_not_expire() {
    for state in [OrderStatusKind::Paid, OrderStatusKind::Canceled, OrderStatusKind::Expired, OrderStatusKind::Refunded]
    {
        let mut fixture = Fixture::new();
        let set = fixture.set(1, 1000);
        let order = fixture.order_in(state, set);
        let before = fixture.found(order).clone();
        fixture.pass_minutes(60);
        assert!(!fixture.expire(order), "{state}");
        assert_eq!(*fixture.found(order), before);
    }
}

#[test]
fn expiry_leaves_alone_what_others_took_since() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let first = fixture.order(set, 1);
    fixture.step(first, OrderTransition::Canceled).unwrap();
    let second = fixture.order(set, 1);
    fixture.pass_minutes(1);
    fixture.edit(second, random(&[(set, 1)])).unwrap();
    fixture.pass_minutes(15);
    assert!(!fixture.expire(first));
    assert_eq!(fixture.books(set), "1 held");
}

#[test]
fn the_end_of_a_hold_weighs_what_its_lines_do() {
    let mut fixture = Fixture::new();
    let set = fixture.set(100, 1000);
    let weights = [1, 7].map(|tickets| {
        let order = fixture.order(set, tickets);
        fixture.expiry_of(order).weight()
    });
    assert_eq!(weights, [LIGHT_WEIGHT + 1, LIGHT_WEIGHT + 7]);
}
