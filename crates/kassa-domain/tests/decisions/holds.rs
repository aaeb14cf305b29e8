//! How much those who buy for themselves hold without having paid.

use kassa_domain::actor::ShopVisit;
use kassa_domain::order::{
    CreateOrder, HoldBound, HoldLimits, NetworkMark, OrderEdit, OrderId, OrderTransition, TicketSelection,
};
use kassa_domain::payment::PaymentProvider;
use kassa_domain::set::SetId;
use kassa_domain::{Actor, Refusal};

use crate::fixture::{Fixture, customer, random, steps};

const HOME: NetworkMark = NetworkMark::new(1);
const OFFICE: NetworkMark = NetworkMark::new(2);
const LIMITS: HoldLimits =
    HoldLimits { orders_of_email: Some(5), orders_of_network: Some(30), tickets_of_network: Some(120) };

fn shop() -> (Fixture, SetId) {
    let mut fixture = Fixture::new();
    let set = fixture.set(500, 1000);
    fixture.open_shop();
    fixture.start_in_days(20);
    (fixture, set)
}

impl Fixture {
    /// Somebody orders in the shop.
    fn order_in_shop(
        &mut self,
        network: NetworkMark,
        email: Option<&str>,
        set: SetId,
        count: u32,
    ) -> Result<OrderId, Refusal> {
        let customer = email.and_then(|email| customer(email).customer);
        let edit = OrderEdit { customer, network: Some(network), ..random(&[(set, count)]) };
        let command = CreateOrder { event: self.event, vendor: self.org, deal: None, edit };
        self.give(&Actor::Visitor(ShopVisit::of(self.org)), &command).map(|made| made.order.id)
    }

    /// Whoever has the link of an order changes it.
    fn shop_edit(&mut self, order: OrderId, edit: OrderEdit) -> Result<(), Refusal> {
        let edit = OrderEdit { network: self.found(order).network, ..edit };
        self.edit_as(&Actor::Buyer(order), order, edit).map(drop)
    }

    fn found_network(&self, order: OrderId) -> Option<NetworkMark> {
        self.found(order).network
    }
}

fn named(email: &str) -> OrderEdit {
    customer(email)
}

#[test]
fn the_usual_limits_are_those_of_the_documents() {
    assert_eq!(HoldLimits::default(), LIMITS);
}

#[test]
fn one_e_mail_has_so_many_unpaid_orders_for_an_event() {
    let (mut fixture, set) = shop();
    let first = fixture.order_in_shop(HOME, Some("ann@example.org"), set, 1).unwrap();
    for at in 1..5 {
        fixture.order_in_shop(NetworkMark::new(10 + at), Some("ann@example.org"), set, 1).unwrap();
    }
    let refusal = Refusal::UnpaidLimit(HoldBound::OrdersOfEmail(5));
    assert_eq!(fixture.order_in_shop(OFFICE, Some("ANN@example.org"), set, 1).unwrap_err(), refusal);
    // Nor does one get it later.
    let other = fixture.order_in_shop(OFFICE, None, set, 1).unwrap();
    assert_eq!(fixture.shop_edit(other, named("ann@example.org")).unwrap_err(), refusal);
    fixture.shop_edit(other, named("ben@example.org")).unwrap();
    // One that is paid, canceled or expired makes room.
    let payment = fixture.begin_payment(first, PaymentProvider::Door);
    assert_eq!(fixture.shop_edit(other, named("ann@example.org")).unwrap_err(), refusal, "it holds its tickets");
    fixture.receive(payment, 1000);
    assert_eq!(fixture.found_network(first), None, "nothing is kept of where it was made");
    fixture.shop_edit(other, named("ann@example.org")).unwrap();
    assert_eq!(fixture.order_in_shop(OFFICE, Some("ann@example.org"), set, 1).unwrap_err(), refusal);
    fixture.shop_edit(other, steps(OrderTransition::Canceled)).unwrap();
    assert_eq!(fixture.found_network(other), None);
    fixture.order_in_shop(OFFICE, Some("ann@example.org"), set, 1).unwrap();
    fixture.pass_minutes(16);
    fixture.order_in_shop(OFFICE, Some("ann@example.org"), set, 1).unwrap();
}

#[test]
fn one_network_has_so_many_unpaid_orders_and_tickets_for_an_event() {
    let (mut fixture, set) = shop();
    for _ in 0..30 {
        fixture.order_in_shop(HOME, None, set, 1).unwrap();
    }
    let refusal = Refusal::UnpaidLimit(HoldBound::OrdersOfNetwork(30));
    assert_eq!(fixture.order_in_shop(HOME, None, set, 1).unwrap_err(), refusal);
    let one = fixture.order_in_shop(OFFICE, None, set, 10).unwrap();
    let many = fixture.order_in_shop(OFFICE, None, set, 50).unwrap();
    fixture.order_in_shop(OFFICE, None, set, 50).unwrap();
    let refusal = Refusal::UnpaidLimit(HoldBound::TicketsOfNetwork(120));
    assert_eq!(fixture.order_in_shop(OFFICE, None, set, 11).unwrap_err(), refusal);
    assert_eq!(fixture.shop_edit(one, random(&[(set, 21)])).unwrap_err(), refusal);
    fixture.shop_edit(one, random(&[(set, 20)])).unwrap();
    // Whoever holds as much as it may gives tickets back, and names itself.
    fixture.shop_edit(one, named("ann@example.org")).unwrap();
    let none = OrderEdit { selection: Some(TicketSelection::AnyOfSets(vec![(set, 49)])), ..OrderEdit::default() };
    fixture.shop_edit(many, none).unwrap();
    fixture.order_in_shop(OFFICE, None, set, 1).unwrap();
    assert_eq!(fixture.order_in_shop(OFFICE, None, set, 1).unwrap_err(), refusal);
}

#[test]
fn sellers_hold_what_they_like() {
    let (mut fixture, set) = shop();
    for _ in 0..40 {
        let edit = OrderEdit { customer: customer("ann@example.org").customer, ..random(&[(set, 5)]) };
        fixture.try_order(edit).unwrap();
    }
    // What they hold is not counted for those who visit a shop.
    fixture.order_in_shop(HOME, Some("ann@example.org"), set, 50).unwrap();
}
