//! A set as v1 shows it, and as requests write it.

use kassa_domain::price::{self as domain, Terms};
use kassa_domain::set::{PriceRule, RequestedPriceRule, SET_TICKETS_MAX, TicketSet};
use kassa_domain::ticket::Ticket;
use kassa_domain::{Money, Timestamp};
use serde::Serialize;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::seats::SeatsInput;
use crate::error::ErrorDetail;
use crate::input::{
    BoundedNumber, FromJson, Input, LineText, List, LongText, MoneyInput, NameText, Problems, SignedNumber, fields,
    parse_object, requires,
};
use crate::wire::{EventRef, IdRef, MoneyBody, OpenVeventInput, RuleRef, Seats, SetRef, Time, TimeInput, show_vevent};

/// A set.
// seed; decisions §5
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Set)]
pub(crate) struct SetBody {
    id: SetRef,
    event: EventRef,
    name: String,
    desc: Option<String>,
    /// The same as `desc`.
    description: Option<String>,
    amount: i64,
    amount_vacant: i64,
    current_price: MoneyBody,
    /// The rule in force; outside every rule the set is not for sale.
    current_rule: Option<PriceRuleBody>,
    rules: Vec<PriceRuleBody>,
    /// The same under its old name.
    rule: Vec<PriceRuleBody>,
    /// What the caller sells a ticket for: `price_org` and `price_extra`.
    price: MoneyBody,
    /// The organizer's price.
    price_org: MoneyBody,
    /// What the caller's deal adds.
    price_extra: MoneyBody,
    pos: i64,
    sector: Option<String>,
    with_seats: bool,
    seats: Option<Seats>,
    removed: bool,
    created_at: Time,
    updated_at: Time,
}

/// A price rule.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Rule)]
pub(crate) struct PriceRuleBody {
    pub(crate) id: RuleRef,
    /// When the price holds: a VEVENT (RFC 5545), in UTC.
    cal: String,
    current: bool,
    pub(crate) price: MoneyBody,
    pub(crate) price_org: MoneyBody,
    pub(crate) price_extra: MoneyBody,
}

impl PriceRuleBody {
    /// The rule as it is at `now`, at the price that the caller sells at: under `terms`, if it has a
    /// deal.
    pub(crate) fn new(rule: &PriceRule, terms: Option<&Terms>, now: Timestamp) -> Self {
        let extra =
            terms.map_or(Money::ZERO, |terms| domain::TicketPrice::new(rule.price, Money::ZERO, terms).surcharge);
        Self {
            id: IdRef(rule.id),
            cal: show_vevent(&rule.window),
            current: rule.window.contains(now),
            price: MoneyBody(rule.price + extra),
            price_org: MoneyBody(rule.price),
            price_extra: MoneyBody(extra),
        }
    }
}

impl SetBody {
    /// The set as it is at `now`, at the prices that the caller sells at: under `terms`, if it has a
    /// deal.
    pub(crate) fn new(set: &TicketSet, terms: Option<&Terms>, now: Timestamp) -> Self {
        let body = |rule: &PriceRule| PriceRuleBody::new(rule, terms, now);
        let rules: Vec<PriceRuleBody> = set.rules.iter().map(body).collect();
        let shown = set.shown_rule(now).map(body);
        let none = MoneyBody(Money::ZERO);
        let [price, price_org, price_extra] =
            shown.map_or([none; 3], |rule| [rule.price, rule.price_org, rule.price_extra]);
        Self {
            id: IdRef(set.id),
            event: IdRef(set.event),
            name: set.name.clone(),
            desc: set.desc.clone(),
            description: set.desc.clone(),
            amount: set.counts.amount,
            amount_vacant: set.available(),
            current_price: price,
            current_rule: set.current_rule(now).map(body),
            rule: rules.clone(),
            rules,
            price,
            price_org,
            price_extra,
            pos: set.pos,
            sector: (!set.sector.is_empty()).then(|| set.sector.clone()),
            with_seats: set.seats.is_some(),
            seats: set.seats.as_ref().map(|seats| Seats(seats.layout.clone())),
            removed: set.removed,
            created_at: Time(set.created_at),
            updated_at: Time(set.updated_at),
        }
    }
}

fields! {
    /// A set in a request.
    pub(crate) struct SetInput {
        pub(crate) name: Input<NameText>,
        desc: Input<LongText>,
        /// The same as `desc`, which wins.
        description: Input<LongText>,
        /// How many tickets it has.
        pub(crate) amount: Input<BoundedNumber<SET_TICKETS_MAX>>,
        /// In place of `amount`: its seats, each of which is a ticket. All that it shall have.
        pub(crate) seats: Input<SeatsInput>,
        /// What a ticket costs from now on.
        price: Input<MoneyInput>,
        /// The same as `price`, over which it wins.
        price_org: Input<MoneyInput>,
        /// In place of `price`: prices in time, which must not overlap.
        rules: Input<List<PriceRuleInput, 100>>,
        /// Where it stands among the sets of its event.
        pub(crate) pos: Input<SignedNumber>,
        /// Where it is in the hall: of an event with a hall map, the id of one of its sectors.
        pub(crate) sector: Input<LineText>,
        /// Of a set that is there: all tickets that are held back.
        pub(crate) blocked: Input<List<IdRef<Ticket>>>,
    }
}

requires! {
    /// A new set.
    pub(crate) struct NewSet: SetInput { name }
}

/// What a set shall cost.
pub(crate) enum PricingInput {
    /// Nothing was said.
    Unspecified,
    /// One price from now on.
    SinglePrice(Money),
    /// Prices in time.
    Rules(Vec<RequestedPriceRule>),
}

impl SetInput {
    /// The description under either of its names.
    pub(crate) fn take_desc(&mut self, problems: &mut Problems) -> kassa_domain::Patch<String> {
        let desc = std::mem::take(&mut self.desc).patch("desc", problems);
        let description = std::mem::take(&mut self.description).patch("description", problems);
        if desc.is_given() { desc } else { description }.map(|text| text.0)
    }

    /// The rules, else the price.
    pub(crate) fn take_pricing(&mut self, problems: &mut Problems) -> PricingInput {
        let price = std::mem::take(&mut self.price).patch_non_null("price", problems).value();
        let price_org = std::mem::take(&mut self.price_org).patch_non_null("price_org", problems).value();
        let rules = std::mem::take(&mut self.rules).patch_non_null("rules", problems).value();
        match (price_org.or(price), rules) {
            // A set as it is shown has both: its rules say what it costs, its price says it again.
            (_, Some(rules)) => PricingInput::Rules(rules.0.into_iter().map(|rule| rule.0).collect()),
            (Some(price), None) => PricingInput::SinglePrice(price.0),
            (None, None) => PricingInput::Unspecified,
        }
    }
}

fields! {
    struct PriceRuleFields {
        /// Of a rule that is there and is meant.
        id: Input<IdRef<PriceRule>>,
        /// When the price holds.
        cal: Input<OpenVeventInput>,
        /// In place of `cal`: from when on it holds.
        start: Input<TimeInput>,
        /// In place of `cal`: until when it holds.
        finish: Input<TimeInput>,
        price: Input<MoneyInput>,
        /// The same as `price`, over which it wins. One of them must be there.
        price_org: Input<MoneyInput>,
    }
}

/// `{cal, price}` or `{start, finish, price}`; with the `id` of a rule that is meant.
struct PriceRuleInput(RequestedPriceRule);

impl FromJson for PriceRuleInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: PriceRuleFields = parse_object(json)?;
        let mut problems = Problems::default();
        let id = fields.id.optional("id", &mut problems).map(|id| id.0);
        let cal = fields.cal.optional("cal", &mut problems).map(|cal| cal.0);
        let start = fields.start.optional("start", &mut problems).map(|time| time.0);
        let finish = fields.finish.optional("finish", &mut problems).map(|time| time.0);
        let price_org = fields.price_org.optional("price_org", &mut problems);
        let price = price_org.or(fields.price.optional("price", &mut problems));
        if price.is_none() && problems.is_empty() {
            problems.add("price", "is required");
        }
        if finish.is_some_and(|finish| start.is_some_and(|start| start >= finish)) {
            problems.add("finish", "must be after start");
        }
        let (start, finish) = cal.map_or((start, finish), |cal| (Some(cal.start), cal.finish));
        let details = problems.into_details();
        match price {
            Some(price) if details.is_empty() => Ok(Self(RequestedPriceRule { id, start, finish, price: price.0 })),
            _ => Err(details),
        }
    }

    fn json_schema() -> RefOr<Schema> {
        PriceRuleFields::schema()
    }
}
