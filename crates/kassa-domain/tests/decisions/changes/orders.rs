//! What is stated of sales and refunds.

use kassa_domain::change::{Audience, Author, ChangeType, Fact, FactName, FactValue};
use kassa_domain::event::EventStatus;
use kassa_domain::order::{
    CreateOrder, CustomerPatch, ExpireOrder, OrderEdit, OrderStatusKind, OrderTransition, SetVisitors, VisitorDetails,
};
use kassa_domain::refund::{Culprit, RefundTransition};
use kassa_domain::{Actor, Money, Patch};

use crate::fixture::{Fixture, codes, customer, random, steps};

/// A new order and then a step.
fn step_from(from: OrderStatusKind, step: OrderTransition) -> String {
    let mut fixture = Fixture::new();
    let set = fixture.set(9, 1000);
    let order = fixture.order_in(from, set);
    fixture.stated(|fixture| drop(fixture.step(order, step).unwrap()))
}

#[test]
fn each_step_of_an_order_is_stated() {
    let cases = [
        (OrderStatusKind::Reserved, OrderTransition::AwaitingPayment, "order.payment_started 2"),
        (OrderStatusKind::Reserved, OrderTransition::Paid, "order.paid 2, ticket.issued 3"),
        (OrderStatusKind::Reserved, OrderTransition::Canceled, "order.canceled 2"),
        (OrderStatusKind::AwaitingPayment, OrderTransition::Paid, "order.paid 3, ticket.issued 4"),
        (OrderStatusKind::AwaitingPayment, OrderTransition::Canceled, "order.canceled 3"),
        // Late money: the tickets are taken again first.
        (OrderStatusKind::Expired, OrderTransition::Paid, "order.reserved 3, order.paid 4, ticket.issued 5"),
    ];
    for (from, step, expected) in cases {
        assert_eq!(step_from(from, step), expected, "{from}");
    }
}

#[test]
fn an_order_that_is_paid_at_once_states_each_step() {
    let mut fixture = Fixture::new();
    let set = fixture.set(9, 1000);
    let paid = OrderEdit { transition: Some(OrderTransition::Paid), ..random(&[(set, 2)]) };
    let stated = fixture.stated(|fixture| drop(fixture.try_order(paid).unwrap()));
    assert_eq!(stated, "order.reserved 1, order.paid 2, ticket.issued 3");
}

#[test]
fn an_edit_is_stated_apart_from_the_step_that_comes_with_it() {
    let mut fixture = Fixture::new();
    let set = fixture.set(9, 1000);
    let order = fixture.order(set, 1);
    let both = || OrderEdit { transition: Some(OrderTransition::Paid), ..customer("ann@example.org") };
    let stated = fixture.stated(|fixture| drop(fixture.edit(order, both()).unwrap()));
    assert_eq!(stated, "order.changed 2, order.paid 3, ticket.issued 4");
    assert_eq!(fixture.stated(|fixture| drop(fixture.edit(order, both()).unwrap())), "", "it is so already");
}

#[test]
fn edits_of_orders_are_stated() {
    let mut fixture = Fixture::new();
    let set = fixture.set(9, 1000);
    fixture.promocode("SPRING", |_| ());
    let order = fixture.order(set, 1);
    let edits = [
        customer("ann@example.org"),
        random(&[(set, 2)]),
        codes(&["SPRING"]),
        OrderEdit { hold_till: Some(fixture.now.plus_minutes(5)), ..OrderEdit::default() },
    ];
    for (edit, version) in edits.into_iter().zip(2..) {
        let stated = fixture.stated(|fixture| drop(fixture.edit(order, edit).unwrap()));
        assert_eq!(stated, format!("order.changed {version}"));
    }
    let details = VisitorDetails { user_id: "1".into(), name: "Ann".into(), surname: "Fox".into(), middle_name: None };
    let command = SetVisitors { order, visitors: vec![(None, details)] };
    let stated = fixture.stated(|fixture| fixture.give(&fixture.organizer(), &command).unwrap());
    assert_eq!(stated, "order.changed 6");
}

#[test]
fn the_end_of_a_hold_is_stated_once() {
    let mut fixture = Fixture::new();
    let set = fixture.set(9, 1000);
    let order = fixture.order(set, 1);
    assert_eq!(fixture.stated(|fixture| fixture.lapse(order)), "order.expired 2");
    assert_eq!(fixture.last_change().attribution.author, Author::System);
    let command = ExpireOrder { order, event: fixture.event, promocodes: Vec::new(), lines: 1 };
    assert_eq!(fixture.stated(|fixture| drop(fixture.give(&Actor::System, &command))), "");
}

#[test]
fn refunds_are_stated_of_the_request_and_of_the_order() {
    let mut fixture = Fixture::new();
    let set = fixture.set(9, 1000);
    let order = fixture.order(set, 2);
    fixture.step(order, OrderTransition::Paid).unwrap();
    let [one, other] = fixture.lines(order)[..] else { panic!("two tickets") };
    let (mut first, mut second) = (None, None);
    let stated = fixture.stated(|fixture| first = Some(fixture.ask(order, Culprit::Organizer, &[one]).unwrap().id));
    assert_eq!(stated, "refund_request.created 1");
    let first = first.unwrap();
    let mut decide = |refund, step| fixture.stated(|fixture| drop(fixture.decide_on(refund, step).unwrap()));
    assert_eq!(decide(first, RefundTransition::InProgress), "refund_request.in_progress 2");
    let approved = decide(first, RefundTransition::Approved);
    assert_eq!(approved, "order.changed 4, ticket.voided 5, refund_request.approved 3");
    fixture.stated(|fixture| second = Some(fixture.ask(order, Culprit::Organizer, &[other]).unwrap().id));
    let second = second.unwrap();
    let mut decide = |refund, step| fixture.stated(|fixture| drop(fixture.decide_on(refund, step).unwrap()));
    assert_eq!(decide(second, RefundTransition::Rejected), "refund_request.rejected 2");
    let third = fixture.ask_for_all(order, Culprit::Organizer);
    let approved = fixture.stated(|fixture| drop(fixture.decide_on(third, RefundTransition::Approved).unwrap()));
    assert_eq!(approved, "order.refunded 6, ticket.voided 7, refund_request.approved 2");
}

#[test]
fn the_cancellation_of_an_event_states_the_requests_that_it_opens() {
    let mut fixture = Fixture::new();
    let set = fixture.set(9, 1000);
    fixture.order_in(OrderStatusKind::Paid, set);
    let asked = fixture.order(set, 1);
    fixture.step(asked, OrderTransition::Paid).unwrap();
    fixture.start_in_days(10);
    fixture.ask_for_all(asked, Culprit::Customer);
    let canceled = fixture.stated(|fixture| fixture.switch(EventStatus::Canceled));
    assert_eq!(canceled, "event.canceled 4");
    let stated = fixture.stated(|fixture| fixture.work_on_cancellation(9));
    assert_eq!(stated, "refund_request.created 1, refund_request.changed 2");
}

#[test]
fn the_last_ticket_and_the_first_are_stated_of_the_inventory() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    let order = fixture.order(set, 2);
    let mut last = None;
    let sold_out = fixture.stated(|fixture| last = Some(fixture.order(set, 1)));
    assert_eq!(sold_out, "order.reserved 1, inventory.sold_out 2");
    let change = fixture.last_change();
    assert_eq!(change.audience, Audience::of(fixture.org).and_agents_of(fixture.event));
    assert_eq!(change.subject.type_name(), "inventory");
    assert_eq!(fixture.stated(|fixture| fixture.lapse(order)), "order.expired 2, inventory.available 3");
    let revision = fixture.row(set).revision.number();
    assert_eq!(revision, 1, "sales are no edits of the set");
    let canceled = fixture.stated(|fixture| drop(fixture.step(last.unwrap(), OrderTransition::Canceled).unwrap()));
    assert_eq!(canceled, "order.canceled 2");
}

#[test]
fn the_last_use_of_a_promocode_is_stated() {
    let mut fixture = Fixture::new();
    let set = fixture.set(9, 1000);
    fixture.promocode("SPRING", |new| new.uses_limit = Some(1));
    let order = fixture.order(set, 1);
    let stated = fixture.stated(|fixture| drop(fixture.edit(order, codes(&["SPRING"])).unwrap()));
    assert_eq!(stated, "promocode.exhausted 2, order.changed 2");
    assert_eq!(fixture.stated(|fixture| fixture.lapse(order)), "order.expired 3");
    let next = fixture.order(set, 1);
    let stated = fixture.stated(|fixture| drop(fixture.edit(next, codes(&["SPRING"])).unwrap()));
    assert_eq!(stated, "promocode.exhausted 3, order.changed 2");
    let paid = fixture.stated(|fixture| drop(fixture.step(next, OrderTransition::Paid).unwrap()));
    assert_eq!(paid, "order.paid 3, ticket.issued 4", "the use that it has is not taken again");
}

#[test]
fn a_sale_says_its_sums_and_its_tickets() {
    let mut fixture = Fixture::new();
    let set = fixture.set(9, 10_000);
    let agent = fixture.agent_at(90, 10);
    let command = CreateOrder { event: fixture.event, vendor: agent, deal: None, edit: random(&[(set, 2)]) };
    let order = fixture.give(&Actor::Partner(agent), &command).unwrap().order.id;
    fixture.edit_as(&Actor::Partner(agent), order, steps(OrderTransition::Paid)).unwrap();
    let [.., reserved, paid, issued] = &fixture.log.changes[..] else { panic!("three changes") };
    let kinds = [reserved.kind, paid.kind, issued.kind];
    assert_eq!(kinds, [ChangeType::OrderReserved, ChangeType::OrderPaid, ChangeType::TicketIssued]);
    assert_eq!(paid.audience, Audience::between(fixture.org, agent));
    assert_eq!(paid.attribution.author, Author::ApiKey { partner: agent, key: None });
    assert_eq!((paid.event, paid.previous), (Some(fixture.event), fixture.found(order).revision.changed_in()));
    let step = Fact::step(OrderStatusKind::Reserved, OrderStatusKind::Paid);
    assert_eq!(paid.facts.get(FactName::Status), Some(&step));
    let money = |name| match paid.facts.get(name) {
        Some(Fact::Value(FactValue::Money(money))) => *money,
        other => panic!("{other:?}"),
    };
    let split = [FactName::OrganizerAmount, FactName::AgentAmount, FactName::PlatformAmount].map(money);
    assert_eq!(money(FactName::Full), Money::from_minor(22_000));
    assert_eq!(split.into_iter().sum::<Money>(), Money::from_minor(22_000));
    assert_eq!(paid.facts.get(FactName::TicketCount), Some(&Fact::Value(2_i64.into())));
    let Some(Fact::Value(FactValue::Ids(tickets))) = issued.facts.get(FactName::Tickets) else { panic!("tickets") };
    let expected: Vec<String> = fixture.lines(order).iter().map(ToString::to_string).collect();
    assert_eq!(tickets.ids().map(|id| id.to_string()).collect::<Vec<_>>(), expected);
}

#[test]
fn a_removed_hold_says_which_sums_changed() {
    let mut fixture = Fixture::new();
    let set = fixture.set(9, 1000);
    let order = fixture.order(set, 2);
    fixture.edit(order, random(&[(set, 1)])).unwrap();
    let facts = &fixture.last_change().facts;
    let step = |from, to| Fact::step(Money::from_minor(from), Money::from_minor(to));
    assert_eq!(facts.get(FactName::Full), Some(&step(2000, 1000)));
    assert_eq!(facts.get(FactName::Customer), None);
    let patch = CustomerPatch { first_name: Patch::Set("Ann".into()), ..CustomerPatch::default() };
    fixture.edit(order, OrderEdit { customer: Some(patch), ..OrderEdit::default() }).unwrap();
    let facts: Vec<_> = fixture.last_change().facts.iter().collect();
    assert_eq!(facts, [(FactName::Customer, &Fact::Hidden)]);
}
