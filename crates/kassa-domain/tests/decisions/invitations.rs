//! Orders that the organizer gives away.

use kassa_domain::order::{OrderEdit, OrderStatusKind, OrderTransition, PaymentSystem};
use kassa_domain::{Actor, Money, Refusal};

use crate::house::{House, customer, pays_by, random};

const INVITATION: PaymentSystem = PaymentSystem::Invitation;

#[test]
fn an_invitation_costs_nothing_and_pays_nobody() {
    let mut house = House::new();
    let set = house.set(3, 1000);
    let order = house.order(set, 1);
    house.edit(order, pays_by(INVITATION)).unwrap();
    house.edit(order, random(&[(set, 2)])).unwrap();
    let values = house.found(order).totals();
    assert_eq!((values.price.minor(), values.discount.minor(), values.full.minor()), (2000, 2000, 0));
    for line in &house.found(order).lines {
        assert_eq!([line.price.organizer, line.price.platform, line.price.surcharge].map(Money::minor), [0; 3]);
    }
}

#[test]
fn an_order_that_stops_being_an_invitation_costs_its_price_again() {
    let mut house = House::new();
    let set = house.set(1, 1000);
    let order = house.order(set, 1);
    let before = house.found(order).lines.clone();
    house.edit(order, pays_by(INVITATION)).unwrap();
    house.edit(order, pays_by(PaymentSystem::CollectedByVendor)).unwrap();
    assert_eq!(house.found(order).lines, before);
}

#[test]
fn an_invitation_is_done_at_once() {
    let mut house = House::new();
    let set = house.set(2, 1000);
    let order = house.order(set, 1);
    let customer = customer("ann@example.org");
    house.edit(order, OrderEdit { payment: pays_by(INVITATION).payment, ..customer }).unwrap();
    house.step(order, OrderTransition::AwaitingPayment).unwrap();
    assert_eq!((house.state(order), house.books(set).as_str()), (OrderStatusKind::Paid, "1 vacant, 1 sold"));
}

#[test]
fn an_invitation_can_be_made_and_done_in_one_request() {
    let mut house = House::new();
    let set = house.set(1, 1000);
    let customer = customer("ann@example.org").customer;
    let payment = pays_by(INVITATION).payment;
    let edit =
        OrderEdit { customer, payment, transition: Some(OrderTransition::AwaitingPayment), ..random(&[(set, 1)]) };
    let order = house.try_order(edit).unwrap().order;
    assert_eq!((order.state(), order.totals().full.minor()), (OrderStatusKind::Paid, 0));
}

#[test]
fn an_invitation_that_begins_needs_a_ticket_and_then_an_address() {
    let mut house = House::new();
    let set = house.set(1, 1000);
    let order = house.try_order(pays_by(INVITATION)).unwrap().order.id;
    assert_eq!(house.step(order, OrderTransition::AwaitingPayment).unwrap_err(), Refusal::OrderEmpty);
    house.edit(order, random(&[(set, 1)])).unwrap();
    assert_eq!(house.step(order, OrderTransition::AwaitingPayment).unwrap_err(), Refusal::CustomerEmailRequired);
    let customer = customer("ann@example.org");
    house.edit(order, customer).unwrap();
    house.step(order, OrderTransition::AwaitingPayment).unwrap();
}

#[test]
fn an_invitation_needs_an_address_on_every_way_to_done() {
    let mut house = House::new();
    let set = house.set(1, 1000);
    let order = house.order(set, 1);
    house.edit(order, pays_by(INVITATION)).unwrap();
    assert_eq!(house.step(order, OrderTransition::Paid).unwrap_err(), Refusal::CustomerEmailRequired);
}

#[test]
fn only_the_organizer_invites() {
    let mut house = House::new();
    let set = house.set(1, 1000);
    let (order, agent) = (house.order(set, 1), house.partner());
    house.hand_over(order, agent);
    let refusal = house.edit_as(&Actor::Partner(agent), order, pays_by(INVITATION)).unwrap_err();
    assert_eq!(refusal, Refusal::InvitationForbidden);
    assert_eq!(house.found(order).totals().full.minor(), 1000);
}
