//! A promotion as v1 shows it, and as requests write it.

use kassa_domain::Money;
use kassa_domain::promotion::{
    DiscountKind, DiscountLevel, LevelMeasure, Promotion, RequestedLevel, RequestedLevelValue,
};
use kassa_domain::set::{SETS_MAX, TicketSet};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::error::ErrorDetail;
use crate::input::{Fields, FromJson, Input, List, MoneyInput, Problems, fields, invalid_value, parse_object};
use crate::openapi::schema;
use crate::route::{FieldKind, ResourceKind};
use crate::v1::promocodes::model::LifetimeInput;
use crate::wire::{
    EventRef, IdRef, MoneyBody, PercentInput, PromotionRef, Referenced, SetRef, Time, WireField, enum_input,
    enum_names, show_share, wire_form,
};

/// The most levels of a promotion.
const LEVELS_MAX: usize = 20;

wire_form! {
    /// A promotion: a discount that grows by steps.
    #[schema(as = Promotion)]
    pub(crate) struct PromotionBody {
        /// The id of the promotion.
        id: PromotionRef,
        /// The event that it is for.
        event: EventRef,
        /// When it runs.
        lifetime: PromotionLifetimeBody,
        /// The sets whose tickets count and are discounted; all sets of the event if it is empty.
        sets: Vec<SetRef>,
        #[schema(schema_with = measure_schema)]
        by: &'static str,
        #[schema(schema_with = kind_schema)]
        kind: &'static str,
        /// The levels, lowest first. The highest that an order reaches applies.
        levels: Vec<PromotionLevelBody>,
        /// Whether it is removed.
        removed: bool,
        /// When it was created.
        created_at: Time,
        /// When it was last changed.
        updated_at: Time,
    }
}

pub(crate) static PROMOTION: ResourceKind = ResourceKind::new("promotion", PromotionBody::KIND);

impl Referenced for Promotion {
    fn kind() -> &'static ResourceKind {
        &PROMOTION
    }
}

wire_form! {
    /// When a promotion runs.
    #[schema(as = PromotionLifetime)]
    struct PromotionLifetimeBody {
        /// From when it runs.
        start: Time,
        /// Until when it runs; `null` if it has no end.
        finish: Option<Time>,
    }
}

wire_form! {
    /// A level of a promotion.
    #[schema(as = PromotionLevel)]
    struct PromotionLevelBody {
        /// From how much on it applies: a number of tickets, or an amount of money.
        from: LevelThresholdBody,
        /// What it takes off each ticket: a percentage such as `10%`, or an amount such as `5.00`.
        value: String,
    }
}

/// Where a level begins: a number of tickets, or an amount of money.
#[derive(Serialize, ToSchema)]
#[schema(as = PromotionLevelFrom)]
#[serde(untagged)]
enum LevelThresholdBody {
    Count(i64),
    Sum(MoneyBody),
}

impl WireField for LevelThresholdBody {
    const KIND: FieldKind = FieldKind::Scalar;
}

impl PromotionBody {
    pub(crate) fn new(promotion: &Promotion) -> Self {
        let discount = &promotion.discount;
        let level = |level: &DiscountLevel| PromotionLevelBody {
            from: match discount.measure {
                LevelMeasure::Count => LevelThresholdBody::Count(level.from),
                LevelMeasure::Sum => LevelThresholdBody::Sum(MoneyBody(Money::from_minor(level.from))),
            },
            value: show_share(level.value, 0),
        };
        Self {
            id: IdRef(promotion.id),
            event: IdRef(promotion.event),
            lifetime: PromotionLifetimeBody {
                start: Time(promotion.lifetime.start),
                finish: promotion.lifetime.finish.map(Time),
            },
            sets: discount.sets.iter().copied().map(IdRef).collect(),
            by: LEVEL_MEASURES.name(discount.measure),
            kind: DISCOUNT_KINDS.name(discount.kind()),
            levels: discount.levels.iter().map(level).collect(),
            removed: promotion.removed,
            created_at: Time(promotion.created_at),
            updated_at: Time(promotion.updated_at),
        }
    }
}

enum_names! {
    static LEVEL_MEASURES: LevelMeasure {
        Sum => "sum",
        Count => "count",
    }

    static DISCOUNT_KINDS: DiscountKind {
        Percentage => "percentage",
        FixedAmount => "fix",
    }
}

enum_input! {
    pub(crate) struct MeasureInput(LevelMeasure) of LEVEL_MEASURES;
}

enum_input! {
    pub(crate) struct PromotionKindInput(DiscountKind) of DISCOUNT_KINDS;
}

fn measure_schema() -> RefOr<Schema> {
    let about = "What levels are compared with: the sum of the prices of the order's tickets in these sets, or \
                 their number.";
    LEVEL_MEASURES.schema().description(Some(about)).into()
}

fn kind_schema() -> RefOr<Schema> {
    let about = "What the values of levels are: a percentage of the price, or an amount per ticket.";
    DISCOUNT_KINDS.schema().description(Some(about)).into()
}

fields! {
    /// A promotion in a request.
    pub(crate) struct PromotionInput {
        /// When it runs: from now if `start` is missing, and without end if `finish` is.
        pub(crate) lifetime: Input<LifetimeInput>,
        /// The sets whose tickets count and are discounted, by id; all sets of the event if it is empty or missing.
        pub(crate) sets: Input<List<IdRef<TicketSet>, { SETS_MAX as usize }>>,
        /// What levels are compared with: the sum of the prices of the order's tickets in these sets, or their number.
        pub(crate) by: Input<MeasureInput>,
        /// What the values of levels are: a percentage of the price, or an amount per ticket.
        pub(crate) kind: Input<PromotionKindInput>,
        /// All levels, lowest first; each begins above the one before.
        pub(crate) levels: Input<List<PromotionLevelInput, LEVELS_MAX>>,
    }
}

fields! {
    struct PromotionLevelFields {
        /// From how much on it applies: a number of tickets, or an amount of money.
        from: Input<MoneyInput>,
        /// What it takes off each ticket: a percentage as 10 or `"10%"`, or an amount as `"5.00"`.
        value: Input<LevelValueInput>,
    }
}

/// `{from, value}`, both of which are needed.
pub(crate) struct PromotionLevelInput(pub(crate) RequestedLevel);

impl FromJson for PromotionLevelInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: PromotionLevelFields = parse_object(json)?;
        let mut problems = Problems::default();
        let from = fields.from.required("from", &mut problems).map(|from| from.0);
        let value = fields.value.required("value", &mut problems).map(|value| value.0);
        match from.zip(value) {
            Some((from, value)) => Ok(Self(RequestedLevel { from, value })),
            None => Err(problems.into_details()),
        }
    }

    fn json_schema() -> RefOr<Schema> {
        PromotionLevelFields::object(&["from", "value"]).into()
    }
}

/// A percentage or an amount: which of them, the kind of the promotion says.
struct LevelValueInput(RequestedLevelValue);

impl FromJson for LevelValueInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let percent = PercentInput::from_json(json).ok().map(|percent| percent.0);
        let amount = MoneyInput::from_json(json).ok().map(|amount| amount.0);
        if percent.is_none() && amount.is_none() {
            return Err(invalid_value("must be a percentage as 10 or \"10%\", or an amount as \"5.00\""));
        }
        Ok(Self(RequestedLevelValue { percent, amount }))
    }

    fn json_schema() -> RefOr<Schema> {
        schema::any_of([PercentInput::json_schema(), MoneyInput::json_schema()])
    }
}
