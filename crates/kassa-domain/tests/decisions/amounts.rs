//! How many tickets a set has, and which are held back.

use kassa_domain::job::JobProgress;
use kassa_domain::order::OrderStatusKind;
use kassa_domain::refusal::{Shortfall, ShortfallReason};
use kassa_domain::set::{CreateSet, SetId};
use kassa_domain::ticket::{TicketId, TicketState};
use kassa_domain::{Actor, Refusal};

use crate::house::{House, random, tickets};

/// Runs the set's job to its end: the books after each step.
fn work(house: &mut House, set: SetId) -> Vec<String> {
    let mut seen = Vec::new();
    while let Some(step) = house.next_step(set) {
        house.give(&Actor::System, &step).unwrap();
        seen.push(house.books(set));
        assert!(seen.len() < 10, "a job comes to its end: {seen:?}");
    }
    seen
}

#[test]
fn the_tickets_of_an_event_are_numbered_through() {
    let mut house = House::new();
    let (first, second) = (house.set(2, 1000), house.set(1, 1000));
    house.resize(first, 3).unwrap();
    let numbers = |set| -> Vec<i64> { house.tickets(set).iter().map(|id| house.ticket(*id).number).collect() };
    assert_eq!((numbers(first), numbers(second)), (vec![1, 2, 4], vec![3]));
    for ticket in house.tickets(first) {
        assert_eq!(ticket.tag(), house.event.tag());
    }
}

#[test]
fn each_set_of_an_event_has_three_letters_of_its_own() {
    let mut house = House::new();
    let first = house.set(0, 1000);
    house.repeat_dice();
    let second = house.set(0, 1000);
    let serials = [first, second].map(|set| house.row(set).serial.as_str());
    assert_ne!(serials[0], serials[1], "though the dice fell alike");
    for serial in serials {
        assert!(serial.len() == 3 && serial.bytes().all(|letter| letter.is_ascii_uppercase()), "{serial}");
    }
}

#[test]
fn the_amount_goes_up_and_down() {
    let mut house = House::new();
    let set = house.set(3, 1000);
    for (amount, books) in [(5, "5 vacant"), (5, "5 vacant"), (2, "2 vacant"), (0, ""), (1, "1 vacant")] {
        let row = house.resize(set, amount).unwrap();
        assert_eq!((row.counts.amount, house.books(set).as_str()), (i64::from(amount), books));
        assert_eq!(row.job, None);
    }
}

#[test]
fn lowering_takes_vacant_tickets_only() {
    let mut house = House::new();
    let set = house.set(6, 1000);
    house.order(set, 1);
    house.order_in(OrderStatusKind::Paid, set);
    let last = house.tickets(set)[5];
    house.block(set, &[last]).unwrap();
    assert_eq!(house.resize(set, 2).unwrap_err(), Refusal::AmountBelowSold);
    house.resize(set, 3).unwrap();
    assert_eq!(house.books(set), "1 held, 1 sold, 1 blocked");
}

#[test]
fn more_than_ten_thousand_tickets_are_made_step_by_step() {
    let mut house = House::new();
    let set = house.set(20_001, 1000);
    assert_eq!(house.books(set), "10000 vacant, 10001 pending");
    assert_eq!(house.row(set).counts.amount, 20_001);
    assert_eq!(work(&mut house, set), ["20000 vacant, 1 pending", "20001 vacant"]);
    assert_eq!((house.row(set).job, house.view.jobs.rows().count()), (None, 0));
}

#[test]
fn more_than_ten_thousand_tickets_are_taken_away_step_by_step_and_not_sold_meanwhile() {
    let mut house = House::new();
    let set = house.set(10_000, 1000);
    house.resize(set, 10_005).unwrap();
    assert_eq!(house.books(set), "10005 vacant");
    let kept = house.order(set, 1);
    house.resize(set, 3).unwrap();
    assert_eq!((house.books(set).as_str(), house.row(set).counts.amount), ("4 vacant, 1 held", 5));
    let outcome = house.try_order(random(&[(set, 3)])).unwrap();
    assert_eq!(
        outcome.shortfalls,
        [Shortfall::AnyOfSet { set, requested: 3, granted: 2, reason: ShortfallReason::Reserved }]
    );
    assert_eq!(work(&mut house, set), ["3 held"]);
    assert_eq!(house.lines(kept).len(), 1);
}

#[test]
fn what_is_about_to_be_taken_away_is_neither_sold_nor_blocked() {
    let mut house = House::new();
    let set = house.set(4, 1000);
    let all = house.tickets(set);
    house.doom(set, 3);
    let details = house.try_order(tickets(&all[..2])).unwrap().shortfalls;
    let ticket = all[1];
    assert_eq!(details, [Shortfall::Ticket { ticket, reason: ShortfallReason::NotOnSale, reserved_till: None }]);
    assert_eq!(house.block(set, &all[2..3]).unwrap_err(), Refusal::SetBusy);
    assert_eq!(work(&mut house, set), ["1 held"]);
}

#[test]
fn tickets_that_are_still_to_be_made_can_be_given_up() {
    let mut house = House::new();
    let set = house.set(2, 1000);
    house.promise(set, 5);
    assert_eq!(house.books(set), "2 vacant, 5 pending");
    house.resize(set, 2).unwrap();
    assert_eq!((house.books(set).as_str(), house.next_step(set).is_some()), ("2 vacant", false));
}

#[test]
fn a_job_that_its_set_does_not_name_any_more_goes_with_its_next_step() {
    let mut house = House::new();
    let set = house.set(30_000, 1000);
    let step = house.next_step(set).unwrap();
    assert_eq!(house.resize(set, 10_000).unwrap().job, None, "what is made is enough");
    let again = house.resize(set, 25_000).unwrap();
    assert_ne!(again.job, Some(step.job), "a new job for the new number");
    assert_eq!(house.give(&Actor::System, &step).unwrap(), JobProgress::Done);
    assert!(house.view.jobs.get(step.job).is_none());
    assert_eq!(house.books(set), "20000 vacant, 5000 pending", "it did nothing of the other's work");
}

#[test]
fn one_node_at_a_time_works_on_a_job() {
    let mut house = House::new();
    let set = house.set(1, 1000);
    house.promise(set, 20_000);
    let step = house.next_step(set).unwrap();
    assert_eq!(house.give(&Actor::System, &step), Ok(JobProgress::HasMore));
    house.node.number = 2;
    house.now = house.now.plus_ms(2_999);
    assert_eq!(house.give(&Actor::System, &step), Ok(JobProgress::LeasedElsewhere));
    assert_eq!(house.books(set), "10001 vacant, 10000 pending");
    house.now = house.now.plus_ms(1);
    assert_eq!(house.give(&Actor::System, &step), Ok(JobProgress::Done), "a node that stopped is followed");
    assert_eq!(house.give(&Actor::System, &step), Ok(JobProgress::Done), "there is nothing left to do");
    assert_eq!(house.books(set), "20001 vacant");
}

#[test]
fn blocked_tickets_are_the_full_desired_state() {
    let mut house = House::new();
    let set = house.set(4, 1000);
    let all = house.tickets(set);
    for wanted in [&all[..2], &all[1..3], &[]] {
        house.block(set, wanted).unwrap();
        let blocked = |id: &TicketId| house.ticket(*id).state == TicketState::Blocked;
        let found: Vec<TicketId> = all.iter().copied().filter(blocked).collect();
        assert_eq!(found, wanted);
    }
}

#[test]
fn only_vacant_tickets_of_the_set_can_be_blocked() {
    let mut house = House::new();
    let (set, other) = (house.set(3, 1000), house.set(1, 1000));
    let (all, foreign) = (house.tickets(set), house.tickets(other)[0]);
    house.try_order(tickets(&all[..1])).unwrap();
    let nothing = TicketId::root(7);
    let cases = [
        (vec![all[0]], Refusal::TicketNotVacant(all[0])),
        (vec![foreign], Refusal::TicketUnknown(foreign)),
        (vec![nothing], Refusal::TicketUnknown(nothing)),
        (vec![all[1], nothing, all[1]], Refusal::DuplicateTicket(all[1])),
    ];
    for (wanted, refusal) in cases {
        assert_eq!(house.block(set, &wanted).unwrap_err(), refusal);
    }
}

#[test]
fn an_event_has_a_limit_of_sets() {
    let mut house = House::new();
    let row = house.set(0, 1000);
    let row = house.row(row).clone();
    house.arrange(|view| {
        for key in 1..500 {
            view.sets.put(kassa_domain::set::TicketSet { id: SetId::root(key), serial: String::new(), ..row.clone() });
        }
    });
    let command = CreateSet { amount: 1, ..CreateSet::empty(house.event) };
    assert_eq!(
        house.give(&house.organizer(), &command).unwrap_err(),
        Refusal::TooMany { what: "sets of one event", max: 500 }
    );
}
