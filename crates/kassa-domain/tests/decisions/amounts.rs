//! How many tickets a set has, and which are held back.

use kassa_domain::job::JobProgress;
use kassa_domain::order::OrderStatusKind;
use kassa_domain::refusal::{Shortfall, ShortfallReason};
use kassa_domain::set::{CreateSet, SetId, UpdateSet};
use kassa_domain::ticket::{TicketId, TicketState};
use kassa_domain::{Actor, Command as _, Refusal};

use crate::fixture::{Fixture, random, tickets};

/// Runs the set's job to its end: the books after each step.
fn work(fixture: &mut Fixture, set: SetId) -> Vec<String> {
    let mut seen = Vec::new();
    while let Some(step) = fixture.next_step(set) {
        fixture.give(&Actor::System, &step).unwrap();
        seen.push(fixture.books(set));
        assert!(seen.len() < 10, "a job comes to its end: {seen:?}");
    }
    seen
}

#[test]
fn the_tickets_of_an_event_are_numbered_through() {
    let mut fixture = Fixture::new();
    let (first, second) = (fixture.set(2, 1000), fixture.set(1, 1000));
    fixture.resize(first, 3).unwrap();
    let numbers = |set| -> Vec<i64> { fixture.tickets(set).iter().map(|id| fixture.ticket(*id).number).collect() };
    assert_eq!((numbers(first), numbers(second)), (vec![1, 2, 4], vec![3]));
    for ticket in fixture.tickets(first) {
        assert_eq!(ticket.tag(), fixture.event.tag());
    }
}

#[test]
fn each_set_of_an_event_has_three_letters_of_its_own() {
    let mut fixture = Fixture::new();
    let first = fixture.set(0, 1000);
    fixture.repeat_dice();
    let second = fixture.set(0, 1000);
    let serials = [first, second].map(|set| fixture.row(set).serial.as_str());
    assert_ne!(serials[0], serials[1], "though the dice fell alike");
    for serial in serials {
        assert!(serial.len() == 3 && serial.bytes().all(|letter| letter.is_ascii_uppercase()), "{serial}");
    }
}

#[test]
fn the_amount_goes_up_and_down() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    for (amount, books) in [(5, "5 vacant"), (5, "5 vacant"), (2, "2 vacant"), (0, ""), (1, "1 vacant")] {
        let row = fixture.resize(set, amount).unwrap();
        assert_eq!((row.counts.amount, fixture.books(set).as_str()), (i64::from(amount), books));
        assert_eq!(row.job, None);
    }
}

#[test]
fn lowering_takes_vacant_tickets_only() {
    let mut fixture = Fixture::new();
    let set = fixture.set(6, 1000);
    fixture.order(set, 1);
    fixture.order_in(OrderStatusKind::Paid, set);
    let last = fixture.tickets(set)[5];
    fixture.block(set, &[last]).unwrap();
    assert_eq!(fixture.resize(set, 2).unwrap_err(), Refusal::AmountBelowSold);
    fixture.resize(set, 3).unwrap();
    assert_eq!(fixture.books(set), "1 held, 1 sold, 1 blocked");
}

#[test]
fn more_than_ten_thousand_tickets_are_made_step_by_step() {
    let mut fixture = Fixture::new();
    let set = fixture.set(20_001, 1000);
    assert_eq!(fixture.books(set), "10000 vacant, 10001 pending");
    assert_eq!(fixture.row(set).counts.amount, 20_001);
    assert_eq!(work(&mut fixture, set), ["20000 vacant, 1 pending", "20001 vacant"]);
    assert_eq!((fixture.row(set).job, fixture.view.jobs.rows().count()), (None, 0));
}

#[test]
fn more_than_ten_thousand_tickets_are_taken_away_step_by_step_and_not_sold_meanwhile() {
    let mut fixture = Fixture::new();
    let set = fixture.set(10_000, 1000);
    fixture.resize(set, 10_005).unwrap();
    assert_eq!(fixture.books(set), "10005 vacant");
    let kept = fixture.order(set, 1);
    fixture.resize(set, 3).unwrap();
    assert_eq!((fixture.books(set).as_str(), fixture.row(set).counts.amount), ("4 vacant, 1 held", 5));
    let outcome = fixture.try_order(random(&[(set, 3)])).unwrap();
    assert_eq!(
        outcome.shortfalls,
        [Shortfall::AnyOfSet { set, requested: 3, granted: 2, reason: ShortfallReason::Reserved }]
    );
    assert_eq!(work(&mut fixture, set), ["3 held"]);
    assert_eq!(fixture.lines(kept).len(), 1);
}

#[test]
fn what_is_about_to_be_taken_away_is_neither_sold_nor_blocked() {
    let mut fixture = Fixture::new();
    let set = fixture.set(4, 1000);
    let all = fixture.tickets(set);
    fixture.doom(set, 3);
    let details = fixture.try_order(tickets(&all[..2])).unwrap().shortfalls;
    let ticket = all[1];
    assert_eq!(details, [Shortfall::Ticket { ticket, reason: ShortfallReason::NotOnSale, reserved_till: None }]);
    assert_eq!(fixture.block(set, &all[2..3]).unwrap_err(), Refusal::SetBusy);
    assert_eq!(work(&mut fixture, set), ["1 held"]);
}

#[test]
fn tickets_that_are_still_to_be_made_can_be_given_up() {
    let mut fixture = Fixture::new();
    let set = fixture.set(2, 1000);
    fixture.promise(set, 5);
    assert_eq!(fixture.books(set), "2 vacant, 5 pending");
    fixture.resize(set, 2).unwrap();
    assert_eq!((fixture.books(set).as_str(), fixture.next_step(set).is_some()), ("2 vacant", false));
}

#[test]
fn a_job_that_its_set_does_not_name_any_more_goes_with_its_next_step() {
    let mut fixture = Fixture::new();
    let set = fixture.set(30_000, 1000);
    let step = fixture.next_step(set).unwrap();
    assert_eq!(fixture.resize(set, 10_000).unwrap().job, None, "what is made is enough");
    let again = fixture.resize(set, 25_000).unwrap();
    assert_ne!(again.job, Some(step.job), "a new job for the new number");
    assert_eq!(fixture.give(&Actor::System, &step).unwrap(), JobProgress::Done);
    assert!(fixture.view.jobs.get(step.job).is_none());
    assert_eq!(fixture.books(set), "20000 vacant, 5000 pending", "it did nothing of the other's work");
}

#[test]
fn one_node_at_a_time_works_on_a_job() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    fixture.promise(set, 20_000);
    let step = fixture.next_step(set).unwrap();
    assert_eq!(fixture.give(&Actor::System, &step), Ok(JobProgress::HasMore));
    fixture.node.number = 2;
    fixture.now = fixture.now.plus_ms(2_999);
    assert_eq!(fixture.give(&Actor::System, &step), Ok(JobProgress::LeasedElsewhere));
    assert_eq!(fixture.books(set), "10001 vacant, 10000 pending");
    fixture.now = fixture.now.plus_ms(1);
    assert_eq!(fixture.give(&Actor::System, &step), Ok(JobProgress::Done), "a node that stopped is followed");
    assert_eq!(fixture.give(&Actor::System, &step), Ok(JobProgress::Done), "there is nothing left to do");
    assert_eq!(fixture.books(set), "20001 vacant");
}

#[test]
fn blocked_tickets_are_the_full_desired_state() {
    let mut fixture = Fixture::new();
    let set = fixture.set(4, 1000);
    let all = fixture.tickets(set);
    for wanted in [&all[..2], &all[1..3], &[]] {
        fixture.block(set, wanted).unwrap();
        let blocked = |id: &TicketId| fixture.ticket(*id).state == TicketState::Blocked;
        let found: Vec<TicketId> = all.iter().copied().filter(blocked).collect();
        assert_eq!(found, wanted);
    }
}

#[test]
fn only_vacant_tickets_of_the_set_can_be_blocked() {
    let mut fixture = Fixture::new();
    let (set, other) = (fixture.set(3, 1000), fixture.set(1, 1000));
    let (all, foreign) = (fixture.tickets(set), fixture.tickets(other)[0]);
    fixture.try_order(tickets(&all[..1])).unwrap();
    let nothing = TicketId::root(7);
    let cases = [
        (vec![all[0]], Refusal::TicketNotVacant(all[0])),
        (vec![foreign], Refusal::TicketUnknown(foreign)),
        (vec![nothing], Refusal::TicketUnknown(nothing)),
        (vec![all[1], nothing, all[1]], Refusal::DuplicateTicket(all[1])),
    ];
    for (wanted, refusal) in cases {
        assert_eq!(fixture.block(set, &wanted).unwrap_err(), refusal);
    }
}

#[test]
fn an_event_has_a_limit_of_sets() {
    let mut fixture = Fixture::new();
    let row = fixture.set(0, 1000);
    let row = fixture.row(row).clone();
    fixture.arrange(|view| {
        for key in 1..500 {
            view.sets.put(kassa_domain::set::TicketSet { id: SetId::root(key), serial: String::new(), ..row.clone() });
        }
    });
    let command = CreateSet { amount: 1, ..CreateSet::empty(fixture.event) };
    assert_eq!(
        fixture.give(&fixture.organizer(), &command).unwrap_err(),
        Refusal::TooMany { what: "sets of one event", max: 500 }
    );
}

#[test]
fn a_resize_that_would_write_more_than_it_weighed_is_stale() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1_000, 100);
    let event = fixture.event;
    let change = |amount, observed_rows| UpdateSet {
        amount: Some(amount),
        observed_amount: 1_000,
        observed_rows,
        ..UpdateSet::unchanged(event, set)
    };
    let (shrink, large) = (change(10, 5), change(10, 990));
    assert_eq!((shrink.weight(), large.weight()), (8 + 5, 8 + 990));
    assert_eq!(large.rows_on(fixture.row(set)), 990);
    assert_eq!(change(1_000, 0).rows_on(fixture.row(set)), 0, "what stays as it is writes nothing");
    let org = fixture.organizer();
    assert_eq!(fixture.give(&org, &shrink).unwrap_err(), Refusal::Stale);
    assert_eq!(fixture.give(&org, &large).unwrap().counts.amount, 10);
}
