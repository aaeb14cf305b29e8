//! Removal of sets and events, and who may change them.

use kassa_domain::event::{EventPatch, EventStatus, UpdateEvent};
use kassa_domain::job::JobProgress;
use kassa_domain::order::OrderStatusKind;
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::set::CreateSet;
use kassa_domain::{Actor, Patch, Refusal};

use crate::fixture::{Fixture, remove_set};

const REMOVALS: [(OrderStatusKind, Result<(), Refusal>); 6] = [
    (OrderStatusKind::Reserved, Err(Refusal::HasOrders)),
    (OrderStatusKind::AwaitingPayment, Err(Refusal::HasOrders)),
    (OrderStatusKind::Paid, Err(Refusal::HasOrders)),
    (OrderStatusKind::Canceled, Ok(())),
    (OrderStatusKind::Expired, Ok(())),
    (OrderStatusKind::Refunded, Ok(())),
];

#[test]
fn a_set_with_live_or_paid_orders_is_not_removed() {
    for (state, expected) in REMOVALS {
        let mut fixture = Fixture::new();
        let set = fixture.set(2, 1000);
        fixture.order_in(state, set);
        let remove = remove_set(fixture.event, set);
        let result = fixture.give(&fixture.organizer(), &remove).map(drop);
        assert_eq!(result, expected, "{state}");
        assert_eq!(fixture.row(set).removed, result.is_ok());
    }
}

#[test]
fn an_event_with_live_or_paid_orders_is_not_removed() {
    for (state, expected) in REMOVALS {
        let mut fixture = Fixture::new();
        let set = fixture.set(2, 1000);
        fixture.order_in(state, set);
        let result = fixture.give(&fixture.organizer(), &UpdateEvent::remove(fixture.event)).map(drop);
        assert_eq!(result, expected, "{state}");
        assert_eq!(fixture.view.events.get(fixture.event).unwrap().removed, result.is_ok());
    }
}

#[test]
fn a_set_that_is_removed_again_stays_as_it_is() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let remove = remove_set(fixture.event, set);
    let first = fixture.give(&fixture.organizer(), &remove).unwrap();
    fixture.pass_minutes(1);
    assert_eq!(fixture.give(&fixture.organizer(), &remove).unwrap(), first);
}

#[test]
fn the_job_of_a_removed_set_stops_where_it_is() {
    let jobs: [fn(&mut Fixture, _); 2] = [|fixture, set| fixture.promise(set, 9), |fixture, set| fixture.doom(set, 3)];
    for job in jobs {
        let mut fixture = Fixture::new();
        let set = fixture.set(5, 1000);
        job(&mut fixture, set);
        let remove = remove_set(fixture.event, set);
        fixture.give(&fixture.organizer(), &remove).unwrap();
        let step = fixture.next_step(set).unwrap();
        assert_eq!(fixture.give(&Actor::System, &step), Ok(JobProgress::Done));
        assert_eq!((fixture.books(set).as_str(), fixture.row(set).counts.amount), ("5 vacant", 5));
    }
}

#[test]
fn a_removed_set_is_left_out_of_the_answer_to_a_change_of_the_event() {
    let mut fixture = Fixture::new();
    let (first, second) = (fixture.set(1, 1000), fixture.set(1, 1000));
    fixture.change_set(first, |change| change.pos = Patch::Set(2)).unwrap();
    let change = UpdateEvent { event: fixture.event, patch: EventPatch::default() };
    let (_, sets) = fixture.give(&fixture.organizer(), &change).unwrap();
    assert_eq!(sets.iter().map(|set| set.id).collect::<Vec<_>>(), [second, first], "by position");
    let remove = remove_set(fixture.event, second);
    fixture.give(&fixture.organizer(), &remove).unwrap();
    let (_, sets) = fixture.give(&fixture.organizer(), &change).unwrap();
    assert_eq!(sets.iter().map(|set| set.id).collect::<Vec<_>>(), [first]);
}

#[test]
fn only_the_organizer_changes_an_event_and_its_sets() {
    for (status, stranger) in [
        (EventStatus::Public, Refusal::Forbidden(ForbiddenReason::OrganizerOnly)),
        (EventStatus::StandBy, Refusal::NotFound("event")),
        (EventStatus::Canceled, Refusal::NotFound("event")),
    ] {
        let mut fixture = Fixture::new();
        let (set, other, event) = (fixture.set(1, 1000), fixture.partner(), fixture.event);
        fixture.switch(status);
        let cases = [(Actor::Anonymous, Refusal::CredentialRequired), (Actor::Partner(other), stranger)];
        for (actor, refusal) in cases {
            let change = UpdateEvent { event, patch: EventPatch::default() };
            assert_eq!(fixture.give(&actor, &change).map(drop), Err(refusal.clone()));
            assert_eq!(fixture.give(&actor, &CreateSet::empty(event)).map(drop), Err(refusal.clone()));
            assert_eq!(fixture.give(&actor, &remove_set(event, set)).map(drop), Err(refusal));
        }
    }
}

#[test]
fn a_set_is_found_under_its_own_event_only() {
    let mut fixture = Fixture::new();
    let (set, org) = (fixture.set(1, 1000), fixture.org);
    let event = fixture.event_of(org).id;
    let refusal = fixture.give(&fixture.organizer(), &remove_set(event, set)).unwrap_err();
    assert_eq!(refusal, Refusal::NotFound("set"));
    let nowhere = CreateSet { amount: 1, ..CreateSet::empty(kassa_domain::event::EventId::root(7)) };
    assert_eq!(fixture.give(&fixture.organizer(), &nowhere).unwrap_err(), Refusal::NotFound("event"));
}
