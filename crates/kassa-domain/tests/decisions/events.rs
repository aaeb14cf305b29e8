//! Events and their status.

use kassa_domain::event::{CreateEvent, EffectiveEventStatus, EventPatch, EventStatus};
use kassa_domain::event::{DEFAULT_HOLD_MINUTES, DEFAULT_TICKETS_LIMIT};
use kassa_domain::partner::PartnerId;
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::{Actor, Patch, Refusal, Window};

use crate::fixture::{END, Fixture, NOON};

const STAND_BY: EventStatus = EventStatus::StandBy;
const PUBLIC: EventStatus = EventStatus::Public;
const CANCELED: EventStatus = EventStatus::Canceled;

#[test]
fn a_canceled_event_stays_so_and_all_other_changes_of_status_are_free() {
    for from in [STAND_BY, PUBLIC, CANCELED] {
        for to in [Patch::Set(STAND_BY), Patch::Set(PUBLIC), Patch::Set(CANCELED), Patch::Clear, Patch::Keep] {
            let mut fixture = Fixture::new();
            fixture.switch(from);
            let result = fixture.change_event(|event| event.status = to.clone());
            let expected = match &to {
                Patch::Keep => from,
                Patch::Clear => STAND_BY,
                Patch::Set(status) => *status,
            };
            if from == CANCELED && expected != CANCELED {
                assert_eq!(result.unwrap_err(), Refusal::EventCanceled);
            } else {
                assert_eq!(result.unwrap().status, expected);
            }
        }
    }
}

#[test]
fn the_clock_finishes_an_event_and_only_public_ones_sell() {
    let cases = [
        (STAND_BY, EffectiveEventStatus::StandBy, EffectiveEventStatus::Finished, false),
        (PUBLIC, EffectiveEventStatus::Public, EffectiveEventStatus::Finished, true),
        (CANCELED, EffectiveEventStatus::Canceled, EffectiveEventStatus::Canceled, false),
    ];
    for (status, before, after, sells) in cases {
        let mut fixture = Fixture::new();
        fixture.switch(status);
        let event = fixture.view.events.get(fixture.event).unwrap();
        let last = END.plus_ms(-1);
        assert_eq!((event.effective_status(last), event.effective_status(END)), (before, after));
        assert_eq!((event.is_on_sale(last), event.is_on_sale(END)), (sells, false));
    }
}

#[test]
fn an_event_without_an_end_is_never_finished() {
    for lifetime in [None, Some(Window { start: NOON, finish: None })] {
        let mut fixture = Fixture::new();
        match lifetime {
            Some(lifetime) => drop(fixture.change_event(|event| event.lifetime = Patch::Set(lifetime)).unwrap()),
            None => fixture.forget_lifetime(),
        }
        let event = fixture.view.events.get(fixture.event).unwrap();
        assert!(event.is_on_sale(END.plus_minutes(1_000_000)));
    }
}

#[test]
fn a_public_event_says_when_it_takes_place() {
    let mut fixture = Fixture::new();
    let cleared = fixture.change_event(|event| event.lifetime = Patch::Clear);
    assert_eq!(cleared.unwrap_err(), Refusal::LifetimeRequired);
    fixture.switch(EventStatus::StandBy);
    fixture.change_event(|event| event.lifetime = Patch::Clear).unwrap();
    let public = fixture.change_event(|event| event.status = Patch::Set(EventStatus::Public));
    assert_eq!(public.unwrap_err(), Refusal::LifetimeRequired);
    let both = |event: &mut EventPatch| {
        event.status = Patch::Set(EventStatus::Public);
        event.lifetime = Patch::Set(Window { start: NOON, finish: None });
    };
    fixture.change_event(both).unwrap();
    // One that was public before this was asked of it can still be edited.
    fixture.forget_lifetime();
    fixture.change_event(|event| event.tickets_limit = Patch::Set(3)).unwrap();
}

#[test]
fn what_an_event_is_already_changes_nothing() {
    let mut fixture = Fixture::new();
    let before = fixture.view.events.get(fixture.event).unwrap().clone();
    fixture.pass_minutes(1);
    let same = fixture.change_event(|event| {
        event.status = Patch::Set(EventStatus::Public);
        event.lifetime = before.lifetime.into();
        event.removed = Patch::Set(false);
        event.venue = before.venue.map_or(Patch::Clear, Patch::Set);
    });
    assert_eq!(same.unwrap(), before);
    let early = fixture.change_event(|event| event.must_be_finished = true);
    assert_eq!(early.unwrap_err(), Refusal::EventNotFinished);
    fixture.now = END;
    assert_eq!(fixture.change_event(|event| event.must_be_finished = true).unwrap(), before);
}

#[test]
fn an_event_that_is_prolonged_after_its_end_sells_again() {
    let mut fixture = Fixture::new();
    fixture.now = END;
    let longer = Window { start: NOON, finish: Some(END.plus_minutes(1)) };
    let event = fixture.change_event(|event| event.lifetime = Patch::Set(longer)).unwrap();
    assert!(event.is_on_sale(END));
}

#[test]
fn a_removed_event_neither_sells_nor_is_public() {
    let mut fixture = Fixture::new();
    let event = fixture.change_event(|event| event.removed = Patch::Set(true)).unwrap();
    assert!(!event.is_on_sale(NOON) && !event.is_public());
}

#[test]
fn a_new_event_is_prepared_in_silence() {
    let mut fixture = Fixture::new();
    let command = CreateEvent { organizer: fixture.org, patch: EventPatch::default() };
    let event = fixture.give(&fixture.organizer(), &command).unwrap();
    assert_eq!((event.status, event.lifetime, event.removed), (STAND_BY, None, false));
    assert_eq!((event.tickets_limit, event.hold_minutes), (DEFAULT_TICKETS_LIMIT, DEFAULT_HOLD_MINUTES));
    assert_eq!((event.organizer, event.revision.number(), event.created_at), (fixture.org, 1, NOON));
}

#[test]
fn an_event_is_made_by_its_own_organizer() {
    let mut fixture = Fixture::new();
    let (org, other, nobody) = (fixture.org, fixture.partner(), PartnerId::root(7));
    let cases = [
        (Actor::Anonymous, org, Refusal::CredentialRequired),
        (Actor::Partner(other), org, Refusal::Forbidden(ForbiddenReason::OwnPartnerOnly)),
        (Actor::Partner(nobody), nobody, Refusal::NotFound("partner")),
    ];
    for (actor, org, refusal) in cases {
        let command = CreateEvent { organizer: org, patch: EventPatch::default() };
        assert_eq!(fixture.give(&actor, &command).unwrap_err(), refusal);
    }
}

#[test]
fn an_edit_counts_and_keeps_what_it_does_not_name() {
    let mut fixture = Fixture::new();
    fixture.change_event(|event| event.details.title = Patch::Set("Gala".into())).unwrap();
    fixture.pass_minutes(1);
    let before = fixture.view.events.get(fixture.event).unwrap().clone();
    let after = fixture.change_event(|event| event.details.age_rating = Patch::Set(18)).unwrap();
    assert_eq!((after.revision.number(), after.updated_at), (before.revision.number() + 1, fixture.now));
    assert_eq!((after.details.title.as_str(), after.details.age_rating), ("Gala", 18));
    assert_eq!((after.lifetime, after.status), (before.lifetime, before.status));
}
