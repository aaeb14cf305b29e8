//! A set as v1 shows it, and as requests write it.

use kassa_domain::price::{self as domain, Terms};
use kassa_domain::set::{PriceRule, RequestedPriceRule, SET_TICKETS_MAX, TicketSet};
use kassa_domain::ticket::Ticket;
use kassa_domain::{Money, Timestamp};
use utoipa::PartialSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::error::ErrorDetail;
use crate::input::{
    BoundedNumber, FromJson, Input, LineText, List, LongText, MoneyInput, NameText, Problems, SignedNumber, fields,
    parse_object, requires,
};
use crate::route::ResourceKind;
use crate::wire::{
    EventRef, IdRef, MoneyBody, OpenVeventInput, Referenced, RuleRef, Seats, SeatsInput, SetRef, Time, TimeInput,
    WireField, show_vevent, wire_form,
};

wire_form! {
    /// A set.
    #[derive(Debug)]
    #[schema(as = Set)]
    pub(crate) struct SetBody {
        /// The id of the set.
        id: SetRef,
        /// The event that its tickets are for.
        event: EventRef,
        /// The name of the set.
        name: String,
        /// A description; `null` if there is none.
        desc: Option<String>,
        /// The same as `desc`.
        description: Option<String>,
        /// How many tickets it has.
        amount: i64,
        /// How many of them are available now.
        amount_vacant: i64,
        /// The same as `price`.
        current_price: MoneyBody,
        /// The price rule in force; `null` while the set is not on sale.
        current_rule: Option<PriceRuleBody>,
        /// All its price rules.
        rules: Vec<PriceRuleBody>,
        /// The same as `rules`, for older clients.
        rule: Vec<PriceRuleBody>,
        /// What the caller sells a ticket for: `price_org` and `price_extra`. Outside all rules, that of the next rule,
        /// else of the last.
        price: MoneyBody,
        /// The organizer's price.
        price_org: MoneyBody,
        /// What the caller's deal adds; 0.00 without a deal.
        price_extra: MoneyBody,
        /// Its place among the sets of the event: the lower, the earlier.
        pos: i64,
        /// Where in the hall: for an event with a hall map, the id of a sector. `null` if that is not set.
        sector: Option<String>,
        /// Whether its tickets have numbered seats.
        with_seats: bool,
        /// Its seats; `null` for a set without seats.
        seats: Option<Seats>,
        /// Whether it is removed. Only the organizer sees removed sets.
        removed: bool,
        /// When it was created.
        created_at: Time,
        /// When it was last changed.
        updated_at: Time,
    }
}

pub(crate) static SET: ResourceKind = ResourceKind::new("set", SetBody::KIND);

impl Referenced for TicketSet {
    fn kind() -> &'static ResourceKind {
        &SET
    }
}

wire_form! {
    /// A price rule.
    #[derive(Clone, Debug)]
    #[schema(as = Rule)]
    pub(crate) struct PriceRuleBody {
        /// The id of the rule.
        pub(crate) id: RuleRef,
        /// When the price holds: a VEVENT (RFC 5545), in UTC.
        cal: String,
        /// Whether it holds now.
        current: bool,
        /// What the caller sells a ticket for: `price_org` and `price_extra`.
        pub(crate) price: MoneyBody,
        /// The organizer's price.
        pub(crate) price_org: MoneyBody,
        /// What the caller's deal adds; 0.00 without a deal.
        pub(crate) price_extra: MoneyBody,
    }
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
        /// The name of the set; up to 255 characters.
        pub(crate) name: Input<NameText>,
        /// A description; up to 10000 characters.
        desc: Input<LongText>,
        /// The same as `desc`, which wins.
        description: Input<LongText>,
        /// How many tickets it is to have: 0 to 1000000. Lowering it removes vacant tickets only.
        pub(crate) amount: Input<BoundedNumber<SET_TICKETS_MAX>>,
        /// In place of `amount`: all seats that it is to have, one ticket each.
        pub(crate) seats: Input<SeatsInput>,
        /// What a ticket costs from now until the event ends.
        price: Input<MoneyInput>,
        /// The same as `price`, over which it wins.
        price_org: Input<MoneyInput>,
        /// From when that price holds; from now by default. It ends the rule that holds then, also one that has sold tickets.
        price_from: Input<TimeInput>,
        /// In place of `price`, over which it wins: all price rules. They must not overlap in time.
        rules: Input<List<PriceRuleInput, 100>>,
        /// Its place among the sets of the event: the lower, the earlier; 0 by default.
        pub(crate) pos: Input<SignedNumber>,
        /// Where in the hall: for an event with a hall map, the id of one of its sectors. Up to 255 characters.
        pub(crate) sector: Input<LineText>,
        /// For an existing set: all tickets to hold back from sale, by id. Those that it leaves out go back on sale.
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
    /// One price, from now on if no time is said.
    SinglePrice(Money, Option<Timestamp>),
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
        let from = std::mem::take(&mut self.price_from).optional("price_from", problems).map(|time| time.0);
        let rules = std::mem::take(&mut self.rules).patch_non_null("rules", problems).value();
        if from.is_some() && price_org.is_none() && price.is_none() {
            problems.add("price_from", "must come with a price");
        }
        match (price_org.or(price), rules) {
            // A set as it is shown has both: its rules say what it costs, its price says it again.
            (_, Some(rules)) => PricingInput::Rules(rules.0.into_iter().map(|rule| rule.0).collect()),
            (Some(price), None) => PricingInput::SinglePrice(price.0, from),
            (None, None) => PricingInput::Unspecified,
        }
    }
}

fields! {
    struct PriceRuleFields {
        /// The id of an existing rule, to keep or change it.
        id: Input<IdRef<PriceRule>>,
        /// When the price holds: a VEVENT (RFC 5545).
        cal: Input<OpenVeventInput>,
        /// In place of `cal`: from when the price holds; from now by default.
        start: Input<TimeInput>,
        /// In place of `cal`: until when the price holds; until the event ends by default.
        finish: Input<TimeInput>,
        /// The price of a ticket.
        price: Input<MoneyInput>,
        /// The same as `price`, over which it wins. One of them is required.
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
