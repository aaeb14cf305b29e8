//! What makes tickets cheaper.

use kassa_domain::event::EventId;
use kassa_domain::price::Share;
use kassa_domain::promocode::{Promocode, PromocodeUses, TicketCountLimits};
use kassa_domain::promotion::{DiscountLevel, LevelDiscount, LevelMeasure, Promotion};
use kassa_domain::{Money, Percent, Window};

use super::{at, id_in_event};

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
        revision: 1,
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
        revision: 1,
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
