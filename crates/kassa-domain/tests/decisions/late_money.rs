//! Money that comes after the hold has ended.

use kassa_domain::event::EventStatus;
use kassa_domain::order::{OrderEdit, OrderOutcome};
use kassa_domain::order::{OrderId, OrderStatusKind, OrderTransition, PaymentPatch, PaymentSystem, UpdateOrder};
use kassa_domain::set::{RequestedPriceRule, SetId};
use kassa_domain::{Money, Patch, Refusal};

use crate::house::{END, House, pays_by, remove_set, steps, tickets};

/// A set of five, and an expired order for its first two.
fn expired(house: &mut House) -> (SetId, OrderId) {
    let set = house.set(5, 1000);
    let first = house.tickets(set)[..2].to_vec();
    let order = house.try_order(tickets(&first)).unwrap().order.id;
    house.lapse(order);
    (set, order)
}

fn pay(house: &mut House, order: OrderId) -> Result<OrderOutcome, Refusal> {
    house.step(order, OrderTransition::Paid)
}

fn assert_gone(house: &mut House, order: OrderId, refusal: &Refusal) {
    assert_eq!(pay(house, order).unwrap_err(), *refusal);
    assert_eq!(house.state(order), OrderStatusKind::Expired);
}

#[test]
fn late_money_buys_the_same_tickets_at_their_old_prices() {
    let mut house = House::new();
    let (set, order) = expired(&mut house);
    let before = house.found(order).lines.clone();
    house.pass_minutes(1);
    house.reprice(set, 9900);
    pay(&mut house, order).unwrap();
    assert_eq!(house.found(order).lines, before);
    assert_eq!((house.state(order), house.books(set).as_str()), (OrderStatusKind::Paid, "3 vacant, 2 sold"));
}

#[test]
fn late_money_buys_equally_priced_tickets_of_the_set_where_the_own_are_gone() {
    let mut house = House::new();
    let (set, order) = expired(&mut house);
    let all = house.tickets(set);
    house.try_order(tickets(&all[..1])).unwrap();
    pay(&mut house, order).unwrap();
    let lines = house.lines(order);
    assert!(all[2..].contains(&lines[0]), "another one in place of the first");
    assert_eq!(lines[1], all[1], "the second is still its own");
    assert_eq!(
        (house.found(order).totals().full.minor(), house.books(set).as_str()),
        (2000, "2 vacant, 1 held, 2 sold")
    );
}

#[test]
fn no_substitute_takes_the_ticket_of_a_later_line() {
    let mut house = House::new();
    let (set, order) = expired(&mut house);
    let all = house.tickets(set);
    house.try_order(tickets(&[&all[..1], &all[3..]].concat())).unwrap();
    pay(&mut house, order).unwrap();
    assert_eq!(house.lines(order), [all[2], all[1]]);
}

#[test]
fn late_money_is_refused_where_the_tickets_are_gone() {
    let mut house = House::new();
    let (set, order) = expired(&mut house);
    house.order(set, 4);
    assert_gone(&mut house, order, &Refusal::TicketsGone);
    assert_eq!(house.books(set), "1 vacant, 4 held", "the one that was left is left");
}

#[test]
fn late_money_buys_no_other_ticket_at_another_price() {
    let mut house = House::new();
    let (set, order) = expired(&mut house);
    let first = house.tickets(set)[0];
    house.try_order(tickets(&[first])).unwrap();
    house.pass_minutes(1);
    house.reprice(set, 999);
    assert_gone(&mut house, order, &Refusal::TicketsGone);
    house.pass_minutes(1);
    house.reprice(set, 1000);
    pay(&mut house, order).expect("another rule with the same price will do");
}

#[test]
fn late_money_buys_no_other_ticket_of_a_set_that_is_not_on_sale() {
    let mut house = House::new();
    let set = house.set(3, 1000);
    let price = RequestedPriceRule {
        id: None,
        start: Some(house.now),
        finish: Some(house.now.plus_minutes(5)),
        price: Money::from_minor(1000),
    };
    house.change_set(set, |change| change.rules = Some(vec![price])).unwrap();
    let order = house.order(set, 1);
    house.lapse(order);
    let own = house.lines(order);
    house.block(set, &own).unwrap();
    assert_gone(&mut house, order, &Refusal::TicketsGone);
    house.block(set, &[]).unwrap();
    pay(&mut house, order).expect("its own tickets keep their old prices");
}

#[test]
fn blocked_tickets_are_gone_for_late_money() {
    let mut house = House::new();
    let (set, order) = expired(&mut house);
    let all = house.tickets(set);
    house.block(set, &all[..4]).unwrap();
    assert_gone(&mut house, order, &Refusal::TicketsGone);
    house.block(set, &all[..3]).unwrap();
    pay(&mut house, order).unwrap();
    assert_eq!(house.lines(order), &all[3..]);
}

#[test]
fn tickets_that_are_being_taken_away_are_not_for_late_money() {
    let mut house = House::new();
    let (set, order) = expired(&mut house);
    house.doom(set, 4);
    assert_gone(&mut house, order, &Refusal::TicketsGone);
}

#[test]
fn late_money_is_refused_after_the_end_or_cancellation_of_the_event() {
    let changes: [fn(&mut House); 3] = [
        |house| house.now = END,
        |house| house.switch(EventStatus::Canceled),
        |house| drop(house.change_event(|event| event.removed = Patch::Set(true)).unwrap()),
    ];
    for change in changes {
        let mut house = House::new();
        let (_, order) = expired(&mut house);
        change(&mut house);
        assert_gone(&mut house, order, &Refusal::EventOver);
    }
}

#[test]
fn late_money_is_welcome_while_sales_are_stopped() {
    let mut house = House::new();
    let (_, order) = expired(&mut house);
    house.switch(EventStatus::StandBy);
    pay(&mut house, order).unwrap();
}

#[test]
fn late_money_buys_nothing_of_a_removed_set() {
    let mut house = House::new();
    let (set, order) = expired(&mut house);
    let remove = remove_set(house.event, set);
    house.give(&house.organizer(), &remove).unwrap();
    assert_gone(&mut house, order, &Refusal::TicketsGone);
}

#[test]
fn a_request_that_did_not_know_of_the_expiry_looks_again() {
    let mut house = House::new();
    let (_, order) = expired(&mut house);
    let event = house.event;
    let update = |step| {
        let (promocodes, edit) = (Vec::new(), steps(step));
        UpdateOrder { order, event, deal: None, expired_lines: None, promocodes, edit }
    };
    let (paid, canceled) = (update(OrderTransition::Paid), update(OrderTransition::Canceled));
    let actor = house.organizer();
    assert_eq!(house.give(&actor, &paid).unwrap_err(), Refusal::Stale);
    let (from, to) = (OrderStatusKind::Expired, OrderStatusKind::Canceled);
    assert_eq!(house.give(&actor, &canceled).unwrap_err(), Refusal::OrderTransition { from, to });
}

#[test]
fn late_money_without_an_address_to_send_to_takes_nothing() {
    let mut house = House::new();
    let set = house.set(2, 1000);
    let payment = PaymentPatch { send_tickets: Patch::Set(true), ..PaymentPatch::default() };
    let order = house.order(set, 1);
    house.edit(order, OrderEdit { payment: Some(payment), ..OrderEdit::default() }).unwrap();
    house.lapse(order);
    assert_gone(&mut house, order, &Refusal::CustomerEmailRequired);
    assert_eq!(house.books(set), "2 vacant");
}

#[test]
fn late_money_changes_nothing_else_about_an_order() {
    let mut house = House::new();
    let (_, order) = expired(&mut house);
    let both = OrderEdit { transition: Some(OrderTransition::Paid), ..pays_by(PaymentSystem::Invitation) };
    assert_eq!(house.edit(order, both).unwrap_err(), Refusal::OrderFinal(OrderStatusKind::Expired));
}

#[test]
fn money_that_comes_twice_is_taken_once() {
    let mut house = House::new();
    let (set, order) = expired(&mut house);
    pay(&mut house, order).unwrap();
    let (from, to) = (OrderStatusKind::Paid, OrderStatusKind::Paid);
    assert_eq!(pay(&mut house, order).unwrap_err(), Refusal::OrderTransition { from, to });
    assert_eq!(house.books(set), "3 vacant, 2 sold");
}
