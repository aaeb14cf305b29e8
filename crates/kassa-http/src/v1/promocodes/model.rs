//! A promocode as v1 shows it, and as requests write it.

use kassa_domain::Patch;
use kassa_domain::price::Share;
use kassa_domain::promocode::{LifetimePatch, Promocode, TicketCountLimits};
use serde::Serialize;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::error::ErrorDetail;
use crate::input::{BoundedNumber, FromJson, Input, MoneyInput, Problems, fields, parse_object};
use crate::openapi::schema;
use crate::route::{FieldKind, ResourceKind};
use crate::wire::{
    EventRef, IdRef, OpenVeventInput, PercentInput, PromocodeRef, Referenced, SetRef, TicketsCountBody, Time,
    TimeInput, WireField, show_share, show_vevent, wire_form,
};

/// The largest number of tickets that a promocode can ask for.
const TICKETS_COUNT_MAX: u32 = 1_000_000;

wire_form! {
    /// A promocode.
    #[schema(as = Promocode)]
    pub(crate) struct PromocodeBody<'a> {
        /// The id of the promocode.
        id: PromocodeRef,
        /// The event that it is for.
        event: EventRef,
        /// The sets whose tickets it discounts; all sets of the event if it is empty.
        sets: Vec<SetRef>,
        /// A name for the organizer's own use; `null` if there is none.
        name: Option<&'a str>,
        /// A description for the organizer's own use; `null` if there is none.
        desc: Option<&'a str>,
        /// The code that customers type, in any case.
        code: &'a str,
        /// What it takes off each ticket.
        discount: DiscountBody,
        /// How many orders can use it; `null`: any number.
        amount: Option<i64>,
        /// When orders can start using it: a VEVENT (RFC 5545), in UTC. `null`: at any time.
        lifetime: Option<String>,
        /// How many tickets of its sets an order must have.
        tickets_count: TicketsCountBody,
        /// How often it is used.
        counter: PromocodeCounterBody,
        /// When it was created.
        created_at: Time,
        /// When it was last changed.
        updated_at: Time,
    }
}

pub(crate) static PROMOCODE: ResourceKind = ResourceKind::new("promocode", PromocodeBody::KIND);

/// A promocode of an order, for whoever sees the order.
pub(crate) static ORDER_PROMOCODE: ResourceKind = ResourceKind::new("order promocode", PromocodeBody::KIND);

/// Only orders refer to promocodes.
impl Referenced for Promocode {
    fn kind() -> &'static ResourceKind {
        &ORDER_PROMOCODE
    }
}

/// A promocode, as those see it who see an order that uses it: what they were promised. How often it is used and what
/// the organizer calls it is the organizer's alone.
#[derive(Serialize)]
pub(crate) struct OrderPromocodeBody<'a> {
    id: PromocodeRef,
    event: EventRef,
    sets: Vec<SetRef>,
    code: &'a str,
    discount: DiscountBody,
    lifetime: Option<String>,
    tickets_count: TicketsCountBody,
}

impl<'a> OrderPromocodeBody<'a> {
    pub(crate) fn new(promocode: &'a Promocode) -> Self {
        let PromocodeBody { id, event, sets, code, discount, lifetime, tickets_count, .. } =
            PromocodeBody::new(promocode);
        Self { id, event, sets, code, discount, lifetime, tickets_count }
    }
}

/// What a promocode takes off each ticket: `{"percengate": "30%"}` (spelled so) or `{"fixed": "100.00"}`.
#[derive(Serialize, ToSchema)]
#[schema(as = Discount)]
#[serde(rename_all = "snake_case")]
enum DiscountBody {
    /// A percentage of the price, such as `30%`.
    Percengate(String),
    /// An amount per ticket, such as `100.00`.
    Fixed(String),
}

impl WireField for DiscountBody {
    const KIND: FieldKind = FieldKind::Object(&[("percengate", FieldKind::Scalar), ("fixed", FieldKind::Scalar)]);
}

wire_form! {
    /// How often a promocode is used.
    #[schema(as = PromocodeCounter)]
    struct PromocodeCounterBody {
        /// How many unpaid orders hold a use.
        reserved: i64,
        /// How many orders were paid with it.
        used: i64,
    }
}

impl<'a> PromocodeBody<'a> {
    pub(crate) fn new(promocode: &'a Promocode) -> Self {
        let shown = show_share(promocode.discount, 0);
        Self {
            id: IdRef(promocode.id),
            event: IdRef(promocode.event),
            sets: promocode.sets.iter().copied().map(IdRef).collect(),
            name: promocode.name.as_deref(),
            desc: promocode.desc.as_deref(),
            code: promocode.code.as_str(),
            discount: match promocode.discount {
                Share::Percent(_) => DiscountBody::Percengate(shown),
                Share::Amount(_) => DiscountBody::Fixed(shown),
            },
            amount: promocode.uses.limit,
            lifetime: promocode.lifetime.as_ref().map(show_vevent),
            tickets_count: promocode.ticket_count_limits.into(),
            counter: PromocodeCounterBody { reserved: promocode.uses.reserved, used: promocode.uses.used },
            created_at: Time(promocode.created_at),
            updated_at: Time(promocode.updated_at),
        }
    }
}

fields! {
    struct DiscountFields {
        /// A percentage of the price, from 0 to 100: 30 or `"30%"`. The name is spelled so.
        percengate: Input<PercentInput>,
        /// The same as `percengate`.
        percentage: Input<PercentInput>,
        /// An amount per ticket, such as `"100.00"`.
        fixed: Input<MoneyInput>,
        /// The same as `fixed`.
        fix: Input<MoneyInput>,
    }
}

/// One of `percengate` (also `percentage`) and `fixed` (also `fix`), for each ticket.
pub(crate) struct DiscountInput(pub(crate) Share);

impl FromJson for DiscountInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: DiscountFields = parse_object(json)?;
        let mut problems = Problems::default();
        let percents = [("percengate", fields.percengate), ("percentage", fields.percentage)];
        let percents =
            percents.map(|(name, field)| field.optional(name, &mut problems).map(|part| Share::Percent(part.0)));
        let amounts = [("fixed", fields.fixed), ("fix", fields.fix)];
        let amounts = amounts.map(|(name, field)| field.optional(name, &mut problems).map(|sum| Share::Amount(sum.0)));
        problems.into_result(())?;
        let mut given = percents.into_iter().chain(amounts).flatten();
        match (given.next(), given.next()) {
            (Some(discount), None) => Ok(Self(discount)),
            _ => Err(vec![ErrorDetail::new("", "must have exactly one of percengate, percentage, fixed and fix")]),
        }
    }

    fn json_schema() -> RefOr<Schema> {
        DiscountFields::schema()
    }
}

fields! {
    struct LifetimeFields {
        /// From when it holds. `null`, or a new one without it: from now.
        start: Input<TimeInput>,
        /// Until when it holds; after `start`. `null`: without end.
        finish: Input<TimeInput>,
    }
}

/// A VEVENT text, or `{start, finish}`.
pub(crate) struct LifetimeInput(pub(crate) LifetimePatch);

impl FromJson for LifetimeInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        if json.starts_with('"') {
            let OpenVeventInput(window) = OpenVeventInput::from_json(json)?;
            let finish = window.finish.map_or(Patch::Clear, Patch::Set);
            return Ok(Self(LifetimePatch { start: Patch::Set(window.start), finish }));
        }
        let fields: LifetimeFields = parse_object(json)?;
        let mut problems = Problems::default();
        let start = fields.start.patch("start", &mut problems).map(|time| time.0);
        let finish = fields.finish.patch("finish", &mut problems).map(|time| time.0);
        if let (Patch::Set(start), Patch::Set(finish)) = (&start, &finish)
            && start >= finish
        {
            problems.add("finish", "must be after start");
        }
        problems.into_result(Self(LifetimePatch { start, finish }))
    }

    fn json_schema() -> RefOr<Schema> {
        schema::any_of([OpenVeventInput::json_schema(), LifetimeFields::schema()])
    }
}

fields! {
    struct TicketsCountFields {
        /// The fewest tickets; `null` for no minimum.
        min: Input<BoundedNumber<TICKETS_COUNT_MAX>>,
        /// The most tickets, not below `min`; `null` for no maximum.
        max: Input<BoundedNumber<TICKETS_COUNT_MAX>>,
    }
}

/// `{min, max}`, each of which may be missing.
pub(crate) struct TicketsCountInput(pub(crate) TicketCountLimits);

impl FromJson for TicketsCountInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: TicketsCountFields = parse_object(json)?;
        let mut problems = Problems::default();
        let min = fields.min.optional("min", &mut problems).map(|count| count.0);
        let max = fields.max.optional("max", &mut problems).map(|count| count.0);
        if max.is_some_and(|max| min.is_some_and(|min| min > max)) {
            problems.add("max", "must not be below min");
        }
        problems.into_result(Self(TicketCountLimits { min, max }))
    }

    fn json_schema() -> RefOr<Schema> {
        TicketsCountFields::schema()
    }
}
