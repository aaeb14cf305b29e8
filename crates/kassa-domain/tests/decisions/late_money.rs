//! Money that comes after the hold has ended.

use kassa_domain::event::EventStatus;
use kassa_domain::order::{OrderEdit, OrderOutcome};
use kassa_domain::order::{OrderId, OrderStatusKind, OrderTransition, PaymentPatch, PaymentSystem, UpdateOrder};
use kassa_domain::set::{RequestedPriceRule, SetId};
use kassa_domain::{Money, Patch, Refusal};

use crate::fixture::{END, Fixture, pays_by, remove_set, steps, tickets};

/// A set of five, and an expired order for its first two.
fn expired(fixture: &mut Fixture) -> (SetId, OrderId) {
    let set = fixture.set(5, 1000);
    let first = fixture.tickets(set)[..2].to_vec();
    let order = fixture.try_order(tickets(&first)).unwrap().order.id;
    fixture.lapse(order);
    (set, order)
}

fn pay(fixture: &mut Fixture, order: OrderId) -> Result<OrderOutcome, Refusal> {
    fixture.step(order, OrderTransition::Paid)
}

fn assert_gone(fixture: &mut Fixture, order: OrderId, refusal: &Refusal) {
    assert_eq!(pay(fixture, order).unwrap_err(), *refusal);
    assert_eq!(fixture.state(order), OrderStatusKind::Expired);
}

#[test]
fn late_money_buys_the_same_tickets_at_their_old_prices() {
    let mut fixture = Fixture::new();
    let (set, order) = expired(&mut fixture);
    let before = fixture.found(order).lines.clone();
    fixture.pass_minutes(1);
    fixture.reprice(set, 9900);
    pay(&mut fixture, order).unwrap();
    assert_eq!(fixture.found(order).lines, before);
    assert_eq!((fixture.state(order), fixture.books(set).as_str()), (OrderStatusKind::Paid, "3 vacant, 2 sold"));
}

#[test]
fn late_money_buys_equally_priced_tickets_of_the_set_where_the_own_are_gone() {
    let mut fixture = Fixture::new();
    let (set, order) = expired(&mut fixture);
    let all = fixture.tickets(set);
    fixture.try_order(tickets(&all[..1])).unwrap();
    pay(&mut fixture, order).unwrap();
    let lines = fixture.lines(order);
    assert!(all[2..].contains(&lines[0]), "another one in place of the first");
    assert_eq!(lines[1], all[1], "the second is still its own");
    assert_eq!(
        (fixture.found(order).totals().full.minor(), fixture.books(set).as_str()),
        (2000, "2 vacant, 1 held, 2 sold")
    );
}

#[test]
fn no_substitute_takes_the_ticket_of_a_later_line() {
    let mut fixture = Fixture::new();
    let (set, order) = expired(&mut fixture);
    let all = fixture.tickets(set);
    fixture.try_order(tickets(&[&all[..1], &all[3..]].concat())).unwrap();
    pay(&mut fixture, order).unwrap();
    assert_eq!(fixture.lines(order), [all[2], all[1]]);
}

#[test]
fn late_money_is_refused_where_the_tickets_are_gone() {
    let mut fixture = Fixture::new();
    let (set, order) = expired(&mut fixture);
    fixture.order(set, 4);
    assert_gone(&mut fixture, order, &Refusal::TicketsGone);
    assert_eq!(fixture.books(set), "1 vacant, 4 held", "the one that was left is left");
}

#[test]
fn late_money_buys_no_other_ticket_at_another_price() {
    let mut fixture = Fixture::new();
    let (set, order) = expired(&mut fixture);
    let first = fixture.tickets(set)[0];
    fixture.try_order(tickets(&[first])).unwrap();
    fixture.pass_minutes(1);
    fixture.reprice(set, 999);
    assert_gone(&mut fixture, order, &Refusal::TicketsGone);
    fixture.pass_minutes(1);
    fixture.reprice(set, 1000);
    pay(&mut fixture, order).expect("another rule with the same price will do");
}

#[test]
fn late_money_buys_no_other_ticket_of_a_set_that_is_not_on_sale() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    let price = RequestedPriceRule {
        id: None,
        start: Some(fixture.now),
        finish: Some(fixture.now.plus_minutes(5)),
        price: Money::from_minor(1000),
    };
    fixture.change_set(set, |change| change.rules = Some(vec![price])).unwrap();
    let order = fixture.order(set, 1);
    fixture.lapse(order);
    let own = fixture.lines(order);
    fixture.block(set, &own).unwrap();
    assert_gone(&mut fixture, order, &Refusal::TicketsGone);
    fixture.block(set, &[]).unwrap();
    pay(&mut fixture, order).expect("its own tickets keep their old prices");
}

#[test]
fn blocked_tickets_are_gone_for_late_money() {
    let mut fixture = Fixture::new();
    let (set, order) = expired(&mut fixture);
    let all = fixture.tickets(set);
    fixture.block(set, &all[..4]).unwrap();
    assert_gone(&mut fixture, order, &Refusal::TicketsGone);
    fixture.block(set, &all[..3]).unwrap();
    pay(&mut fixture, order).unwrap();
    assert_eq!(fixture.lines(order), &all[3..]);
}

#[test]
fn tickets_that_are_being_taken_away_are_not_for_late_money() {
    let mut fixture = Fixture::new();
    let (set, order) = expired(&mut fixture);
    fixture.doom(set, 4);
    assert_gone(&mut fixture, order, &Refusal::TicketsGone);
}

#[test]
fn late_money_is_refused_after_the_end_or_cancellation_of_the_event() {
    let changes: [fn(&mut Fixture); 3] = [
        |fixture| fixture.now = END,
        |fixture| fixture.switch(EventStatus::Canceled),
        |fixture| drop(fixture.change_event(|event| event.removed = Patch::Set(true)).unwrap()),
    ];
    for change in changes {
        let mut fixture = Fixture::new();
        let (_, order) = expired(&mut fixture);
        change(&mut fixture);
        assert_gone(&mut fixture, order, &Refusal::EventOver);
    }
}

#[test]
fn late_money_is_welcome_while_sales_are_stopped() {
    let mut fixture = Fixture::new();
    let (_, order) = expired(&mut fixture);
    fixture.switch(EventStatus::StandBy);
    pay(&mut fixture, order).unwrap();
}

#[test]
fn late_money_buys_nothing_of_a_removed_set() {
    let mut fixture = Fixture::new();
    let (set, order) = expired(&mut fixture);
    let remove = remove_set(fixture.event, set);
    fixture.give(&fixture.organizer(), &remove).unwrap();
    assert_gone(&mut fixture, order, &Refusal::TicketsGone);
}

#[test]
fn a_request_that_did_not_know_of_the_expiry_looks_again() {
    let mut fixture = Fixture::new();
    let (_, order) = expired(&mut fixture);
    let event = fixture.event;
    let update = |step| {
        let (promocodes, edit) = (Vec::new(), steps(step));
        UpdateOrder { order, event, deal: None, expired_lines: None, promocodes, has_payments: false, edit }
    };
    let (paid, canceled) = (update(OrderTransition::Paid), update(OrderTransition::Canceled));
    let actor = fixture.organizer();
    assert_eq!(fixture.give(&actor, &paid).unwrap_err(), Refusal::Stale);
    let (from, to) = (OrderStatusKind::Expired, OrderStatusKind::Canceled);
    assert_eq!(fixture.give(&actor, &canceled).unwrap_err(), Refusal::OrderTransition { from, to });
}

#[test]
fn late_money_without_an_address_to_send_to_takes_nothing() {
    let mut fixture = Fixture::new();
    let set = fixture.set(2, 1000);
    let payment = PaymentPatch { send_tickets: Patch::Set(true), ..PaymentPatch::default() };
    let order = fixture.order(set, 1);
    fixture.edit(order, OrderEdit { payment: Some(payment), ..OrderEdit::default() }).unwrap();
    fixture.lapse(order);
    assert_gone(&mut fixture, order, &Refusal::CustomerEmailRequired);
    assert_eq!(fixture.books(set), "2 vacant");
}

#[test]
fn late_money_changes_nothing_else_about_an_order() {
    let mut fixture = Fixture::new();
    let (_, order) = expired(&mut fixture);
    let both = OrderEdit { transition: Some(OrderTransition::Paid), ..pays_by(PaymentSystem::Invitation) };
    assert_eq!(fixture.edit(order, both).unwrap_err(), Refusal::OrderFinal(OrderStatusKind::Expired));
}

#[test]
fn money_that_comes_twice_is_taken_once() {
    let mut fixture = Fixture::new();
    let (set, order) = expired(&mut fixture);
    pay(&mut fixture, order).unwrap();
    let paid = fixture.found(order).clone();
    pay(&mut fixture, order).unwrap();
    assert_eq!(*fixture.found(order), paid);
    assert_eq!(fixture.books(set), "3 vacant, 2 sold");
}
