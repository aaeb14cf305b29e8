//! Orders that the organizer gives away.

use kassa_domain::order::{OrderEdit, OrderStatusKind, OrderTransition, PaymentSystem};
use kassa_domain::{Actor, Money, Refusal};

use crate::fixture::{Fixture, customer, pays_by, random};

const INVITATION: PaymentSystem = PaymentSystem::Invitation;

#[test]
fn an_invitation_costs_nothing_and_pays_nobody() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    let order = fixture.order(set, 1);
    fixture.edit(order, pays_by(INVITATION)).unwrap();
    fixture.edit(order, random(&[(set, 2)])).unwrap();
    let values = fixture.found(order).totals();
    assert_eq!((values.price.minor(), values.discount.minor(), values.full.minor()), (2000, 2000, 0));
    for line in &fixture.found(order).lines {
        assert_eq!([line.price.organizer, line.price.platform, line.price.surcharge].map(Money::minor), [0; 3]);
    }
}

#[test]
fn an_order_that_stops_being_an_invitation_costs_its_price_again() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let order = fixture.order(set, 1);
    let before = fixture.found(order).lines.clone();
    fixture.edit(order, pays_by(INVITATION)).unwrap();
    fixture.edit(order, pays_by(PaymentSystem::CollectedByVendor)).unwrap();
    assert_eq!(fixture.found(order).lines, before);
}

#[test]
fn an_invitation_is_done_at_once() {
    let mut fixture = Fixture::new();
    let set = fixture.set(2, 1000);
    let order = fixture.order(set, 1);
    let customer = customer("ann@example.org");
    fixture.edit(order, OrderEdit { payment: pays_by(INVITATION).payment, ..customer }).unwrap();
    fixture.step(order, OrderTransition::AwaitingPayment).unwrap();
    assert_eq!((fixture.state(order), fixture.books(set).as_str()), (OrderStatusKind::Paid, "1 vacant, 1 sold"));
}

#[test]
fn an_invitation_can_be_made_and_done_in_one_request() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let customer = customer("ann@example.org").customer;
    let payment = pays_by(INVITATION).payment;
    let edit =
        OrderEdit { customer, payment, transition: Some(OrderTransition::AwaitingPayment), ..random(&[(set, 1)]) };
    let order = fixture.try_order(edit).unwrap().order;
    assert_eq!((order.state(), order.totals().full.minor()), (OrderStatusKind::Paid, 0));
}

#[test]
fn an_invitation_that_begins_needs_a_ticket_and_then_an_address() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let order = fixture.try_order(pays_by(INVITATION)).unwrap().order.id;
    assert_eq!(fixture.step(order, OrderTransition::AwaitingPayment).unwrap_err(), Refusal::OrderEmpty);
    fixture.edit(order, random(&[(set, 1)])).unwrap();
    assert_eq!(fixture.step(order, OrderTransition::AwaitingPayment).unwrap_err(), Refusal::CustomerEmailRequired);
    let customer = customer("ann@example.org");
    fixture.edit(order, customer).unwrap();
    fixture.step(order, OrderTransition::AwaitingPayment).unwrap();
}

#[test]
fn an_invitation_needs_an_address_on_every_way_to_done() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let order = fixture.order(set, 1);
    fixture.edit(order, pays_by(INVITATION)).unwrap();
    assert_eq!(fixture.step(order, OrderTransition::Paid).unwrap_err(), Refusal::CustomerEmailRequired);
}

#[test]
fn only_the_organizer_invites() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let (order, agent) = (fixture.order(set, 1), fixture.partner());
    fixture.hand_over(order, agent);
    let refusal = fixture.edit_as(&Actor::Partner(agent), order, pays_by(INVITATION)).unwrap_err();
    assert_eq!(refusal, Refusal::InvitationForbidden);
    assert_eq!(fixture.found(order).totals().full.minor(), 1000);
}
