//! The uses that orders hold and use up, and those that late money needs.

use kassa_domain::Refusal;
use kassa_domain::order::{OrderId, OrderStatusKind, OrderTransition};
use kassa_domain::promocode::PromocodeId;
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::set::SetId;

use super::{at_least, code, discounts, fixed, order, until};
use crate::fixture::{Fixture, NOON, codes, random};

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
        let mut fixture = Fixture::new();
        let set = fixture.set(1, 1000);
        let promocode = fixture.promocode("SPRING", |new| new.uses_limit = Some(1));
        let order = order(&mut fixture, set, 1, &["SPRING"]);
        match state {
            OrderStatusKind::Reserved => {}
            OrderStatusKind::AwaitingPayment => drop(fixture.step(order, OrderTransition::AwaitingPayment).unwrap()),
            OrderStatusKind::Paid => drop(fixture.step(order, OrderTransition::Paid).unwrap()),
            OrderStatusKind::Canceled => drop(fixture.step(order, OrderTransition::Canceled).unwrap()),
            OrderStatusKind::Expired => fixture.lapse(order),
            OrderStatusKind::Refunded => fixture.give_all_back(order),
        }
        assert_eq!(fixture.uses(promocode), expected, "{state}");
        let shown = fixture.found(order);
        let discount = if state == OrderStatusKind::Refunded { 0 } else { 300 };
        let expected = (&[promocode][..], discount);
        assert_eq!((shown.promocodes.as_slice(), shown.totals().discount.minor()), expected, "{state}");
    }
}

#[test]
fn the_last_use_goes_to_one_order_and_comes_back() {
    let mut fixture = Fixture::new();
    let set = fixture.set(2, 1000);
    let promocode = fixture.promocode("LAST", |new| new.uses_limit = Some(1));
    let first = order(&mut fixture, set, 1, &["LAST"]);
    let second = fixture.order(set, 1);
    assert_eq!(fixture.edit(second, codes(&["LAST"])).unwrap_err(), Refusal::PromocodeUsedUp(code("LAST")));
    fixture.edit(first, codes(&["LAST"])).expect("what it holds already it has");
    fixture.edit(first, codes(&[])).unwrap();
    assert_eq!(discounts(&fixture, first), [0]);
    fixture.edit(second, codes(&["LAST"])).unwrap();
    assert_eq!(fixture.uses(promocode), "1 reserved, 0 used");
}

#[test]
fn the_organizer_who_cancels_an_agents_order_gives_its_uses_back() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let promocode = fixture.promocode("SPRING", |_| ());
    let (order, agent) = (order(&mut fixture, set, 1, &["SPRING"]), fixture.partner());
    fixture.hand_over(order, agent);
    assert_eq!(fixture.edit(order, codes(&[])).unwrap_err(), Refusal::Forbidden(ForbiddenReason::VendorOnly));
    fixture.step(order, OrderTransition::Canceled).unwrap();
    assert_eq!(fixture.uses(promocode), "0 reserved, 0 used");
}

#[test]
fn a_paid_order_keeps_the_codes_that_act_on_its_tickets() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    let (best, worse) = (fixture.promocode("BEST", fixed(500)), fixture.promocode("WORSE", fixed(400)));
    let three = fixture.promocode("THREE", |new| {
        fixed(900)(new);
        at_least(3)(new);
    });
    let order = order(&mut fixture, set, 3, &["WORSE", "THREE", "BEST"]);
    fixture.edit(order, random(&[(set, 2)])).unwrap();
    assert_eq!([best, worse, three].map(|id| fixture.uses(id)), ["1 reserved, 0 used"; 3]);
    fixture.step(order, OrderTransition::Paid).unwrap();
    assert_eq!(fixture.found(order).promocodes, [best]);
    let expected = ["0 reserved, 1 used", "0 reserved, 0 used", "0 reserved, 0 used"];
    assert_eq!([best, worse, three].map(|id| fixture.uses(id)), expected);
}

/// An order for one ticket with a code of one use, which has expired.
fn expired(fixture: &mut Fixture) -> (SetId, PromocodeId, OrderId) {
    let set = fixture.set(3, 1000);
    let promocode = fixture.promocode("LAST", |new| {
        new.uses_limit = Some(1);
        until(NOON.plus_minutes(10))(new);
    });
    let order = order(fixture, set, 1, &["LAST"]);
    fixture.lapse(order);
    (set, promocode, order)
}

#[test]
fn late_money_takes_the_use_again_at_the_old_price() {
    let mut fixture = Fixture::new();
    let (_, promocode, order) = expired(&mut fixture);
    assert_eq!(fixture.uses(promocode), "0 reserved, 0 used");
    fixture.step(order, OrderTransition::Paid).unwrap();
    assert_eq!((fixture.uses(promocode).as_str(), discounts(&fixture, order)), ("0 reserved, 1 used", vec![300]));
    assert_eq!(fixture.found(order).promocodes, [promocode]);
}

#[test]
fn late_money_is_refused_where_the_use_is_gone() {
    let mut fixture = Fixture::new();
    let (set, promocode, late) = expired(&mut fixture);
    fixture.now = NOON;
    let other = order(&mut fixture, set, 1, &["LAST"]);
    let refusal = fixture.step(late, OrderTransition::Paid).unwrap_err();
    assert_eq!((refusal, fixture.state(late)), (Refusal::PromocodeGone, OrderStatusKind::Expired));
    assert_eq!(fixture.books(set), "2 vacant, 1 held", "its ticket is not taken either");
    fixture.step(other, OrderTransition::Canceled).unwrap();
    fixture.step(late, OrderTransition::Paid).unwrap();
    assert_eq!(fixture.uses(promocode), "0 reserved, 1 used");
}

#[test]
fn late_money_needs_the_uses_that_act_and_forgets_the_others() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    let (best, worse) =
        (fixture.promocode("BEST", fixed(500)), fixture.promocode("WORSE", |new| new.uses_limit = Some(1)));
    let late = order(&mut fixture, set, 1, &["WORSE", "BEST"]);
    fixture.lapse(late);
    order(&mut fixture, set, 1, &["WORSE"]);
    fixture.step(late, OrderTransition::Paid).unwrap();
    assert_eq!((fixture.uses(best), fixture.uses(worse)), ("0 reserved, 1 used".into(), "1 reserved, 0 used".into()));
    assert_eq!(fixture.found(late).promocodes, [best]);
}

#[test]
fn of_late_money_tickets_are_looked_at_first() {
    let mut fixture = Fixture::new();
    let (set, _, late) = expired(&mut fixture);
    fixture.now = NOON;
    order(&mut fixture, set, 3, &["LAST"]);
    assert_eq!(fixture.step(late, OrderTransition::Paid).unwrap_err(), Refusal::TicketsGone);
}
