//! A promotion as v1 shows it, and as requests write it.

use kassa_domain::Money;
use kassa_domain::promotion::{Kind, Level, Measure, Promotion, WantedLevel, WantedValue};
use kassa_domain::set::{SETS_MAX, Set};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::error::Detail;
use crate::input::{Amount, Fields, FromJson, Input, List, Problems, bad, fields, object, one_of};
use crate::openapi::schema;
use crate::v1::promocodes::model::LifetimeInput;
use crate::wire::{EventRef, Price, PromotionRef, ReadPercent, Ref, SetRef, Time, show_share};

/// The most levels of a promotion.
const LEVELS_MAX: usize = 20;

/// A promotion: a discount that grows by steps.
// api-facts §6
#[derive(Serialize, ToSchema)]
#[schema(as = Promotion)]
pub(crate) struct PromotionBody {
    id: PromotionRef,
    event: EventRef,
    lifetime: LifetimeBody,
    /// Whose tickets count and get cheaper; those of all sets if it is empty.
    sets: Vec<SetRef>,
    /// By what an order reaches a level: the sum of the prices of these tickets, or their number.
    #[schema(schema_with = measure)]
    by: &'static str,
    /// What values are: parts of the price of each ticket, or an amount for each ticket.
    #[schema(schema_with = kind)]
    kind: &'static str,
    /// From the lowest on. The highest that is reached acts.
    levels: Vec<LevelBody>,
    removed: bool,
    created_at: Time,
    updated_at: Time,
}

/// When it runs.
#[derive(Serialize, ToSchema)]
#[schema(as = PromotionLifetime)]
struct LifetimeBody {
    start: Time,
    /// `null`: until somebody ends it.
    finish: Option<Time>,
}

/// A level.
#[derive(Serialize, ToSchema)]
#[schema(as = PromotionLevel)]
struct LevelBody {
    from: FromBody,
    /// What it takes off each ticket: `"10%"`, or `"5.00"`.
    value: String,
}

/// From how much on: a number of tickets, or money.
#[derive(Serialize, ToSchema)]
#[schema(as = PromotionLevelFrom)]
#[serde(untagged)]
enum FromBody {
    Count(i64),
    Sum(Price),
}

impl PromotionBody {
    pub(crate) fn new(promotion: &Promotion) -> Self {
        let discount = &promotion.discount;
        let level = |level: &Level| LevelBody {
            from: match discount.by {
                Measure::Count => FromBody::Count(level.from),
                Measure::Sum => FromBody::Sum(Price(Money::from_minor(level.from))),
            },
            value: show_share(level.value, 0),
        };
        Self {
            id: Ref(promotion.id),
            event: Ref(promotion.event),
            lifetime: LifetimeBody {
                start: Time(promotion.lifetime.start),
                finish: promotion.lifetime.finish.map(Time),
            },
            sets: discount.sets.iter().copied().map(Ref).collect(),
            by: discount.by.name(),
            kind: discount.kind().name(),
            levels: discount.levels.iter().map(level).collect(),
            removed: promotion.removed,
            created_at: Time(promotion.created_at),
            updated_at: Time(promotion.updated_at),
        }
    }
}

fn measure() -> RefOr<Schema> {
    schema::words(Measure::ALL.map(Measure::name)).into()
}

fn kind() -> RefOr<Schema> {
    schema::words(Kind::ALL.map(Kind::name)).into()
}

fields! {
    /// A promotion in a request.
    pub(crate) struct PromotionInput {
        /// When it runs: from now on if `start` is not said, and until somebody ends it if `finish` is not.
        pub(crate) lifetime: Input<LifetimeInput>,
        /// Whose tickets count and get cheaper; those of all sets if none is named.
        pub(crate) sets: Input<List<Ref<Set>, { SETS_MAX as usize }>>,
        /// By what an order reaches a level: the sum of the prices of these tickets, or their number.
        pub(crate) by: Input<MeasureInput>,
        /// What values are: parts of the price of each ticket, or an amount for each ticket.
        pub(crate) kind: Input<KindInput>,
        /// All of them, from the lowest on; each begins above the one before.
        pub(crate) levels: Input<List<LevelInput, LEVELS_MAX>>,
    }
}

pub(crate) struct MeasureInput(pub(crate) Measure);

impl FromJson for MeasureInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        one_of(&Measure::ALL.map(|by| (by.name(), by)), json).map(Self)
    }

    fn form() -> RefOr<Schema> {
        measure()
    }
}

pub(crate) struct KindInput(pub(crate) Kind);

impl FromJson for KindInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        one_of(&Kind::ALL.map(|kind| (kind.name(), kind)), json).map(Self)
    }

    fn form() -> RefOr<Schema> {
        kind()
    }
}

fields! {
    struct LevelFields {
        /// From how much on: a number of tickets, or money.
        from: Input<Amount>,
        /// What it takes off each ticket: `"10%"` or 10, or `"5.00"`.
        value: Input<ValueInput>,
    }
}

/// `{from, value}`, both of which are needed.
pub(crate) struct LevelInput(pub(crate) WantedLevel);

impl FromJson for LevelInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        let fields: LevelFields = object(json)?;
        let mut problems = Problems::default();
        let from = fields.from.required("from", &mut problems).map(|from| from.0);
        let value = fields.value.required("value", &mut problems).map(|value| value.0);
        match from.zip(value) {
            Some((from, value)) => Ok(Self(WantedLevel { from, value })),
            None => Err(problems.into_details()),
        }
    }

    fn form() -> RefOr<Schema> {
        LevelFields::object(&["from", "value"]).into()
    }
}

/// A percentage or an amount: which of them, the kind of the promotion says.
struct ValueInput(WantedValue);

impl FromJson for ValueInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        let percent = ReadPercent::from_json(json).ok().map(|percent| percent.0);
        let amount = Amount::from_json(json).ok().map(|amount| amount.0);
        if percent.is_none() && amount.is_none() {
            return Err(bad("must be a percentage as 10 or \"10%\", or an amount as \"5.00\""));
        }
        Ok(Self(WantedValue { percent, amount }))
    }

    fn form() -> RefOr<Schema> {
        schema::any_of([ReadPercent::form(), Amount::form()])
    }
}
