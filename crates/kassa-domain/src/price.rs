//! The price of one ticket and how it is split, to the cent (decisions §6).

use serde::{Deserialize, Serialize};

use crate::money::{Money, Percent};

/// A part of a ticket's price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Share {
    /// Of the nominal price.
    Percent(Percent),
    /// The same amount for each ticket.
    Amount(Money),
}

impl Share {
    /// The part of this price, rounded half up to the cent; an amount may be more than the price.
    pub fn of(self, nominal: Money) -> Money {
        match self {
            Self::Percent(percent) => percent.of(nominal),
            Self::Amount(amount) => amount,
        }
    }
}

/// The terms of a sale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The organizer's part; `None` when the organizer sells itself and gets all that is left.
    pub org: Option<Share>,
    /// What the agent adds.
    pub extra: Share,
    /// The platform's commission.
    pub core: Share,
    /// Whether the customer pays the commission on top.
    pub pfc: bool,
}

impl Terms {
    /// An organizer that sells its own event: no extra, no agent, but the commission.
    pub fn own_sale(commission: Percent) -> Self {
        Self { org: None, extra: Share::Amount(Money::ZERO), core: Share::Percent(commission), pfc: false }
    }

    /// What the agent keeps of the nominal price, besides its extra. Below zero when the extra has to
    /// pay for a part of the others; `None` when it is no percentage.
    pub fn agent(&self) -> Option<Percent> {
        let core = if self.pfc { Share::Percent(Percent::from_units(0)) } else { self.core };
        match (self.org?, core) {
            (Share::Percent(org), Share::Percent(core)) => {
                Some(Percent::from_units(Percent::HUNDRED.units() - org.units() - core.units()))
            }
            (Share::Amount(_), _) | (_, Share::Amount(_)) => None,
        }
    }
}

/// The price of one ticket, taken apart. `nominal = price - discount`, `full = nominal + extra`,
/// and `org + agent + core = full`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// Of the price rule.
    pub price: Money,
    /// Taken off by a promocode, a promotion or an invitation.
    pub discount: Money,
    /// Paid on top of the nominal price: the agent's extra, and the commission when the customer
    /// pays it.
    pub extra: Money,
    /// What the organizer gets.
    pub org: Money,
    /// What the platform gets.
    pub core: Money,
}

impl Price {
    /// Prices one ticket. `discount` counts up to `price`; a free ticket costs nobody anything.
    pub fn new(price: Money, discount: Money, terms: &Terms) -> Self {
        let discount = discount.clamp(Money::ZERO, price);
        let nominal = price - discount;
        if nominal == Money::ZERO {
            let none = Money::ZERO;
            return Self { price, discount, extra: none, org: none, core: none };
        }
        let commission = terms.core.of(nominal);
        let extra = terms.extra.of(nominal) + if terms.pfc { commission } else { Money::ZERO };
        let full = nominal + extra;
        let core = commission.min(full);
        let org = terms.org.map_or(full - core, |org| org.of(nominal).min(full - core));
        Self { price, discount, extra, org, core }
    }

    /// The price after discount.
    pub fn nominal(&self) -> Money {
        self.price - self.discount
    }

    /// What the customer pays.
    pub fn full(&self) -> Money {
        self.nominal() + self.extra
    }

    /// What is left for the agent.
    pub fn agent(&self) -> Money {
        self.full() - self.org - self.core
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn share() -> impl Strategy<Value = Share> {
        prop_oneof![
            (0_i64..2_000_000).prop_map(|units| Share::Percent(Percent::from_units(units))),
            (0_i64..10_000_000).prop_map(|minor| Share::Amount(Money::from_minor(minor))),
        ]
    }

    proptest! {
        #[test]
        fn the_shares_add_up_to_the_cent(
            price in 0_i64..=Money::PRICE_MAX.minor(),
            discount in 0_i64..=Money::PRICE_MAX.minor(),
            org in proptest::option::of(share()), extra in share(), core in share(), pfc: bool,
        ) {
            let terms = Terms { org, extra, core, pfc };
            let p = Price::new(Money::from_minor(price), Money::from_minor(discount), &terms);
            prop_assert_eq!(p.org + p.agent() + p.core, p.full());
            prop_assert_eq!(p.full(), p.price - p.discount + p.extra);
            for part in [p.org, p.agent(), p.core, p.extra, p.discount, p.nominal()] {
                prop_assert!(part >= Money::ZERO, "{:?}", p);
            }
        }
    }

    #[test]
    fn an_own_sale_pays_the_commission_only() {
        let terms = Terms::own_sale(Percent::from_units(30_000));
        let p = Price::new(Money::from_minor(10_000), Money::ZERO, &terms);
        assert_eq!((p.full().minor(), p.org.minor(), p.core.minor(), p.agent().minor()), (10_000, 9_700, 300, 0));
    }

    #[test]
    fn an_agent_keeps_what_the_others_leave() {
        let percent = |percent: i64| Share::Percent(Percent::whole(percent));
        let terms = |org, pfc| Terms { org, extra: percent(4), core: percent(3), pfc };
        let kept = |terms: Terms| terms.agent().map(|percent| percent.units() / 10_000);
        assert_eq!([kept(terms(Some(percent(91)), false)), kept(terms(Some(percent(93)), true))], [Some(6), Some(7)]);
        assert_eq!(kept(terms(Some(percent(99)), false)), Some(-2));
        let amount = Some(Share::Amount(Money::from_minor(100)));
        assert_eq!([kept(terms(amount, false)), kept(terms(None, false))], [None, None]);
    }

    #[test]
    fn the_commission_on_top_is_part_of_the_extra_shown() {
        let percent = |units| Share::Percent(Percent::from_units(units));
        let terms = Terms { org: Some(percent(1_000_000)), extra: percent(100_000), core: percent(30_000), pfc: true };
        let p = Price::new(Money::from_minor(10_000), Money::ZERO, &terms);
        assert_eq!(
            (p.full().minor(), p.extra.minor(), p.org.minor(), p.agent().minor()),
            (11_300, 1_300, 10_000, 1_000)
        );
    }
}
