//! What is given back for a ticket, and who gives it, to the cent.
//!
//! Whatever is given back, each of organizer, agent and platform gives at most what it got, and what
//! they give adds up to what the customer gets.

use std::iter::Sum;
use std::ops::Add;

use serde::{Deserialize, Serialize};

use crate::money::{Money, Percent};
use crate::price::Price;

/// Money that is given back, taken apart twice: by what it was paid for, and by who gives it.
/// `nominal + extra = org + agent + core`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Back {
    /// Of the nominal price.
    pub nominal: Money,
    /// Of what was paid on top.
    pub extra: Money,
    /// What the organizer gives.
    pub org: Money,
    /// What the platform gives.
    pub core: Money,
}

impl Back {
    /// All that was paid: each gives what it got.
    pub(super) fn whole(price: &Price) -> Self {
        Self { nominal: price.nominal(), extra: price.extra, org: price.org, core: price.core }
    }

    /// The nominal price without the part that is kept. The extra stays with those who got it: the agent,
    /// and the platform where the customer paid the commission on top (`pfc`). Of the nominal price the
    /// organizer has its part, then the platform, then the agent, and each gives of its own.
    pub(super) fn of_nominal(price: &Price, pfc: bool, kept: Percent) -> Self {
        let nominal = price.nominal();
        let given = Percent::from_units((Percent::HUNDRED.units() - kept.units()).max(0));
        let org = price.org.min(nominal);
        let core = if pfc { Money::ZERO } else { price.core.min(nominal - org) };
        // Rounding sums, not parts: no part of the whole is lost, and nobody gives more than it has.
        let by_org = given.of(org);
        let by_both = given.of(org + core);
        Self { nominal: given.of(nominal), extra: Money::ZERO, org: by_org, core: by_both - by_org }
    }

    /// Whether it takes from nobody more than it got of a price, and of no part of the price more than was paid.
    pub(crate) fn is_within(&self, price: &Price) -> bool {
        let got_and_gives = [
            (price.org, self.org),
            (price.agent(), self.agent()),
            (price.core, self.core),
            (price.nominal(), self.nominal),
            (price.extra, self.extra),
        ];
        got_and_gives.iter().all(|(got, gives)| (Money::ZERO..=*got).contains(gives))
    }

    /// What the customer gets.
    pub fn value(&self) -> Money {
        self.nominal + self.extra
    }

    /// What the agent gives.
    pub fn agent(&self) -> Money {
        self.value() - self.org - self.core
    }
}

impl Add for Back {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            nominal: self.nominal + other.nominal,
            extra: self.extra + other.extra,
            org: self.org + other.org,
            core: self.core + other.core,
        }
    }
}

impl Sum for Back {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::price::{Share, Terms};
    use proptest::prelude::*;

    fn share() -> impl Strategy<Value = Share> {
        prop_oneof![
            (0_i64..2_000_000).prop_map(|units| Share::Percent(Percent::from_units(units))),
            (0_i64..2_000).prop_map(|minor| Share::Amount(Money::from_minor(minor))),
        ]
    }

    fn minor(back: Back) -> [i64; 5] {
        [back.value(), back.extra, back.org, back.agent(), back.core].map(Money::minor)
    }

    proptest! {
        #[test]
        fn nobody_gives_more_than_it_got_and_together_they_give_it_all(
            price in prop_oneof![0_i64..1_000, 0_i64..=Money::PRICE_MAX.minor()], discount in 0_i64..1_000,
            org in proptest::option::of(share()), extra in share(), core in share(), pfc: bool,
            kept in 0_i64..=1_000_000,
        ) {
            let terms = Terms { org, extra, core, pfc };
            let price = Price::new(Money::from_minor(price), Money::from_minor(discount), &terms);
            let part = Back::of_nominal(&price, pfc, Percent::from_units(kept));
            for back in [part, Back::whole(&price)] {
                prop_assert_eq!(back.nominal + back.extra, back.org + back.agent() + back.core);
                prop_assert!(back.is_within(&price), "{:?} {:?}", price, back);
            }
            prop_assert_eq!(Back::whole(&price).value(), price.full());
        }
    }

    #[test]
    fn a_cent_that_somebody_did_not_get_cannot_be_taken_from_it() {
        let terms = Terms { extra: Share::Percent(Percent::whole(10)), ..Terms::own_sale(Percent::whole(3)) };
        let price = Price::new(Money::from_minor(10_000), Money::ZERO, &terms);
        let (whole, cent) = (Back::whole(&price), Money::from_minor(1));
        assert!(whole.is_within(&price) && Back::default().is_within(&price));
        let beyond = [
            Back { org: whole.org + cent, ..whole },
            Back { org: whole.org - cent, ..whole },
            Back { core: whole.core + cent, ..whole },
            Back { nominal: whole.nominal + cent, extra: whole.extra - cent, ..whole },
            Back { nominal: whole.nominal - cent, extra: whole.extra + cent, ..whole },
            Back { nominal: -cent, extra: Money::ZERO, org: -cent, core: Money::ZERO },
        ];
        for back in beyond {
            assert!(!back.is_within(&price), "{back:?}");
        }
    }

    #[test]
    fn a_customer_gets_the_nominal_price_without_what_is_kept() {
        let percent = Percent::whole;
        let terms = |pfc| Terms {
            org: Some(Share::Percent(percent(90))),
            extra: Share::Percent(percent(10)),
            core: Share::Percent(percent(3)),
            pfc,
        };
        let price = |pfc| Price::new(Money::from_minor(10_000), Money::ZERO, &terms(pfc));
        // The customer paid 110.00: 90.00 to the organizer, 17.00 to the agent, 3.00 to the platform.
        assert_eq!(minor(Back::whole(&price(false))), [11_000, 1_000, 9_000, 1_700, 300]);
        assert_eq!(minor(Back::of_nominal(&price(false), false, percent(0))), [10_000, 0, 9_000, 700, 300]);
        assert_eq!(minor(Back::of_nominal(&price(false), false, percent(10))), [9_000, 0, 8_100, 630, 270]);
        assert_eq!(minor(Back::of_nominal(&price(false), false, percent(100))), [0; 5]);
        // With the commission on top it paid 113.00, of which 3.00 stay with the platform.
        assert_eq!(minor(Back::whole(&price(true))), [11_300, 1_300, 9_000, 2_000, 300]);
        assert_eq!(minor(Back::of_nominal(&price(true), true, percent(0))), [10_000, 0, 9_000, 1_000, 0]);
    }

    #[test]
    fn half_a_cent_is_rounded_up_once() {
        let terms = Terms::own_sale(Percent::from_units(30_000));
        let price = Price::new(Money::from_minor(333), Money::ZERO, &terms);
        let half = Back::of_nominal(&price, false, Percent::from_units(500_000));
        // 166.5 of 333; the organizer had 323 and the platform 10.
        assert_eq!(minor(half), [167, 0, 162, 0, 5]);
    }
}
