//! Promotions as their organizer creates, changes and removes them. What orders do with them is in `promotion_levels.rs`,
//! `promotion_grants.rs` and `promotions_and_promocodes.rs`.

use kassa_domain::event::EventStatus;
use kassa_domain::promocode::LifetimePatch;
use kassa_domain::promotion::{
    CreatePromotion, DiscountKind, LevelMeasure, LevelsRefusal, PROMOTIONS_MAX, Promotion, PromotionId,
    RemovePromotion, RequestedLevel, RequestedLevelValue, UpdatePromotion,
};
use kassa_domain::refusal::ForbiddenReason;
use kassa_domain::set::SetId;
use kassa_domain::{Actor, Money, Patch, Percent, Refusal, Timestamp, Window};

use crate::fixture::{Fixture, NOON, levels, new_promotion, remove_set};

fn make(fixture: &mut Fixture, change: impl FnOnce(&mut CreatePromotion)) -> Result<Promotion, Refusal> {
    let mut command = new_promotion(fixture.event, &[(2, 10)]);
    change(&mut command);
    fixture.give(&fixture.organizer(), &command)
}

fn update(
    fixture: &mut Fixture,
    promotion: PromotionId,
    change: impl FnOnce(&mut UpdatePromotion),
) -> Result<Promotion, Refusal> {
    let mut command = UpdatePromotion::unchanged(fixture.event, promotion);
    change(&mut command);
    fixture.give(&fixture.organizer(), &command)
}

fn remove(fixture: &mut Fixture, promotion: PromotionId) -> Result<(), Refusal> {
    let command = RemovePromotion { event: fixture.event, promotion };
    fixture.give(&fixture.organizer(), &command)
}

fn between(start: Option<Timestamp>, finish: Option<Timestamp>) -> LifetimePatch {
    LifetimePatch { start: start.into(), finish: finish.into() }
}

fn hour(hours: u32) -> Timestamp {
    NOON.plus_minutes(60 * hours)
}

fn hours(start: u32, finish: u32) -> LifetimePatch {
    between(Some(hour(start)), Some(hour(finish)))
}

#[test]
fn at_most_one_promotion_runs_at_a_time_on_a_set() {
    // Beside one for the first set from two to four.
    let cases: [(LifetimePatch, &[usize], bool); 11] = [
        (hours(2, 4), &[0], false),
        (hours(2, 4), &[0, 1], false),
        (hours(2, 4), &[], false),
        (hours(2, 4), &[1], true),
        (hours(3, 9), &[0], false),
        (hours(0, 3), &[0], false),
        (between(None, None), &[0], false),
        (between(Some(hour(4)), None), &[0], true),
        (hours(0, 2), &[], true),
        (hours(1, 5), &[0], false),
        // What lasts for no time never runs.
        (hours(3, 3), &[0], true),
    ];
    for (lifetime, sets, fits) in cases {
        for by_change in [false, true] {
            let mut fixture = Fixture::new();
            let all = [fixture.set(1, 1000), fixture.set(1, 1000)];
            let sets: Vec<SetId> = sets.iter().map(|at| all[*at]).collect();
            make(&mut fixture, |new| (new.lifetime, new.sets) = (hours(2, 4), vec![all[0]])).unwrap();
            let made = if by_change {
                // What is not said of it begins when it was made: now.
                let other = make(&mut fixture, |new| new.lifetime = hours(20, 22)).unwrap().id;
                let said = |side: &Patch<Timestamp>| if side.is_given() { side.clone() } else { Patch::Clear };
                let lifetime = LifetimePatch { start: said(&lifetime.start), finish: said(&lifetime.finish) };
                update(&mut fixture, other, |change| (change.lifetime, change.sets) = (lifetime, Some(sets.clone())))
            } else {
                make(&mut fixture, |new| (new.lifetime, new.sets) = (lifetime.clone(), sets.clone()))
            };
            assert_eq!(made.err(), (!fits).then_some(Refusal::PromotionOverlap), "{lifetime:?} {sets:?}");
        }
    }
}

#[test]
fn a_removed_promotion_makes_room() {
    let mut fixture = Fixture::new();
    let first = make(&mut fixture, |_| ()).unwrap().id;
    assert_eq!(make(&mut fixture, |_| ()).unwrap_err(), Refusal::PromotionOverlap);
    remove(&mut fixture, first).unwrap();
    make(&mut fixture, |_| ()).unwrap();
}

#[test]
fn a_promotion_is_no_neighbour_of_itself() {
    let mut fixture = Fixture::new();
    let made = make(&mut fixture, |new| new.lifetime = hours(2, 4)).unwrap();
    let longer = update(&mut fixture, made.id, |change| change.lifetime.finish = Patch::Set(hour(5))).unwrap();
    assert_eq!(longer.lifetime, Window { start: hour(2), finish: Some(hour(5)) });
}

#[test]
fn promotions_of_other_events_do_not_matter() {
    let mut fixture = Fixture::new();
    make(&mut fixture, |_| ()).unwrap();
    let elsewhere = fixture.event_of(fixture.org).id;
    make(&mut fixture, |new| new.event = elsewhere).unwrap();
}

#[test]
fn levels_grow_and_their_values_are_of_the_kind() {
    use DiscountKind::{FixedAmount, Percentage};
    use LevelMeasure::{Count, Sum};
    let percent_only = |percent: i64| RequestedLevelValue { percent: Some(Percent::from_units(percent)), amount: None };
    let level = |from, value| vec![RequestedLevel { from: Money::from_minor(from), value }];
    let cases = [
        (Count, Percentage, levels(&[(1, 0), (2, 10), (100, 100)]), None),
        (Count, FixedAmount, levels(&[(2, 500)]), None),
        (Sum, Percentage, levels(&[(0, 5), (100, 4)]), None),
        (Sum, FixedAmount, level(1, RequestedLevelValue { percent: None, amount: Some(Money::from_minor(1)) }), None),
        (Count, Percentage, Vec::new(), Some(LevelsRefusal::Missing)),
        (Count, Percentage, levels(&[(2, 10), (2, 20)]), Some(LevelsRefusal::NotAscending(2))),
        (Sum, FixedAmount, levels(&[(1, 1), (3, 2), (2, 3)]), Some(LevelsRefusal::NotAscending(3))),
        (Count, Percentage, levels(&[(0, 10)]), Some(LevelsRefusal::NotWholeTickets(1))),
        (Count, Percentage, level(150, percent_only(1)), Some(LevelsRefusal::NotWholeTickets(1))),
        (Count, Percentage, levels(&[(2, 10), (3, 101)]), Some(LevelsRefusal::NotPercentage(2))),
        (Sum, FixedAmount, level(100, percent_only(100_000)), Some(LevelsRefusal::NotAmount(1))),
        // Of several faults the first is told.
        (
            Count,
            FixedAmount,
            [levels(&[(1, 1), (0, 2)]), level(1, percent_only(1))].concat(),
            Some(LevelsRefusal::NotWholeTickets(2)),
        ),
    ];
    for (by, kind, levels, refusal) in cases {
        let mut fixture = Fixture::new();
        let made = make(&mut fixture, |new| (new.measure, new.kind, new.levels) = (by, kind, levels.clone()));
        assert_eq!(made.as_ref().err(), refusal.map(Refusal::PromotionLevels).as_ref(), "{levels:?}");
        if let Ok(made) = made {
            assert_eq!(
                (made.discount.measure, made.discount.kind(), made.discount.levels.len()),
                (by, kind, levels.len())
            );
        }
    }
}

#[test]
fn a_promotion_is_for_sets_of_its_event_that_are_there() {
    let mut fixture = Fixture::new();
    let (one, other, removed) = (fixture.set(1, 1000), fixture.set(1, 1000), fixture.set(1, 1000));
    let elsewhere = fixture.event_of(fixture.org).id;
    let foreign = fixture.set_of(elsewhere, 1, 1000);
    let made = make(&mut fixture, |new| new.sets = vec![other, removed, other]).unwrap();
    assert_eq!(made.discount.sets, [other, removed]);
    let command = remove_set(fixture.event, removed);
    fixture.give(&fixture.organizer(), &command).unwrap();
    for unknown in [foreign, removed, SetId::with_tag(fixture.event.tag(), 1)] {
        let refusal = Refusal::SetUnknown(unknown);
        assert_eq!(make(&mut fixture, |new| new.sets = vec![one, unknown]).unwrap_err(), refusal);
        let change = |change: &mut UpdatePromotion| change.sets = Some(vec![unknown]);
        assert_eq!(update(&mut fixture, made.id, change).unwrap_err(), refusal);
    }
    update(&mut fixture, made.id, |change| change.levels = Some(levels(&[(1, 1)]))).expect("what it has it keeps");
}

#[test]
fn only_the_organizer_makes_changes_and_removes_promotions() {
    let mut fixture = Fixture::new();
    let promotion = make(&mut fixture, |new| new.lifetime = hours(0, 1)).unwrap().id;
    let stranger = Actor::Partner(fixture.partner());
    let create = CreatePromotion { lifetime: hours(1, 2), ..new_promotion(fixture.event, &[(1, 1)]) };
    let change = UpdatePromotion::unchanged(fixture.event, promotion);
    let remove = RemovePromotion { event: fixture.event, promotion };
    let cases = [
        (EventStatus::Public, Actor::Anonymous, Refusal::CredentialRequired),
        (EventStatus::Public, stranger.clone(), Refusal::Forbidden(ForbiddenReason::OrganizerOnly)),
        (EventStatus::StandBy, stranger, Refusal::NotFound("event")),
    ];
    for (status, actor, refusal) in cases {
        fixture.switch(status);
        assert_eq!(fixture.give(&actor, &create).unwrap_err(), refusal.clone());
        // Who may not read it does not learn of it.
        let hidden = if actor == Actor::Anonymous { refusal } else { Refusal::NotFound("promotion") };
        assert_eq!(fixture.give(&actor, &change).unwrap_err(), hidden);
        assert_eq!(fixture.give(&actor, &remove).unwrap_err(), hidden);
    }
    fixture.give(&fixture.organizer(), &create).unwrap();
}

#[test]
fn a_promotion_is_of_its_event() {
    let mut fixture = Fixture::new();
    let promotion = make(&mut fixture, |_| ()).unwrap().id;
    let event = fixture.event_of(fixture.org).id;
    let refusal = Refusal::NotFound("promotion");
    assert_eq!(update(&mut fixture, promotion, |change| change.event = event).unwrap_err(), refusal);
    let elsewhere = RemovePromotion { event, promotion };
    assert_eq!(fixture.give(&fixture.organizer(), &elsewhere).unwrap_err(), refusal);
}

#[test]
fn a_change_touches_what_it_names() {
    let mut fixture = Fixture::new();
    let set = fixture.set(1, 1000);
    let made = make(&mut fixture, |new| new.lifetime = hours(0, 2)).unwrap();
    fixture.pass_minutes(1);
    let changed = update(&mut fixture, made.id, |change| change.sets = Some(vec![set])).unwrap();
    let mut expected = Promotion { updated_at: fixture.now, revision: changed.revision, ..made.clone() };
    expected.discount.sets = vec![set];
    assert_eq!((changed.revision.number(), &changed), (2, &expected));
    let changed = update(&mut fixture, made.id, |change| change.levels = Some(levels(&[(5, 50)]))).unwrap();
    expected.discount.levels = changed.discount.levels.clone();
    expected.revision = changed.revision;
    assert_eq!((changed.revision.number(), changed.discount.levels[0].from, changed), (3, 5, expected));
}

#[test]
fn another_measure_or_kind_needs_new_levels() {
    let mut fixture = Fixture::new();
    let made = make(&mut fixture, |_| ()).unwrap();
    let refusal = Refusal::PromotionLevels(LevelsRefusal::LevelsRequired);
    assert_eq!(update(&mut fixture, made.id, |change| change.measure = Some(LevelMeasure::Sum)).unwrap_err(), refusal);
    assert_eq!(
        update(&mut fixture, made.id, |change| change.kind = Some(DiscountKind::FixedAmount)).unwrap_err(),
        refusal
    );
    update(&mut fixture, made.id, |change| {
        (change.measure, change.kind) = (Some(LevelMeasure::Count), Some(DiscountKind::Percentage));
    })
    .expect("what it is already it may be called");
    let changed = update(&mut fixture, made.id, |change| {
        (change.measure, change.kind, change.levels) =
            (Some(LevelMeasure::Sum), Some(DiscountKind::FixedAmount), Some(levels(&[(20, 5)])));
    })
    .unwrap();
    let discount = changed.discount;
    assert_eq!(
        (discount.measure, discount.kind(), discount.levels[0].from),
        (LevelMeasure::Sum, DiscountKind::FixedAmount, 2_000)
    );
}

#[test]
fn a_removed_promotion_stays_removed() {
    let mut fixture = Fixture::new();
    let made = make(&mut fixture, |_| ()).unwrap();
    remove(&mut fixture, made.id).unwrap();
    let row = fixture.view.promotions.get(made.id).unwrap().clone();
    assert_eq!((row.removed, row.revision.number()), (true, 2));
    assert_eq!(update(&mut fixture, made.id, |_| ()).unwrap_err(), Refusal::NotFound("promotion"));
    fixture.pass_minutes(1);
    remove(&mut fixture, made.id).expect("removing it again changes nothing");
    assert_eq!(fixture.view.promotions.get(made.id), Some(&row));
}

#[test]
fn an_event_has_a_hundred_promotions_and_no_more() {
    let mut fixture = Fixture::new();
    let mut last = None;
    for at in 0..PROMOTIONS_MAX {
        last = Some(make(&mut fixture, |new| new.lifetime = hours(at, at + 1)).unwrap().id);
    }
    let next = |fixture: &mut Fixture| make(fixture, |new| new.lifetime = hours(PROMOTIONS_MAX, PROMOTIONS_MAX + 1));
    assert_eq!(
        next(&mut fixture).unwrap_err(),
        Refusal::TooMany { what: "promotions of one event", max: PROMOTIONS_MAX }
    );
    remove(&mut fixture, last.unwrap()).unwrap();
    next(&mut fixture).unwrap();
}

#[test]
fn a_promotion_runs_from_now_on_where_nothing_else_is_said() {
    let window = |start, finish| Window { start, finish };
    let cases = [
        (between(None, None), window(NOON, None)),
        (between(Some(hour(1)), None), window(hour(1), None)),
        (between(None, Some(hour(1))), window(NOON, Some(hour(1)))),
        (between(Some(NOON.plus_ms(1_999)), Some(hour(1).plus_ms(999))), window(NOON.plus_ms(1_000), Some(hour(1)))),
    ];
    for (lifetime, expected) in cases {
        let mut fixture = Fixture::new();
        let made = make(&mut fixture, |new| new.lifetime = lifetime.clone()).unwrap();
        assert_eq!(made.lifetime, expected, "{lifetime:?}");
        fixture.pass_minutes(10);
        let cleared = LifetimePatch { start: Patch::Clear, finish: Patch::Clear };
        let changed = update(&mut fixture, made.id, |change| change.lifetime = cleared).unwrap();
        assert_eq!(changed.lifetime, window(NOON, None), "from when it was made");
    }
}
