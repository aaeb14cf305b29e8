//! Who gets how much of each price under some terms: by the very rule by which orders are priced.

use kassa_domain::price::{Share, Terms, TicketPrice};
use kassa_domain::{Money, Percent};
use serde_json::Value;

use crate::console::visit::Visit;

/// How a ticket at one price is split.
pub(super) struct Split {
    pub(super) set: String,
    pub(super) price: String,
    /// What the customer pays.
    pub(super) full: String,
    pub(super) organizer: String,
    pub(super) agent: String,
    pub(super) platform: String,
}

/// A share as the interface writes it: `90.00%`, or an amount such as `150.00`.
pub(super) fn share(text: &str) -> Option<Share> {
    match text.trim().strip_suffix('%') {
        Some(percent) => percent.trim().parse::<Percent>().ok().map(Share::Percent),
        None => text.trim().parse::<Money>().ok().map(Share::Amount),
    }
}

/// The terms of a deal; `None` if they cannot be read.
pub(super) fn terms(term: &Value) -> Option<Terms> {
    let read = |name: &str| share(term[name].as_str()?);
    Some(Terms {
        organizer_share: Some(read("org")?),
        markup: read("extra")?,
        platform_share: read("core")?,
        platform_fee_on_top: term["pfc"] == true,
    })
}

/// The split of each price of an event's sets.
pub(super) fn splits(visit: &Visit<'_>, sets: &Value, terms: &Terms) -> Vec<Split> {
    let mut splits = Vec::new();
    for set in sets.as_array().into_iter().flatten() {
        let rules = set["rules"].as_array().into_iter().flatten();
        let mut prices: Vec<Money> = rules.filter_map(|rule| rule["price_org"].as_str()?.parse().ok()).collect();
        prices.dedup();
        splits.extend(prices.into_iter().map(|price| split(visit, set, price, terms)));
    }
    splits
}

fn split(visit: &Visit<'_>, set: &Value, price: Money, terms: &Terms) -> Split {
    let ticket = TicketPrice::new(price, Money::ZERO, terms);
    let words = |sum: Money| match sum.to_string().parse() {
        Ok(sum) => visit.texts().amount(sum, visit.shop.settings.currency),
        Err(_) => sum.to_string(),
    };
    Split {
        set: set["name"].as_str().unwrap_or_default().to_owned(),
        price: words(price),
        full: words(ticket.full()),
        organizer: words(ticket.organizer),
        agent: words(ticket.agent()),
        platform: words(ticket.platform),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_percentages_or_amounts() {
        assert_eq!(share("91.00%"), Some(Share::Percent(Percent::from_units(910_000))));
        assert_eq!(share("150.00"), Some(Share::Amount(Money::from_minor(15_000))));
        assert_eq!(share("much"), None);
    }
}
