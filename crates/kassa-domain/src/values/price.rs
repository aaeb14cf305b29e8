//! The price of one ticket and how it is split, to the cent.

use serde::{Deserialize, Serialize};

use super::money::{Money, Percent};

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
///
/// Orders store them as a list of these fields: their number and order never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// The organizer's part; `None` when the organizer sells itself and gets all that is left.
    pub organizer_share: Option<Share>,
    /// What the agent adds.
    pub markup: Share,
    /// The platform's commission.
    pub platform_share: Share,
    /// Whether the customer pays the commission on top.
    pub platform_fee_on_top: bool,
}

impl Terms {
    /// An organizer that sells its own event: no extra, no agent, but the commission.
    pub fn own_sale(commission: Percent) -> Self {
        Self {
            organizer_share: None,
            markup: Share::Amount(Money::ZERO),
            platform_share: Share::Percent(commission),
            platform_fee_on_top: false,
        }
    }

    /// What the agent keeps of the nominal price, besides its extra. Below zero when the extra has to
    /// pay for a part of the others; `None` when it is not a percentage.
    pub fn agent_percent(&self) -> Option<Percent> {
        let core = if self.platform_fee_on_top { Share::Percent(Percent::from_units(0)) } else { self.platform_share };
        match (self.organizer_share?, core) {
            (Share::Percent(org), Share::Percent(core)) => {
                Some(Percent::from_units(Percent::HUNDRED.units() - org.units() - core.units()))
            }
            (Share::Amount(_), _) | (_, Share::Amount(_)) => None,
        }
    }
}

/// The price of one ticket, taken apart. `nominal = price - discount`, `full = nominal + extra`,
/// and `org + agent + core = full`.
///
/// Orders store it as a list of these fields: their number and order never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketPrice {
    /// Of the price rule.
    pub price: Money,
    /// Taken off by a promocode, a promotion or an invitation.
    pub discount: Money,
    /// Paid on top of the nominal price: the agent's extra, and the commission when the customer
    /// pays it.
    pub surcharge: Money,
    /// What the organizer gets.
    pub organizer: Money,
    /// What the platform gets.
    pub platform: Money,
}

impl TicketPrice {
    /// Prices one ticket. `discount` counts up to `price`; a free ticket costs nobody anything.
    pub fn new(price: Money, discount: Money, terms: &Terms) -> Self {
        let discount = discount.clamp(Money::ZERO, price);
        let nominal = price - discount;
        if nominal == Money::ZERO {
            let none = Money::ZERO;
            return Self { price, discount, surcharge: none, organizer: none, platform: none };
        }
        let commission = terms.platform_share.of(nominal);
        let extra = terms.markup.of(nominal) + if terms.platform_fee_on_top { commission } else { Money::ZERO };
        let full = nominal + extra;
        let core = commission.min(full);
        let org = terms.organizer_share.map_or(full - core, |org| org.of(nominal).min(full - core));
        Self { price, discount, surcharge: extra, organizer: org, platform: core }
    }

    /// The price after discount.
    pub fn nominal(&self) -> Money {
        self.price - self.discount
    }

    /// What the customer pays.
    pub fn full(&self) -> Money {
        self.nominal() + self.surcharge
    }

    /// What is left for the agent.
    pub fn agent(&self) -> Money {
        self.full() - self.organizer - self.platform
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
            organizer_share in proptest::option::of(share()), markup in share(), platform_share in share(), platform_fee_on_top: bool,
        ) {
            let terms = Terms { organizer_share, markup, platform_share, platform_fee_on_top };
            let p = TicketPrice::new(Money::from_minor(price), Money::from_minor(discount), &terms);
            prop_assert_eq!(p.organizer + p.agent() + p.platform, p.full());
            prop_assert_eq!(p.full(), p.price - p.discount + p.surcharge);
            for part in [p.organizer, p.agent(), p.platform, p.surcharge, p.discount, p.nominal()] {
                prop_assert!(part >= Money::ZERO, "{:?}", p);
            }
        }
    }

    #[test]
    fn an_own_sale_pays_the_commission_only() {
        let terms = Terms::own_sale(Percent::from_units(30_000));
        let p = TicketPrice::new(Money::from_minor(10_000), Money::ZERO, &terms);
        assert_eq!(
            (p.full().minor(), p.organizer.minor(), p.platform.minor(), p.agent().minor()),
            (10_000, 9_700, 300, 0)
        );
    }

    #[test]
    fn an_agent_keeps_what_the_others_leave() {
        let percent = |percent: i64| Share::Percent(Percent::from_percent(percent));
        let terms = |org, pfc| Terms {
            organizer_share: org,
            markup: percent(4),
            platform_share: percent(3),
            platform_fee_on_top: pfc,
        };
        let kept = |terms: Terms| terms.agent_percent().map(|percent| percent.units() / 10_000);
        assert_eq!([kept(terms(Some(percent(91)), false)), kept(terms(Some(percent(93)), true))], [Some(6), Some(7)]);
        assert_eq!(kept(terms(Some(percent(99)), false)), Some(-2));
        let amount = Some(Share::Amount(Money::from_minor(100)));
        assert_eq!([kept(terms(amount, false)), kept(terms(None, false))], [None, None]);
    }

    #[test]
    fn the_commission_on_top_is_part_of_the_extra_shown() {
        let percent = |units| Share::Percent(Percent::from_units(units));
        let terms = Terms {
            organizer_share: Some(percent(1_000_000)),
            markup: percent(100_000),
            platform_share: percent(30_000),
            platform_fee_on_top: true,
        };
        let p = TicketPrice::new(Money::from_minor(10_000), Money::ZERO, &terms);
        assert_eq!(
            (p.full().minor(), p.surcharge.minor(), p.organizer.minor(), p.agent().minor()),
            (11_300, 1_300, 10_000, 1_000)
        );
    }
}
