//! A set as v1 shows it, and as requests write it.

use kassa_domain::price::{self as domain, Terms};
use kassa_domain::set::{AMOUNT_MAX, Rule, Set, WantedRule};
use kassa_domain::ticket::Ticket;
use kassa_domain::{Money, Timestamp};
use serde::Serialize;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::seats::SeatsInput;
use crate::error::Detail;
use crate::input::{
    Amount, Count, FromJson, Input, List, LongText, Name, Number, Problems, Text, fields, object, requires,
};
use crate::wire::{Cal, EventRef, Price, ReadTime, Ref, RuleRef, Seats, SetRef, Time, show_vevent};

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
    current_price: Price,
    /// The rule in force; outside every rule the set is not for sale.
    current_rule: Option<RuleBody>,
    rules: Vec<RuleBody>,
    /// The same under its old name.
    rule: Vec<RuleBody>,
    /// What the caller sells a ticket for: `price_org` and `price_extra`.
    price: Price,
    /// The organizer's price.
    price_org: Price,
    /// What the caller's deal adds.
    price_extra: Price,
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
pub(crate) struct RuleBody {
    pub(crate) id: RuleRef,
    /// When the price holds: a VEVENT (RFC 5545), in UTC.
    cal: String,
    current: bool,
    pub(crate) price: Price,
    pub(crate) price_org: Price,
    pub(crate) price_extra: Price,
}

impl RuleBody {
    /// The rule as it is at `now`, at the price that the caller sells at: under `terms`, if it has a
    /// deal.
    pub(crate) fn new(rule: &Rule, terms: Option<&Terms>, now: Timestamp) -> Self {
        let extra = terms.map_or(Money::ZERO, |terms| domain::Price::new(rule.price, Money::ZERO, terms).extra);
        Self {
            id: Ref(rule.id),
            cal: show_vevent(&rule.window),
            current: rule.window.contains(now),
            price: Price(rule.price + extra),
            price_org: Price(rule.price),
            price_extra: Price(extra),
        }
    }
}

impl SetBody {
    /// The set as it is at `now`, at the prices that the caller sells at: under `terms`, if it has a
    /// deal.
    pub(crate) fn new(set: &Set, terms: Option<&Terms>, now: Timestamp) -> Self {
        let body = |rule: &Rule| RuleBody::new(rule, terms, now);
        let rules: Vec<RuleBody> = set.rules.iter().map(body).collect();
        let shown = set.shown_rule(now).map(body);
        let none = Price(Money::ZERO);
        let [price, price_org, price_extra] =
            shown.map_or([none; 3], |rule| [rule.price, rule.price_org, rule.price_extra]);
        Self {
            id: Ref(set.id),
            event: Ref(set.event),
            name: set.name.clone(),
            desc: set.desc.clone(),
            description: set.desc.clone(),
            amount: set.counts.amount,
            amount_vacant: set.free(),
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
        pub(crate) name: Input<Name>,
        desc: Input<LongText>,
        /// The same as `desc`, which wins.
        description: Input<LongText>,
        /// How many tickets it has.
        pub(crate) amount: Input<Count<AMOUNT_MAX>>,
        /// In place of `amount`: its chairs, each of which is a ticket. All that it shall have.
        pub(crate) seats: Input<SeatsInput>,
        /// What a ticket costs from now on.
        price: Input<Amount>,
        /// The same as `price`, over which it wins.
        price_org: Input<Amount>,
        /// In place of `price`: prices in time, which must not overlap.
        rules: Input<List<RuleInput, 100>>,
        /// Where it stands among the sets of its event.
        pub(crate) pos: Input<Number>,
        /// Where it is in the hall: of an event with a hall map, the id of one of its sectors.
        pub(crate) sector: Input<Text>,
        /// Of a set that is there: all tickets that are held back.
        pub(crate) blocked: Input<List<Ref<Ticket>>>,
    }
}

requires! {
    /// A new set.
    pub(crate) struct NewSet: SetInput { name }
}

/// What a set shall cost.
pub(crate) enum Pricing {
    /// Nothing was said.
    Unsaid,
    /// One price from now on.
    Plain(Money),
    /// Prices in time.
    Rules(Vec<WantedRule>),
}

impl SetInput {
    /// The description under either of its names.
    pub(crate) fn take_desc(&mut self, problems: &mut Problems) -> kassa_domain::Patch<String> {
        let desc = std::mem::take(&mut self.desc).patch("desc", problems);
        let description = std::mem::take(&mut self.description).patch("description", problems);
        if desc.is_given() { desc } else { description }.map(|text| text.0)
    }

    /// The rules, else the price.
    pub(crate) fn take_pricing(&mut self, problems: &mut Problems) -> Pricing {
        let price = std::mem::take(&mut self.price).patch_some("price", problems).value();
        let price_org = std::mem::take(&mut self.price_org).patch_some("price_org", problems).value();
        let rules = std::mem::take(&mut self.rules).patch_some("rules", problems).value();
        match (price_org.or(price), rules) {
            // A set as it is shown has both: its rules say what it costs, its price says it again.
            (_, Some(rules)) => Pricing::Rules(rules.0.into_iter().map(|rule| rule.0).collect()),
            (Some(price), None) => Pricing::Plain(price.0),
            (None, None) => Pricing::Unsaid,
        }
    }
}

fields! {
    struct RuleFields {
        /// Of a rule that is there and is meant.
        id: Input<Ref<Rule>>,
        /// When the price holds.
        cal: Input<Cal>,
        /// In place of `cal`: from when on it holds.
        start: Input<ReadTime>,
        /// In place of `cal`: until when it holds.
        finish: Input<ReadTime>,
        price: Input<Amount>,
        /// The same as `price`, over which it wins. One of them must be there.
        price_org: Input<Amount>,
    }
}

/// `{cal, price}` or `{start, finish, price}`; with the `id` of a rule that is meant.
struct RuleInput(WantedRule);

impl FromJson for RuleInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        let fields: RuleFields = object(json)?;
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
            Some(price) if details.is_empty() => Ok(Self(WantedRule { id, start, finish, price: price.0 })),
            _ => Err(details),
        }
    }

    fn form() -> RefOr<Schema> {
        RuleFields::schema()
    }
}
