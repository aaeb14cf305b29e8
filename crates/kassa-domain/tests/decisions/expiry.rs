//! The end of a hold.

use kassa_domain::order::{OrderStatusKind, OrderTransition};

use crate::house::{House, NOON, random};

#[test]
fn an_expired_order_returns_its_tickets_and_keeps_showing_them() {
    let mut house = House::new();
    let set = house.set(3, 1000);
    let order = house.order(set, 2);
    let before = house.found(order).clone();
    house.lapse(order);
    let after = house.found(order);
    assert_eq!((after.state(), house.books(set).as_str()), (OrderStatusKind::Expired, "3 vacant"));
    assert_eq!(
        (&after.lines, after.reserved_till, after.revision),
        (&before.lines, before.reserved_till, before.revision + 1)
    );
    house.order(set, 3);
}

#[test]
fn a_hold_ends_when_it_is_due_and_not_before() {
    let cases = [(OrderStatusKind::Reserved, 15), (OrderStatusKind::AwaitingPayment, 30)];
    for (state, minutes) in cases {
        let mut house = House::new();
        let set = house.set(1, 1000);
        let order = house.order_in(state, set);
        house.now = NOON.plus_minutes(minutes).plus_ms(-1);
        assert!(!house.expire(order), "{state}");
        house.now = NOON.plus_minutes(minutes);
        assert!(house.expire(order), "{state}");
    }
}

#[test]
fn a_prolonged_hold_is_not_ended_by_who_noticed_the_old_one() {
    let mut house = House::new();
    let set = house.set(1, 1000);
    let order = house.order(set, 1);
    house.pass_minutes(15);
    house.step(order, OrderTransition::AwaitingPayment).unwrap();
    assert!(!house.expire(order));
    assert_eq!(house.state(order), OrderStatusKind::AwaitingPayment);
}

#[test]
fn an_order_that_is_over_does_not_expire() {
    for state in [OrderStatusKind::Paid, OrderStatusKind::Canceled, OrderStatusKind::Expired, OrderStatusKind::Refunded]
    {
        let mut house = House::new();
        let set = house.set(1, 1000);
        let order = house.order_in(state, set);
        let before = house.found(order).clone();
        house.pass_minutes(60);
        assert!(!house.expire(order), "{state}");
        assert_eq!(*house.found(order), before);
    }
}

#[test]
fn expiry_leaves_alone_what_others_took_since() {
    let mut house = House::new();
    let set = house.set(1, 1000);
    let first = house.order(set, 1);
    house.step(first, OrderTransition::Canceled).unwrap();
    let second = house.order(set, 1);
    house.pass_minutes(1);
    house.edit(second, random(&[(set, 1)])).unwrap();
    house.pass_minutes(15);
    assert!(!house.expire(first));
    assert_eq!(house.books(set), "1 held");
}
