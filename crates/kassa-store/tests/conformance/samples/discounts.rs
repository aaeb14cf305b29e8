//! What makes tickets cheaper.

use kassa_domain::event::EventId;
use kassa_domain::price::Share;
use kassa_domain::promocode::{Promocode, TicketsCount, Uses};
use kassa_domain::promotion::{Discount, Level, Measure, Promotion};
use kassa_domain::{Money, Percent, Window};

use super::{at, on};

/// A promocode `CODE <key>`.
pub(crate) fn promocode(event: EventId, key: i64) -> Promocode {
    Promocode {
        id: on(event, key),
        event,
        code: format!("CODE {key}").parse().unwrap(),
        name: None,
        desc: None,
        sets: Vec::new(),
        discount: Share::Percent(Percent::from_units(333_333)),
        tickets_count: TicketsCount::default(),
        lifetime: None,
        uses: Uses::default(),
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

pub(crate) fn full_promocode(event: EventId, key: i64) -> Promocode {
    Promocode {
        code: "Весна 100%_'\"".parse().unwrap(),
        name: Some("Spring".to_owned()),
        desc: Some("for\nstudents".to_owned()),
        sets: vec![on(event, 9), on(event, 8)],
        discount: Share::Amount(Money::PRICE_MAX),
        tickets_count: TicketsCount { min: Some(2), max: Some(u32::MAX) },
        lifetime: Some(Window { start: at(0), finish: Some(at(3_600_000)) }),
        uses: Uses { amount: Some(7), reserved: 3, used: 4 },
        ..promocode(event, key)
    }
}

/// A promotion by count for all sets, without an end.
pub(crate) fn promotion(event: EventId, key: i64) -> Promotion {
    let level = Level { from: 2, value: Share::Percent(Percent::from_units(333_333)) };
    Promotion {
        id: on(event, key),
        event,
        lifetime: Window { start: at(0), finish: None },
        discount: Discount { sets: Vec::new(), by: Measure::Count, levels: vec![level] },
        removed: false,
        created_at: at(key),
        updated_at: at(key),
        revision: 1,
    }
}

pub(crate) fn full_promotion(event: EventId, key: i64) -> Promotion {
    let level = |from| Level { from, value: Share::Amount(Money::PRICE_MAX) };
    let sets = vec![on(event, 9), on(event, 8)];
    Promotion {
        lifetime: Window { start: at(-1), finish: Some(at(3_600_000)) },
        discount: Discount { sets, by: Measure::Sum, levels: vec![level(0), level(Money::PRICE_MAX.minor())] },
        removed: true,
        ..promotion(event, key)
    }
}
