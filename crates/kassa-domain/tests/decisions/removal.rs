//! Removal of sets and events, and who may change them.

use kassa_domain::event::{EventPatch, EventStatus, UpdateEvent};
use kassa_domain::job::JobProgress;
use kassa_domain::order::OrderStatusKind;
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::set::CreateSet;
use kassa_domain::{Actor, Patch, Refusal};

use crate::house::{House, remove_set};

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
        let mut house = House::new();
        let set = house.set(2, 1000);
        house.order_in(state, set);
        let remove = remove_set(house.event, set);
        let result = house.give(&house.organizer(), &remove).map(drop);
        assert_eq!(result, expected, "{state}");
        assert_eq!(house.row(set).removed, result.is_ok());
    }
}

#[test]
fn an_event_with_live_or_paid_orders_is_not_removed() {
    for (state, expected) in REMOVALS {
        let mut house = House::new();
        let set = house.set(2, 1000);
        house.order_in(state, set);
        let result = house.give(&house.organizer(), &UpdateEvent::remove(house.event)).map(drop);
        assert_eq!(result, expected, "{state}");
        assert_eq!(house.view.events.get(house.event).unwrap().removed, result.is_ok());
    }
}

#[test]
fn a_set_that_is_removed_again_stays_as_it_is() {
    let mut house = House::new();
    let set = house.set(1, 1000);
    let remove = remove_set(house.event, set);
    let first = house.give(&house.organizer(), &remove).unwrap();
    house.pass_minutes(1);
    assert_eq!(house.give(&house.organizer(), &remove).unwrap(), first);
}

#[test]
fn the_job_of_a_removed_set_stops_where_it_is() {
    let jobs: [fn(&mut House, _); 2] = [|house, set| house.promise(set, 9), |house, set| house.doom(set, 3)];
    for job in jobs {
        let mut house = House::new();
        let set = house.set(5, 1000);
        job(&mut house, set);
        let remove = remove_set(house.event, set);
        house.give(&house.organizer(), &remove).unwrap();
        let step = house.next_step(set).unwrap();
        assert_eq!(house.give(&Actor::System, &step), Ok(JobProgress::Done));
        assert_eq!((house.books(set).as_str(), house.row(set).counts.amount), ("5 vacant", 5));
    }
}

#[test]
fn a_removed_set_is_left_out_of_the_answer_to_a_change_of_the_event() {
    let mut house = House::new();
    let (first, second) = (house.set(1, 1000), house.set(1, 1000));
    house.change_set(first, |change| change.pos = Patch::Set(2)).unwrap();
    let change = UpdateEvent { event: house.event, patch: EventPatch::default() };
    let (_, sets) = house.give(&house.organizer(), &change).unwrap();
    assert_eq!(sets.iter().map(|set| set.id).collect::<Vec<_>>(), [second, first], "by position");
    let remove = remove_set(house.event, second);
    house.give(&house.organizer(), &remove).unwrap();
    let (_, sets) = house.give(&house.organizer(), &change).unwrap();
    assert_eq!(sets.iter().map(|set| set.id).collect::<Vec<_>>(), [first]);
}

#[test]
fn only_the_organizer_changes_an_event_and_its_sets() {
    for (status, stranger) in [
        (EventStatus::Public, Refusal::Forbidden(ForbiddenReason::OrganizerOnly)),
        (EventStatus::StandBy, Refusal::NotFound("event")),
        (EventStatus::Canceled, Refusal::NotFound("event")),
    ] {
        let mut house = House::new();
        let (set, other, event) = (house.set(1, 1000), house.partner(), house.event);
        house.switch(status);
        let cases = [(Actor::Anonymous, Refusal::CredentialRequired), (Actor::Partner(other), stranger)];
        for (actor, refusal) in cases {
            let change = UpdateEvent { event, patch: EventPatch::default() };
            assert_eq!(house.give(&actor, &change).map(drop), Err(refusal.clone()));
            assert_eq!(house.give(&actor, &CreateSet::empty(event)).map(drop), Err(refusal.clone()));
            assert_eq!(house.give(&actor, &remove_set(event, set)).map(drop), Err(refusal));
        }
    }
}

#[test]
fn a_set_is_found_under_its_own_event_only() {
    let mut house = House::new();
    let (set, org) = (house.set(1, 1000), house.org);
    let event = house.event_of(org).id;
    let refusal = house.give(&house.organizer(), &remove_set(event, set)).unwrap_err();
    assert_eq!(refusal, Refusal::NotFound("set"));
    let nowhere = CreateSet { amount: 1, ..CreateSet::empty(kassa_domain::event::EventId::root(7)) };
    assert_eq!(house.give(&house.organizer(), &nowhere).unwrap_err(), Refusal::NotFound("event"));
}
