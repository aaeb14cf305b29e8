//! Promocodes as their organizer makes and changes them; what orders do with them is in `discounts.rs`.

use kassa_domain::event::EventStatus;
use kassa_domain::promocode::{CreatePromocode, LifetimePatch, Promocode, PromocodeId, UpdatePromocode};
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::set::SetId;
use kassa_domain::{Actor, Patch, Refusal, Timestamp, Window};

use crate::house::{House, NOON, codes, new_promocode, random, remove_set};

fn make(house: &mut House, change: impl FnOnce(&mut CreatePromocode)) -> Result<Promocode, Refusal> {
    let mut command = new_promocode(house.event, "SPRING");
    change(&mut command);
    house.give(&house.organizer(), &command)
}

fn update(
    house: &mut House,
    promocode: PromocodeId,
    change: impl FnOnce(&mut UpdatePromocode),
) -> Result<Promocode, Refusal> {
    let mut command = UpdatePromocode::unchanged(house.event, promocode);
    change(&mut command);
    house.give(&house.organizer(), &command)
}

fn between(start: Option<Timestamp>, finish: Option<Timestamp>) -> LifetimePatch {
    LifetimePatch { start: start.into(), finish: finish.into() }
}

#[test]
fn a_code_is_unique_in_its_event_without_case() {
    let mut house = House::new();
    make(&mut house, |_| ()).unwrap();
    for same in ["SPRING", "spring", " Spring "] {
        assert_eq!(make(&mut house, |new| new.code = same.parse().unwrap()).unwrap_err(), Refusal::PromocodeTaken);
    }
    make(&mut house, |new| new.code = "SPRING 2".parse().unwrap()).unwrap();
    let elsewhere = house.event_of(house.org).id;
    make(&mut house, |new| new.event = elsewhere).unwrap();
}

#[test]
fn a_promocode_is_for_sets_of_its_event_that_are_there() {
    let mut house = House::new();
    let (one, other, removed) = (house.set(1, 1000), house.set(1, 1000), house.set(1, 1000));
    let elsewhere = house.event_of(house.org).id;
    let foreign = house.set_of(elsewhere, 1, 1000);
    let command = remove_set(house.event, removed);
    house.give(&house.organizer(), &command).unwrap();
    for unknown in [foreign, removed, SetId::with_tag(house.event.tag(), 1)] {
        let refusal = make(&mut house, |new| new.sets = vec![one, unknown]).unwrap_err();
        assert_eq!(refusal, Refusal::SetUnknown(unknown));
    }
    let made = make(&mut house, |new| new.sets = vec![other, one, other]).unwrap();
    assert_eq!(made.sets, [other, one]);
}

#[test]
fn only_the_organizer_makes_and_changes_promocodes() {
    let mut house = House::new();
    let promocode = make(&mut house, |_| ()).unwrap().id;
    let stranger = Actor::Partner(house.partner());
    let create = new_promocode(house.event, "OTHER");
    let change = UpdatePromocode { name: Patch::Clear, ..UpdatePromocode::unchanged(house.event, promocode) };
    let cases = [
        (EventStatus::Public, Actor::Anonymous, Refusal::CredentialRequired),
        (EventStatus::Public, stranger.clone(), Refusal::Forbidden(ForbiddenReason::OrganizerOnly)),
        (EventStatus::StandBy, stranger, Refusal::NotFound("event")),
    ];
    for (status, actor, refusal) in cases {
        house.switch(status);
        assert_eq!(house.give(&actor, &create).unwrap_err(), refusal.clone());
        // Who may not read it does not learn of it.
        let hidden = if actor == Actor::Anonymous { refusal } else { Refusal::NotFound("promocode") };
        assert_eq!(house.give(&actor, &change).unwrap_err(), hidden);
    }
}

#[test]
fn a_promocode_is_of_its_event() {
    let mut house = House::new();
    let promocode = make(&mut house, |_| ()).unwrap().id;
    let elsewhere = house.event_of(house.org).id;
    let refusal = update(&mut house, promocode, |change| change.event = elsewhere).unwrap_err();
    assert_eq!(refusal, Refusal::NotFound("promocode"));
}

#[test]
fn a_change_touches_what_it_names() {
    let mut house = House::new();
    let made = make(&mut house, |new| (new.name, new.uses_limit) = (Some("Spring".to_owned()), Some(3))).unwrap();
    house.pass_minutes(1);
    let renamed = update(&mut house, made.id, |change| change.desc = Patch::Set("poster".to_owned())).unwrap();
    let expected = Promocode { desc: Some("poster".to_owned()), updated_at: house.now, revision: 2, ..made.clone() };
    assert_eq!(renamed, expected);
    let cleared = update(&mut house, made.id, |change| (change.name, change.uses_limit) = (Patch::Clear, Patch::Clear));
    let cleared = cleared.unwrap();
    assert_eq!((cleared.name, cleared.uses.limit), (None, None));
}

#[test]
fn an_amount_covers_the_uses_there_are() {
    let mut house = House::new();
    let set = house.set(3, 1000);
    let promocode = house.promocode("SPRING", |_| ());
    for _ in 0..2 {
        let order = house.order(set, 1);
        house.edit(order, codes(&["SPRING"])).unwrap();
    }
    let amount = |house: &mut House, amount| update(house, promocode, |change| change.uses_limit = Patch::Set(amount));
    assert_eq!(amount(&mut house, 1).unwrap_err(), Refusal::AmountBelowUses);
    let made = amount(&mut house, 2).unwrap();
    assert!(!made.uses.has_remaining());
    let order = house.order(set, 1);
    let used_up = Refusal::PromocodeUsedUp("SPRING".parse().unwrap());
    assert_eq!(house.edit(order, codes(&["SPRING"])).unwrap_err(), used_up);
    amount(&mut house, 3).unwrap();
    house.edit(order, codes(&["SPRING"])).unwrap();
}

#[test]
fn sales_are_no_edits() {
    let mut house = House::new();
    let set = house.set(1, 1000);
    let made = make(&mut house, |_| ()).unwrap();
    house.pass_minutes(1);
    house
        .try_order(kassa_domain::order::OrderEdit { selection: random(&[(set, 1)]).selection, ..codes(&["SPRING"]) })
        .unwrap();
    let row = house.view.promocodes.get(made.id).unwrap();
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
        let mut house = House::new();
        let made = make(&mut house, |new| new.lifetime = lifetime.clone()).unwrap();
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
        let mut house = House::new();
        let made = make(&mut house, |new| new.lifetime = between(Some(hour(2)), Some(hour(4)))).unwrap();
        house.pass_minutes(10);
        let changed = update(&mut house, made.id, |change| change.lifetime = lifetime.clone()).unwrap();
        assert_eq!(changed.lifetime, expected, "{lifetime:?}");
    }
}
