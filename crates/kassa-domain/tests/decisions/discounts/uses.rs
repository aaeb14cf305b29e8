//! The uses that orders hold and use up, and those that late money needs.

use kassa_domain::Refusal;
use kassa_domain::order::{OrderId, OrderStatusKind, OrderTransition};
use kassa_domain::promocode::PromocodeId;
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::set::SetId;

use super::{at_least, code, discounts, fixed, order, until};
use crate::house::{House, NOON, codes, random};

#[test]
fn a_use_is_held_while_the_order_lives_and_used_up_when_it_is_paid() {
    let books = [
        (OrderStatusKind::Reserved, "1 reserved, 0 used"),
        (OrderStatusKind::AwaitingPayment, "1 reserved, 0 used"),
        (OrderStatusKind::Paid, "0 reserved, 1 used"),
        (OrderStatusKind::Canceled, "0 reserved, 0 used"),
        (OrderStatusKind::Expired, "0 reserved, 0 used"),
        (OrderStatusKind::Refunded, "0 reserved, 1 used"),
    ];
    for (state, expected) in books {
        let mut house = House::new();
        let set = house.set(1, 1000);
        let promocode = house.promocode("SPRING", |new| new.uses_limit = Some(1));
        let order = order(&mut house, set, 1, &["SPRING"]);
        match state {
            OrderStatusKind::Reserved => {}
            OrderStatusKind::AwaitingPayment => drop(house.step(order, OrderTransition::AwaitingPayment).unwrap()),
            OrderStatusKind::Paid => drop(house.step(order, OrderTransition::Paid).unwrap()),
            OrderStatusKind::Canceled => drop(house.step(order, OrderTransition::Canceled).unwrap()),
            OrderStatusKind::Expired => house.lapse(order),
            OrderStatusKind::Refunded => house.give_all_back(order),
        }
        assert_eq!(house.uses(promocode), expected, "{state}");
        let shown = house.found(order);
        let discount = if state == OrderStatusKind::Refunded { 0 } else { 300 };
        let expected = (&[promocode][..], discount);
        assert_eq!((shown.promocodes.as_slice(), shown.totals().discount.minor()), expected, "{state}");
    }
}

#[test]
fn the_last_use_goes_to_one_order_and_comes_back() {
    let mut house = House::new();
    let set = house.set(2, 1000);
    let promocode = house.promocode("LAST", |new| new.uses_limit = Some(1));
    let first = order(&mut house, set, 1, &["LAST"]);
    let second = house.order(set, 1);
    assert_eq!(house.edit(second, codes(&["LAST"])).unwrap_err(), Refusal::PromocodeUsedUp(code("LAST")));
    house.edit(first, codes(&["LAST"])).expect("what it holds already it has");
    house.edit(first, codes(&[])).unwrap();
    assert_eq!(discounts(&house, first), [0]);
    house.edit(second, codes(&["LAST"])).unwrap();
    assert_eq!(house.uses(promocode), "1 reserved, 0 used");
}

#[test]
fn the_organizer_who_cancels_an_agents_order_gives_its_uses_back() {
    let mut house = House::new();
    let set = house.set(1, 1000);
    let promocode = house.promocode("SPRING", |_| ());
    let (order, agent) = (order(&mut house, set, 1, &["SPRING"]), house.partner());
    house.hand_over(order, agent);
    assert_eq!(house.edit(order, codes(&[])).unwrap_err(), Refusal::Forbidden(ForbiddenReason::VendorOnly));
    house.step(order, OrderTransition::Canceled).unwrap();
    assert_eq!(house.uses(promocode), "0 reserved, 0 used");
}

#[test]
fn a_paid_order_keeps_the_codes_that_act_on_its_tickets() {
    let mut house = House::new();
    let set = house.set(3, 1000);
    let (best, worse) = (house.promocode("BEST", fixed(500)), house.promocode("WORSE", fixed(400)));
    let three = house.promocode("THREE", |new| {
        fixed(900)(new);
        at_least(3)(new);
    });
    let order = order(&mut house, set, 3, &["WORSE", "THREE", "BEST"]);
    house.edit(order, random(&[(set, 2)])).unwrap();
    assert_eq!([best, worse, three].map(|id| house.uses(id)), ["1 reserved, 0 used"; 3]);
    house.step(order, OrderTransition::Paid).unwrap();
    assert_eq!(house.found(order).promocodes, [best]);
    let expected = ["0 reserved, 1 used", "0 reserved, 0 used", "0 reserved, 0 used"];
    assert_eq!([best, worse, three].map(|id| house.uses(id)), expected);
}

/// An order for one ticket with a code of one use, which has expired.
fn expired(house: &mut House) -> (SetId, PromocodeId, OrderId) {
    let set = house.set(3, 1000);
    let promocode = house.promocode("LAST", |new| {
        new.uses_limit = Some(1);
        until(NOON.plus_minutes(10))(new);
    });
    let order = order(house, set, 1, &["LAST"]);
    house.lapse(order);
    (set, promocode, order)
}

#[test]
fn late_money_takes_the_use_again_at_the_old_price() {
    let mut house = House::new();
    let (_, promocode, order) = expired(&mut house);
    assert_eq!(house.uses(promocode), "0 reserved, 0 used");
    house.step(order, OrderTransition::Paid).unwrap();
    assert_eq!((house.uses(promocode).as_str(), discounts(&house, order)), ("0 reserved, 1 used", vec![300]));
    assert_eq!(house.found(order).promocodes, [promocode]);
}

#[test]
fn late_money_is_refused_where_the_use_is_gone() {
    let mut house = House::new();
    let (set, promocode, late) = expired(&mut house);
    house.now = NOON;
    let other = order(&mut house, set, 1, &["LAST"]);
    let refusal = house.step(late, OrderTransition::Paid).unwrap_err();
    assert_eq!((refusal, house.state(late)), (Refusal::PromocodeGone, OrderStatusKind::Expired));
    assert_eq!(house.books(set), "2 vacant, 1 held", "its ticket is not taken either");
    house.step(other, OrderTransition::Canceled).unwrap();
    house.step(late, OrderTransition::Paid).unwrap();
    assert_eq!(house.uses(promocode), "0 reserved, 1 used");
}

#[test]
fn late_money_needs_the_uses_that_act_and_forgets_the_others() {
    let mut house = House::new();
    let set = house.set(3, 1000);
    let (best, worse) = (house.promocode("BEST", fixed(500)), house.promocode("WORSE", |new| new.uses_limit = Some(1)));
    let late = order(&mut house, set, 1, &["WORSE", "BEST"]);
    house.lapse(late);
    order(&mut house, set, 1, &["WORSE"]);
    house.step(late, OrderTransition::Paid).unwrap();
    assert_eq!((house.uses(best), house.uses(worse)), ("0 reserved, 1 used".into(), "1 reserved, 0 used".into()));
    assert_eq!(house.found(late).promocodes, [best]);
}

#[test]
fn of_late_money_tickets_are_looked_at_first() {
    let mut house = House::new();
    let (set, _, late) = expired(&mut house);
    house.now = NOON;
    order(&mut house, set, 3, &["LAST"]);
    assert_eq!(house.step(late, OrderTransition::Paid).unwrap_err(), Refusal::TicketsGone);
}
