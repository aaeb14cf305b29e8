//! The refunds of an event that is called off.

use kassa_domain::event::EventStatus;
use kassa_domain::job::JobProgress;
use kassa_domain::order::{OrderId, OrderStatusKind, OrderTransition};
use kassa_domain::refund::{Culprit, RefundStatusKind, RefundTransition};
use kassa_domain::set::SetId;
use kassa_domain::{Actor, Refusal};

use crate::house::{House, steps};

/// A house whose event starts in ten days, with orders of two tickets in each state that one can be in.
fn sold() -> (House, SetId, Vec<OrderId>) {
    let mut house = House::new();
    house.start_in_days(10);
    let set = house.set(40, 1000);
    let orders = (0..5).map(|_| paid(&mut house, set)).collect();
    for state in OrderStatusKind::ALL.into_iter().filter(|state| *state != OrderStatusKind::Paid) {
        house.order_in(state, set);
    }
    (house, set, orders)
}

fn paid(house: &mut House, set: SetId) -> OrderId {
    let order = house.order(set, 2);
    house.step(order, OrderTransition::Paid).unwrap();
    order
}

/// The requests that are open, as the order, the culprit, how many tickets, and the money in cents.
fn open(house: &House) -> Vec<(OrderId, Culprit, usize, i64)> {
    let open = house.requests().into_iter().filter(|request| request.state() == RefundStatusKind::New);
    let mut all: Vec<_> = open
        .map(|request| (request.order, request.culprit, request.lines.len(), request.amounts().total().minor()))
        .collect();
    all.sort_unstable_by_key(|(order, _, count, _)| (*order, *count));
    all
}

#[test]
fn every_paid_order_of_a_canceled_event_gets_a_request() {
    for orders_max in [1, 2, 49] {
        let (mut house, _, orders) = sold();
        house.switch(EventStatus::Canceled);
        house.work_on_cancellation(orders_max);
        let expected: Vec<_> = orders.iter().map(|order| (*order, Culprit::Organizer, 2, 2000)).collect();
        assert_eq!(open(&house), expected);
        assert_eq!(house.view.jobs.rows().count(), 0, "the job is done");
    }
}

#[test]
fn a_job_that_goes_on_after_a_stop_asks_for_nothing_twice() {
    let (mut house, _, orders) = sold();
    house.switch(EventStatus::Canceled);
    let first = house.cancellation_step(3).unwrap();
    assert_eq!(house.give(&Actor::System, &first), Ok(JobProgress::HasMore));
    // The step is sent again by somebody who has not seen what came of it.
    assert_eq!(house.give(&Actor::System, &first), Ok(JobProgress::HasMore));
    assert_eq!(open(&house).len(), 3);
    house.work_on_cancellation(3);
    assert_eq!(open(&house).len(), orders.len());
    assert_eq!(house.give(&Actor::System, &first), Ok(JobProgress::Done), "the job is gone");
}

#[test]
fn tickets_that_have_a_request_get_no_other() {
    let (mut house, set, orders) = sold();
    house.keep_percent(50);
    let kept = paid(&mut house, set);
    let [first, second] = house.lines(kept)[..] else { panic!("two tickets") };
    let asked = house.ask(kept, Culprit::Customer, &[first]).unwrap().id;
    house.ask_for_all(orders[0], Culprit::Organizer);
    let begun = house.ask_for_all(orders[1], Culprit::Customer);
    house.decide_on(begun, RefundTransition::InProgress).unwrap();
    let rejected = house.ask_for_all(orders[2], Culprit::Customer);
    house.decide_on(rejected, RefundTransition::Rejected).unwrap();
    assert_eq!(house.request(asked).amounts().total().minor(), 500);
    house.switch(EventStatus::Canceled);
    house.work_on_cancellation(49);
    let expected = [
        (orders[0], Culprit::Organizer, 2, 2000),
        (orders[2], Culprit::Organizer, 2, 2000),
        (orders[3], Culprit::Organizer, 2, 2000),
        (orders[4], Culprit::Organizer, 2, 2000),
        // What the customer had asked for is the organizer's doing by now, and the other ticket, too.
        (kept, Culprit::Organizer, 1, 1000),
        (kept, Culprit::Organizer, 1, 1000),
    ];
    assert_eq!(open(&house), expected);
    assert_eq!(house.ticket(first).refund(), Some(asked));
    assert_ne!(house.ticket(second).refund(), Some(asked));
    assert_eq!(house.request(begun).culprit, Culprit::Customer, "a payment that has begun goes on as it was");
    house.decide_on(begun, RefundTransition::Approved).unwrap();
}

#[test]
fn no_order_is_paid_once_the_event_is_canceled_so_that_none_is_missed() {
    let (mut house, set, orders) = sold();
    let late = house.order(set, 1);
    let lapsed = house.order_in(OrderStatusKind::Expired, set);
    house.switch(EventStatus::Canceled);
    let step = house.cancellation_step(49).unwrap();
    for order in [late, lapsed] {
        assert_eq!(house.edit(order, steps(OrderTransition::Paid)).unwrap_err(), Refusal::EventOver);
    }
    assert_eq!(house.edit(late, steps(OrderTransition::AwaitingPayment)).unwrap_err(), Refusal::EventOver);
    house.give(&Actor::System, &step).unwrap();
    house.work_on_cancellation(49);
    assert_eq!(open(&house).len(), orders.len());
}

#[test]
fn an_event_without_sales_needs_no_job() {
    let mut house = House::new();
    let set = house.set(1, 1000);
    house.order_in(OrderStatusKind::Reserved, set);
    house.switch(EventStatus::Canceled);
    assert_eq!(house.view.jobs.rows().count(), 0);
}

#[test]
fn an_event_is_canceled_once() {
    let (mut house, _, _) = sold();
    house.switch(EventStatus::Canceled);
    house.switch(EventStatus::Canceled);
    assert_eq!(house.view.jobs.rows().count(), 1);
}
