//! The refunds of an event that is called off.

use kassa_domain::event::EventStatus;
use kassa_domain::job::JobProgress;
use kassa_domain::order::{OrderId, OrderStatusKind, OrderTransition};
use kassa_domain::refund::{Culprit, RefundStatusKind, RefundTransition};
use kassa_domain::set::SetId;
use kassa_domain::{Actor, Refusal};

use crate::fixture::{Fixture, steps};

/// A fixture whose event starts in ten days, with orders of two tickets in each state that one can be in.
fn sold() -> (Fixture, SetId, Vec<OrderId>) {
    let mut fixture = Fixture::new();
    fixture.start_in_days(10);
    let set = fixture.set(40, 1000);
    let orders = (0..5).map(|_| paid(&mut fixture, set)).collect();
    for state in OrderStatusKind::ALL.into_iter().filter(|state| *state != OrderStatusKind::Paid) {
        fixture.order_in(state, set);
    }
    (fixture, set, orders)
}

fn paid(fixture: &mut Fixture, set: SetId) -> OrderId {
    let order = fixture.order(set, 2);
    fixture.step(order, OrderTransition::Paid).unwrap();
    order
}

/// The requests that are open, as the order, the culprit, how many tickets, and the money in cents.
fn open(fixture: &Fixture) -> Vec<(OrderId, Culprit, usize, i64)> {
    let open = fixture.requests().into_iter().filter(|request| request.state() == RefundStatusKind::New);
    let mut all: Vec<_> = open
        .map(|request| (request.order, request.culprit, request.lines.len(), request.amounts().total().minor()))
        .collect();
    all.sort_unstable_by_key(|(order, _, count, _)| (*order, *count));
    all
}

#[test]
fn every_paid_order_of_a_canceled_event_gets_a_request() {
    for orders_max in [1, 2, 49] {
        let (mut fixture, _, orders) = sold();
        fixture.switch(EventStatus::Canceled);
        fixture.work_on_cancellation(orders_max);
        let expected: Vec<_> = orders.iter().map(|order| (*order, Culprit::Organizer, 2, 2000)).collect();
        assert_eq!(open(&fixture), expected);
        assert_eq!(fixture.view.jobs.rows().count(), 0, "the job is done");
    }
}

#[test]
fn a_job_that_goes_on_after_a_stop_asks_for_nothing_twice() {
    let (mut fixture, _, orders) = sold();
    fixture.switch(EventStatus::Canceled);
    let first = fixture.cancellation_step(3).unwrap();
    assert_eq!(fixture.give(&Actor::System, &first), Ok(JobProgress::HasMore));
    // The step is sent again by somebody who has not seen what came of it.
    assert_eq!(fixture.give(&Actor::System, &first), Ok(JobProgress::HasMore));
    assert_eq!(open(&fixture).len(), 3);
    fixture.work_on_cancellation(3);
    assert_eq!(open(&fixture).len(), orders.len());
    assert_eq!(fixture.give(&Actor::System, &first), Ok(JobProgress::Done), "the job is gone");
}

#[test]
fn tickets_that_have_a_request_get_no_other() {
    let (mut fixture, set, orders) = sold();
    fixture.keep_percent(50);
    let kept = paid(&mut fixture, set);
    let [first, second] = fixture.lines(kept)[..] else { panic!("two tickets") };
    let asked = fixture.ask(kept, Culprit::Customer, &[first]).unwrap().id;
    fixture.ask_for_all(orders[0], Culprit::Organizer);
    let begun = fixture.ask_for_all(orders[1], Culprit::Customer);
    fixture.decide_on(begun, RefundTransition::InProgress).unwrap();
    let rejected = fixture.ask_for_all(orders[2], Culprit::Customer);
    fixture.decide_on(rejected, RefundTransition::Rejected).unwrap();
    assert_eq!(fixture.request(asked).amounts().total().minor(), 500);
    fixture.switch(EventStatus::Canceled);
    fixture.work_on_cancellation(49);
    let expected = [
        (orders[0], Culprit::Organizer, 2, 2000),
        (orders[2], Culprit::Organizer, 2, 2000),
        (orders[3], Culprit::Organizer, 2, 2000),
        (orders[4], Culprit::Organizer, 2, 2000),
        // What the customer had asked for is the organizer's doing by now, and the other ticket, too.
        (kept, Culprit::Organizer, 1, 1000),
        (kept, Culprit::Organizer, 1, 1000),
    ];
    assert_eq!(open(&fixture), expected);
    assert_eq!(fixture.ticket(first).refund(), Some(asked));
    assert_ne!(fixture.ticket(second).refund(), Some(asked));
    assert_eq!(fixture.request(begun).culprit, Culprit::Customer, "a payment that has begun goes on as it was");
    fixture.decide_on(begun, RefundTransition::Approved).unwrap();
}

#[test]
fn no_order_is_paid_once_the_event_is_canceled_so_that_none_is_missed() {
    let (mut fixture, set, orders) = sold();
    let late = fixture.order(set, 1);
    let lapsed = fixture.order_in(OrderStatusKind::Expired, set);
    fixture.switch(EventStatus::Canceled);
    let step = fixture.cancellation_step(49).unwrap();
    for order in [late, lapsed] {
        assert_eq!(fixture.edit(order, steps(OrderTransition::Paid)).unwrap_err(), Refusal::EventOver);
    }
    assert_eq!(fixture.edit(late, steps(OrderTransition::AwaitingPayment)).unwrap_err(), Refusal::EventOver);
    fixture.give(&Actor::System, &step).unwrap();
    fixture.work_on_cancellation(49);
    assert_eq!(open(&fixture).len(), orders.len());
}

#[test]
fn an_event_without_sales_needs_no_job() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    fixture.order_in(OrderStatusKind::Reserved, set);
    fixture.switch(EventStatus::Canceled);
    assert_eq!(fixture.view.jobs.rows().count(), 0);
}

#[test]
fn an_event_is_canceled_once() {
    let (mut fixture, _, _) = sold();
    fixture.switch(EventStatus::Canceled);
    fixture.switch(EventStatus::Canceled);
    assert_eq!(fixture.view.jobs.rows().count(), 1);
}
