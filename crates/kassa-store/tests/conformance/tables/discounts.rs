//! What makes tickets cheaper.

use kassa_domain::change::Revision;
use kassa_domain::event::EventId;
use kassa_domain::price::Share;
use kassa_domain::promocode::{Promocode, PromocodeUses, TicketCountLimits};
use kassa_domain::promotion::{DiscountLevel, LevelDiscount, LevelMeasure, Promotion};
use kassa_domain::{Id, Money, Percent, ReadSet, View, Window};
use kassa_store::StoreError;
use kassa_store::queries::{PromocodesFilter, PromotionsFilter};

use crate::database::{Database, keys};
use crate::dice::{Dice, PROMOCODES, PROMOTIONS};
use crate::guards::write_error;
use crate::kinds::{UniquePair, kind};
use crate::lists::{ListModel, assert_lists_agree};
use crate::plans::PlanCases;
use crate::samples::{self, ELSEWHERE, HERE, at, event_id, id_in_event, party};

/// A promocode `PROMOCODE <key>`.
pub(crate) fn promocode(event: EventId, key: i64) -> Promocode {
    Promocode {
        id: id_in_event(event, key),
        event,
        code: format!("CODE {key}").parse().unwrap(),
        name: None,
        desc: None,
        sets: Vec::new(),
        discount: Share::Percent(Percent::from_units(333_333)),
        ticket_count_limits: TicketCountLimits::default(),
        lifetime: None,
        uses: PromocodeUses::default(),
        created_at: at(key),
        updated_at: at(key),
        revision: Revision::stored(1, None),
    }
}

pub(crate) fn full_promocode(event: EventId, key: i64) -> Promocode {
    Promocode {
        code: "Весна 100%_'\"".parse().unwrap(),
        name: Some("Spring".to_owned()),
        desc: Some("for\nstudents".to_owned()),
        sets: vec![id_in_event(event, 9), id_in_event(event, 8)],
        discount: Share::Amount(Money::PRICE_MAX),
        ticket_count_limits: TicketCountLimits { min: Some(2), max: Some(u32::MAX) },
        lifetime: Some(Window { start: at(0), finish: Some(at(3_600_000)) }),
        uses: PromocodeUses { limit: Some(7), reserved: 3, used: 4 },
        ..promocode(event, key)
    }
}

/// A promotion by count for all sets, without an end.
pub(crate) fn promotion(event: EventId, key: i64) -> Promotion {
    let level = DiscountLevel { from: 2, value: Share::Percent(Percent::from_units(333_333)) };
    Promotion {
        id: id_in_event(event, key),
        event,
        lifetime: Window { start: at(0), finish: None },
        discount: LevelDiscount { sets: Vec::new(), measure: LevelMeasure::Count, levels: vec![level] },
        removed: false,
        created_at: at(key),
        updated_at: at(key),
        revision: Revision::stored(1, None),
    }
}

pub(crate) fn full_promotion(event: EventId, key: i64) -> Promotion {
    let level = |from| DiscountLevel { from, value: Share::Amount(Money::PRICE_MAX) };
    let sets = vec![id_in_event(event, 9), id_in_event(event, 8)];
    Promotion {
        lifetime: Window { start: at(-1), finish: Some(at(3_600_000)) },
        discount: LevelDiscount {
            sets,
            measure: LevelMeasure::Sum,
            levels: vec![level(0), level(Money::PRICE_MAX.minor())],
        },
        removed: true,
        ..promotion(event, key)
    }
}

kind!(
    Promocode,
    promocodes,
    |row, read_set| read_set.promocodes.push(row.id),
    [samples::promocode(party().id, 1), samples::full_promocode(party().id, 2)],
    |row| Promocode {
        name: Some("renamed".to_owned()),
        desc: None,
        lifetime: samples::full_promocode(row.event, 1).lifetime,
        uses: PromocodeUses { limit: None, reserved: 1, used: i64::MAX - 1 },
        updated_at: at(99),
        revision: samples::revision(2),
        ..row
    },
    {
        fn fill(_: &mut Dice, view: &mut View) {
            (1..=PROMOCODES).for_each(|key| view.promocodes.put(promocode(Dice::event_of(key), key)));
        }

        fn plan_cases(cases: &mut PlanCases) {
            promocodes(cases);
        }

        fn unique_pairs() -> Vec<UniquePair> {
            let promocode =
                |key, code: &str| Promocode { code: code.parse().unwrap(), ..promocode(samples::event(1).id, key) };
            vec![UniquePair::new(
                "code of an event",
                move |view| view.promocodes.put(promocode(11, "Spring")),
                move |view| view.promocodes.put(promocode(12, "SPRING")),
            )]
        }
    }
);

kind!(
    Promotion,
    promotions,
    |row, read_set| read_set.promotions.push(row.id),
    [samples::promotion(party().id, 1), samples::full_promotion(party().id, 2)],
    |row| Promotion {
        removed: !row.removed,
        updated_at: at(99),
        revision: samples::revision(2),
        created_at: row.created_at,
        ..samples::full_promotion(row.event, row.id.key())
    },
    {
        fn fill(dice: &mut Dice, view: &mut View) {
            (1..=PROMOTIONS).for_each(|key| put_promotion(dice, key, view));
        }

        fn plan_cases(cases: &mut PlanCases) {
            promotions(cases);
        }
    }
);

fn put_promotion(dice: &mut Dice, key: i64, view: &mut View) {
    view.promotions.put(Promotion { removed: dice.below(4) == 0, ..samples::promotion(Dice::event_of(key), key) });
}

impl ListModel for PromocodesFilter {
    fn includes(&self, promocode: &Promocode, _: &View) -> bool {
        promocode.event == self.event && self.ids.as_ref().is_none_or(|ids| ids.contains(&promocode.id))
    }
}

pub(crate) async fn promocodes_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| PromocodesFilter {
        event: dice.event(),
        ids: dice.rarely(|dice| (0..30).map(|_| dice.promocode()).collect()),
    };
    assert_lists_agree::<PromocodesFilter>(db, filter).await;
}

impl ListModel for PromotionsFilter {
    fn includes(&self, promotion: &Promotion, _: &View) -> bool {
        promotion.event == self.event
            && self.ids.as_ref().is_none_or(|ids| ids.contains(&promotion.id))
            && (self.include_removed || !promotion.removed)
    }
}

pub(crate) async fn promotions_are_listed_as_the_model_lists_them(db: Database) {
    let filter = |dice: &mut Dice| PromotionsFilter {
        event: dice.event(),
        ids: dice.rarely(|dice| (0..30).map(|_| dice.promotion()).collect()),
        include_removed: dice.flip(),
    };
    assert_lists_agree::<PromotionsFilter>(db, filter).await;
}

pub(crate) async fn a_promocode_is_found_by_its_code_whatever_its_case(db: Database) {
    let (here, elsewhere) = (event_id(HERE), event_id(ELSEWHERE));
    let promocode =
        |event, key, code: &str| Promocode { code: code.parse().unwrap(), ..samples::promocode(event, key) };
    let rows = [
        promocode(here, 1, "Spring 30"),
        promocode(here, 2, "ВЕСНА"),
        promocode(here, 3, "spring"),
        promocode(elsewhere, 4, "SPRING 30"),
    ];
    db.insert(|view| rows.iter().for_each(|row| view.promocodes.put(row.clone()))).await;
    let cases: [(EventId, &[&str], &[i64]); 5] = [
        (here, &["sPRING 30", "SPRING 30"], &[1]),
        (here, &["весна", "Spring"], &[2, 3]),
        (elsewhere, &["spring 30", "spring"], &[4]),
        (here, &["spring%", "Spring  30"], &[]),
        (event_id(3), &["spring"], &[]),
    ];
    for (event, named, expected) in cases {
        let codes = named.iter().map(|code| (event, code.parse().unwrap())).collect();
        let view = db.view(ReadSet { promocodes_by_text: codes, ..ReadSet::default() }).await;
        let found: Vec<i64> = keys(view.promocodes.rows()).into_iter().map(Id::key).collect();
        assert_eq!(found, expected, "{named:?}");
    }
}

pub(crate) async fn the_promotions_of_an_event_are_those_that_are_not_removed(db: Database) {
    let (here, elsewhere) = (event_id(HERE), event_id(ELSEWHERE));
    let removed = Promotion { removed: true, ..samples::promotion(here, 2) };
    let rows =
        [samples::promotion(here, 1), removed.clone(), samples::promotion(elsewhere, 3), samples::promotion(here, 4)];
    db.insert(|view| rows.iter().for_each(|row| view.promotions.put(row.clone()))).await;
    let by_event = |events: &[EventId]| ReadSet { promotions_of: events.to_vec(), ..ReadSet::default() };
    let cases = [
        (by_event(&[here]), vec![1, 4]),
        (by_event(&[elsewhere, here]), vec![1, 3, 4]),
        (by_event(&[event_id(3)]), vec![]),
        (ReadSet { promotions: vec![removed.id], ..by_event(&[elsewhere]) }, vec![2, 3]),
    ];
    for (read_set, expected) in cases {
        let view = db.view(read_set.clone()).await;
        let found: Vec<i64> = keys(view.promotions.rows()).into_iter().map(Id::key).collect();
        assert_eq!(found, expected, "{read_set:?}");
    }
}

pub(crate) async fn more_uses_of_a_promocode_than_there_are_are_refused(db: Database) {
    let event = samples::event(1).id;
    let good = samples::full_promocode(event, 1);
    db.insert(|view| view.promocodes.put(good.clone())).await;
    let uses = good.uses;
    assert_eq!(uses.limit, Some(uses.reserved + uses.used), "all are used or reserved");
    let wrong = [
        PromocodeUses { reserved: uses.reserved + 1, ..uses },
        PromocodeUses { used: uses.used + 1, ..uses },
        PromocodeUses { limit: Some(6), ..uses },
        PromocodeUses { reserved: -1, ..uses },
        PromocodeUses { used: -1, ..uses },
        PromocodeUses { limit: None, reserved: -1, used: 0 },
        PromocodeUses { limit: None, reserved: 0, used: -1 },
    ];
    for uses in wrong {
        let changed = write_error(&db, |view| {
            view.promocodes.load(good.clone(), 1);
            view.promocodes.put(Promocode { uses, ..good.clone() });
        });
        assert!(matches!(changed.await, StoreError::Constraint(_)), "changed to {uses:?}");
        let new = write_error(&db, |view| view.promocodes.put(Promocode { uses, ..samples::promocode(event, 2) }));
        assert!(matches!(new.await, StoreError::Constraint(_)), "new with {uses:?}");
    }
}

fn promocodes(cases: &mut PlanCases) {
    let (event, ids) = (Id::root(1), Some(vec![Id::root(2); 2]));
    cases.add_ordered(&PromocodesFilter { event, ids: None });
    cases.add_sorted(&PromocodesFilter { event, ids });
}

fn promotions(cases: &mut PlanCases) {
    let event = Id::root(1);
    for removed in [false, true] {
        cases.add_ordered(&PromotionsFilter { event, ids: None, include_removed: removed });
        cases.add_sorted(&PromotionsFilter { event, ids: Some(vec![Id::root(2); 2]), include_removed: removed });
    }
}
