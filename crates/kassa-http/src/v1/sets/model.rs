//! A set as v1 shows it, and as requests write it.

use kassa_domain::event::EventId;
use kassa_domain::price::{self as domain, Terms};
use kassa_domain::set::{AMOUNT_MAX, Rule, RuleId, Set, SetId, WantedRule};
use kassa_domain::ticket::Ticket;
use kassa_domain::{Money, Timestamp};
use serde::{Deserialize, Serialize};

use crate::error::Detail;
use crate::input::{Amount, Count, FromJson, Input, List, LongText, Name, Number, Problems, Ref, Text, object};
use crate::wire::{Cal, Price, ReadTime, Time, show_vevent};

/// A set (seed; decisions §5).
#[derive(Debug, Serialize)]
pub(crate) struct SetBody {
    id: SetId,
    event: EventId,
    name: String,
    desc: Option<String>,
    description: Option<String>,
    amount: i64,
    amount_vacant: i64,
    current_price: Price,
    current_rule: Option<RuleBody>,
    rules: Vec<RuleBody>,
    /// The same under its old name.
    rule: Vec<RuleBody>,
    price: Price,
    price_org: Price,
    price_extra: Price,
    pos: i64,
    sector: Option<String>,
    with_seats: bool,
    seats: Option<()>,
    removed: bool,
    created_at: Time,
    updated_at: Time,
}

/// A price rule.
#[derive(Clone, Debug, Serialize)]
struct RuleBody {
    id: RuleId,
    cal: String,
    current: bool,
    price: Price,
    price_org: Price,
    price_extra: Price,
}

impl RuleBody {
    fn new(rule: &Rule, terms: Option<&Terms>, now: Timestamp) -> Self {
        let extra = terms.map_or(Money::ZERO, |terms| domain::Price::new(rule.price, Money::ZERO, terms).extra);
        Self {
            id: rule.id,
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
            id: set.id,
            event: set.event,
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
            with_seats: false,
            seats: None,
            removed: set.removed,
            created_at: Time(set.created_at),
            updated_at: Time(set.updated_at),
        }
    }
}

/// A set in a request.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct SetInput {
    pub(crate) name: Input<Name>,
    desc: Input<LongText>,
    description: Input<LongText>,
    pub(crate) amount: Input<Count<AMOUNT_MAX>>,
    price: Input<Amount>,
    price_org: Input<Amount>,
    rules: Input<List<RuleInput, 100>>,
    pub(crate) pos: Input<Number>,
    pub(crate) sector: Input<Text>,
    pub(crate) blocked: Input<List<Ref<Ticket>>>,
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

/// `{cal, price}` or `{start, finish, price}`; with the `id` of a rule that is meant.
struct RuleInput(WantedRule);

impl FromJson for RuleInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Fields {
            id: Input<Ref<Rule>>,
            cal: Input<Cal>,
            start: Input<ReadTime>,
            finish: Input<ReadTime>,
            price: Input<Amount>,
            price_org: Input<Amount>,
        }
        let fields: Fields = object(json)?;
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
}
