//! Promocodes as their organizer makes and changes them; what orders do with them is in `discounts.rs`.

use kassa_domain::event::EventStatus;
use kassa_domain::promocode::{CreatePromocode, LifetimePatch, Promocode, PromocodeId, UpdatePromocode};
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::set::SetId;
use kassa_domain::{Actor, Patch, Refusal, Timestamp, Window};

use crate::fixture::{Fixture, NOON, codes, new_promocode, random, remove_set};

fn make(fixture: &mut Fixture, change: impl FnOnce(&mut CreatePromocode)) -> Result<Promocode, Refusal> {
    let mut command = new_promocode(fixture.event, "SPRING");
    change(&mut command);
    fixture.give(&fixture.organizer(), &command)
}

fn update(
    fixture: &mut Fixture,
    promocode: PromocodeId,
    change: impl FnOnce(&mut UpdatePromocode),
) -> Result<Promocode, Refusal> {
    let mut command = UpdatePromocode::unchanged(fixture.event, promocode);
    change(&mut command);
    fixture.give(&fixture.organizer(), &command)
}

fn between(start: Option<Timestamp>, finish: Option<Timestamp>) -> LifetimePatch {
    LifetimePatch { start: start.into(), finish: finish.into() }
}

#[test]
fn a_code_is_unique_in_its_event_without_case() {
    let mut fixture = Fixture::new();
    make(&mut fixture, |_| ()).unwrap();
    for same in ["SPRING", "spring", " Spring "] {
        assert_eq!(make(&mut fixture, |new| new.code = same.parse().unwrap()).unwrap_err(), Refusal::PromocodeTaken);
    }
    make(&mut fixture, |new| new.code = "SPRING 2".parse().unwrap()).unwrap();
    let elsewhere = fixture.event_of(fixture.org).id;
    make(&mut fixture, |new| new.event = elsewhere).unwrap();
}

#[test]
fn a_promocode_is_for_sets_of_its_event_that_are_there() {
    let mut fixture = Fixture::new();
    let (one, other, removed) = (fixture.set(1, 1000), fixture.set(1, 1000), fixture.set(1, 1000));
    let elsewhere = fixture.event_of(fixture.org).id;
    let foreign = fixture.set_of(elsewhere, 1, 1000);
    let command = remove_set(fixture.event, removed);
    fixture.give(&fixture.organizer(), &command).unwrap();
    for unknown in [foreign, removed, SetId::with_tag(fixture.event.tag(), 1)] {
        let refusal = make(&mut fixture, |new| new.sets = vec![one, unknown]).unwrap_err();
        assert_eq!(refusal, Refusal::SetUnknown(unknown));
    }
    let made = make(&mut fixture, |new| new.sets = vec![other, one, other]).unwrap();
    assert_eq!(made.sets, [other, one]);
}

#[test]
fn only_the_organizer_makes_and_changes_promocodes() {
    let mut fixture = Fixture::new();
    let promocode = make(&mut fixture, |_| ()).unwrap().id;
    let stranger = Actor::Partner(fixture.partner());
    let create = new_promocode(fixture.event, "OTHER");
    let change = UpdatePromocode { name: Patch::Clear, ..UpdatePromocode::unchanged(fixture.event, promocode) };
    let cases = [
        (EventStatus::Public, Actor::Anonymous, Refusal::CredentialRequired),
        (EventStatus::Public, stranger.clone(), Refusal::Forbidden(ForbiddenReason::OrganizerOnly)),
        (EventStatus::StandBy, stranger, Refusal::NotFound("event")),
    ];
    for (status, actor, refusal) in cases {
        fixture.switch(status);
        assert_eq!(fixture.give(&actor, &create).unwrap_err(), refusal.clone());
        // Who may not read it does not learn of it.
        let hidden = if actor == Actor::Anonymous { refusal } else { Refusal::NotFound("promocode") };
        assert_eq!(fixture.give(&actor, &change).unwrap_err(), hidden);
    }
}

#[test]
fn a_promocode_is_of_its_event() {
    let mut fixture = Fixture::new();
    let promocode = make(&mut fixture, |_| ()).unwrap().id;
    let elsewhere = fixture.event_of(fixture.org).id;
    let refusal = update(&mut fixture, promocode, |change| change.event = elsewhere).unwrap_err();
    assert_eq!(refusal, Refusal::NotFound("promocode"));
}

#[test]
fn a_change_touches_what_it_names() {
    let mut fixture = Fixture::new();
    let made = make(&mut fixture, |new| (new.name, new.uses_limit) = (Some("Spring".to_owned()), Some(3))).unwrap();
    fixture.pass_minutes(1);
    let renamed = update(&mut fixture, made.id, |change| change.desc = Patch::Set("poster".to_owned())).unwrap();
    let (desc, revision) = (Some("poster".to_owned()), renamed.revision);
    let expected = Promocode { desc, updated_at: fixture.now, revision, ..made.clone() };
    assert_eq!((renamed.revision.number(), renamed), (2, expected));
    let cleared =
        update(&mut fixture, made.id, |change| (change.name, change.uses_limit) = (Patch::Clear, Patch::Clear));
    let cleared = cleared.unwrap();
    assert_eq!((cleared.name, cleared.uses.limit), (None, None));
}

#[test]
fn an_amount_covers_the_uses_there_are() {
    let mut fixture = Fixture::new();
    let set = fixture.set(3, 1000);
    let promocode = fixture.promocode("SPRING", |_| ());
    for _ in 0..2 {
        let order = fixture.order(set, 1);
        fixture.edit(order, codes(&["SPRING"])).unwrap();
    }
    let amount =
        |fixture: &mut Fixture, amount| update(fixture, promocode, |change| change.uses_limit = Patch::Set(amount));
    assert_eq!(amount(&mut fixture, 1).unwrap_err(), Refusal::AmountBelowUses);
    let made = amount(&mut fixture, 2).unwrap();
    assert!(!made.uses.has_remaining());
    let order = fixture.order(set, 1);
    let used_up = Refusal::PromocodeUsedUp("SPRING".parse().unwrap());
    assert_eq!(fixture.edit(order, codes(&["SPRING"])).unwrap_err(), used_up);
    amount(&mut fixture, 3).unwrap();
    fixture.edit(order, codes(&["SPRING"])).unwrap();
}

#[test]
fn sales_are_no_edits() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let made = make(&mut fixture, |_| ()).unwrap();
    fixture.pass_minutes(1);
    fixture
        .try_order(kassa_domain::order::OrderEdit { selection: random(&[(set, 1)]).selection, ..codes(&["SPRING"]) })
        .unwrap();
    let row = fixture.view.promocodes.get(made.id).unwrap();
    assert_eq!((row.uses.reserved, row.revision, row.updated_at), (1, made.revision, made.updated_at));
}

#[test]
fn lifetimes_are_made_of_what_is_said_of_them() {
    let (noon, later) = (NOON, NOON.plus_minutes(60));
    let window = |start, finish| Some(Window { start, finish });
    let cases = [
        (between(None, None), None),
        (between(Some(later), None), window(later, None)),
        (between(None, Some(later)), window(noon, Some(later))),
        (between(Some(noon.plus_ms(1_999)), Some(later.plus_ms(999))), window(noon.plus_ms(1_000), Some(later))),
    ];
    for (lifetime, expected) in cases {
        let mut fixture = Fixture::new();
        let made = make(&mut fixture, |new| new.lifetime = lifetime.clone()).unwrap();
        assert_eq!(made.lifetime, expected, "{lifetime:?}");
    }
}

#[test]
fn a_lifetime_changes_side_by_side() {
    let (noon, hour) = (NOON, |hours: u32| NOON.plus_minutes(60 * hours));
    let window = |start, finish| Some(Window { start, finish });
    let to = |start: Patch<Timestamp>, finish: Patch<Timestamp>| Patch::Set(LifetimePatch { start, finish });
    let cases = [
        (to(Patch::Keep, Patch::Set(hour(9))), window(hour(2), Some(hour(9)))),
        (to(Patch::Set(hour(1)), Patch::Keep), window(hour(1), Some(hour(4)))),
        (to(Patch::Set(hour(1)), Patch::Clear), window(hour(1), None)),
        (to(Patch::Clear, Patch::Keep), window(noon, Some(hour(4)))),
        (to(Patch::Clear, Patch::Clear), None),
        (to(Patch::Keep, Patch::Keep), window(hour(2), Some(hour(4)))),
        // What ends before it starts is over before it begins.
        (to(Patch::Keep, Patch::Set(hour(1))), window(hour(2), Some(hour(2)))),
        (Patch::Keep, window(hour(2), Some(hour(4)))),
        (Patch::Clear, None),
    ];
    for (lifetime, expected) in cases {
        let mut fixture = Fixture::new();
        let made = make(&mut fixture, |new| new.lifetime = between(Some(hour(2)), Some(hour(4)))).unwrap();
        fixture.pass_minutes(10);
        let changed = update(&mut fixture, made.id, |change| change.lifetime = lifetime.clone()).unwrap();
        assert_eq!(changed.lifetime, expected, "{lifetime:?}");
    }
}
