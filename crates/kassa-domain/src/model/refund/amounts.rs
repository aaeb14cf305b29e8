//! What is given back for a ticket, and who gives it, to the cent.
//!
//! Whatever is given back, each of organizer, agent and platform gives at most what it got, and what
//! they give adds up to what the customer gets.

use std::iter::Sum;
use std::ops::Add;

use serde::{Deserialize, Serialize};

use crate::values::money::{Money, Percent};
use crate::values::price::TicketPrice;

/// Money that is given back, taken apart twice: by what it was paid for, and by who gives it.
/// `nominal + extra = org + agent + core`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundAmounts {
    /// Of the nominal price.
    pub nominal: Money,
    /// Of what was paid on top.
    pub surcharge: Money,
    /// What the organizer gives.
    pub organizer: Money,
    /// What the platform gives.
    pub platform: Money,
}

impl RefundAmounts {
    /// All that was paid: each gives what it got.
    pub(crate) fn full_refund(price: &TicketPrice) -> Self {
        Self {
            nominal: price.nominal(),
            surcharge: price.surcharge,
            organizer: price.organizer,
            platform: price.platform,
        }
    }

    /// The nominal price without the part that is kept. The extra stays with those who got it: the agent,
    /// and the platform where the customer paid the commission on top (`pfc`). Of the nominal price the
    /// organizer has its part, then the platform, then the agent, and each gives of its own.
    pub(crate) fn nominal_refund(price: &TicketPrice, pfc: bool, kept: Percent) -> Self {
        let nominal = price.nominal();
        let given = Percent::from_units((Percent::HUNDRED.units() - kept.units()).max(0));
        let org = price.organizer.min(nominal);
        let core = if pfc { Money::ZERO } else { price.platform.min(nominal - org) };
        // Rounding sums, not parts: no part of the whole is lost, and nobody gives more than it has.
        let by_org = given.of(org);
        let by_both = given.of(org + core);
        Self { nominal: given.of(nominal), surcharge: Money::ZERO, organizer: by_org, platform: by_both - by_org }
    }

    /// Whether it takes from nobody more than it got of a price, and of no part of the price more than was paid.
    pub(crate) fn is_within(&self, price: &TicketPrice) -> bool {
        let got_and_gives = [
            (price.organizer, self.organizer),
            (price.agent(), self.agent()),
            (price.platform, self.platform),
            (price.nominal(), self.nominal),
            (price.surcharge, self.surcharge),
        ];
        got_and_gives.iter().all(|(got, gives)| (Money::ZERO..=*got).contains(gives))
    }

    /// What the customer gets.
    pub fn total(&self) -> Money {
        self.nominal + self.surcharge
    }

    /// What the agent gives.
    pub fn agent(&self) -> Money {
        self.total() - self.organizer - self.platform
    }
}

impl Add for RefundAmounts {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            nominal: self.nominal + other.nominal,
            surcharge: self.surcharge + other.surcharge,
            organizer: self.organizer + other.organizer,
            platform: self.platform + other.platform,
        }
    }
}

impl Sum for RefundAmounts {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::price::{Share, Terms};
    use proptest::prelude::*;

    fn share() -> impl Strategy<Value = Share> {
        prop_oneof![
            (0_i64..2_000_000).prop_map(|units| Share::Percent(Percent::from_units(units))),
            (0_i64..2_000).prop_map(|minor| Share::Amount(Money::from_minor(minor))),
        ]
    }

    fn minor(back: RefundAmounts) -> [i64; 5] {
        [back.total(), back.surcharge, back.organizer, back.agent(), back.platform].map(Money::minor)
    }

    proptest! {
        #[test]
        fn nobody_gives_more_than_it_got_and_together_they_give_it_all(
            price in prop_oneof![0_i64..1_000, 0_i64..=Money::PRICE_MAX.minor()], discount in 0_i64..1_000,
            organizer_share in proptest::option::of(share()), markup in share(), platform_share in share(), platform_fee_on_top: bool,
            kept in 0_i64..=1_000_000,
        ) {
            let terms = Terms { organizer_share, markup, platform_share, platform_fee_on_top };
            let price = TicketPrice::new(Money::from_minor(price), Money::from_minor(discount), &terms);
            let part = RefundAmounts::nominal_refund(&price, platform_fee_on_top, Percent::from_units(kept));
            for back in [part, RefundAmounts::full_refund(&price)] {
                prop_assert_eq!(back.nominal + back.surcharge, back.organizer + back.agent() + back.platform);
                prop_assert!(back.is_within(&price), "{:?} {:?}", price, back);
            }
            prop_assert_eq!(RefundAmounts::full_refund(&price).total(), price.full());
        }
    }

    #[test]
    fn a_cent_that_somebody_did_not_get_cannot_be_taken_from_it() {
        let terms =
            Terms { markup: Share::Percent(Percent::from_percent(10)), ..Terms::own_sale(Percent::from_percent(3)) };
        let price = TicketPrice::new(Money::from_minor(10_000), Money::ZERO, &terms);
        let (whole, cent) = (RefundAmounts::full_refund(&price), Money::from_minor(1));
        assert!(whole.is_within(&price) && RefundAmounts::default().is_within(&price));
        let beyond = [
            RefundAmounts { organizer: whole.organizer + cent, ..whole },
            RefundAmounts { organizer: whole.organizer - cent, ..whole },
            RefundAmounts { platform: whole.platform + cent, ..whole },
            RefundAmounts { nominal: whole.nominal + cent, surcharge: whole.surcharge - cent, ..whole },
            RefundAmounts { nominal: whole.nominal - cent, surcharge: whole.surcharge + cent, ..whole },
            RefundAmounts { nominal: -cent, surcharge: Money::ZERO, organizer: -cent, platform: Money::ZERO },
        ];
        for back in beyond {
            assert!(!back.is_within(&price), "{back:?}");
        }
    }

    #[test]
    fn a_customer_gets_the_nominal_price_without_what_is_kept() {
        let percent = Percent::from_percent;
        let terms = |pfc| Terms {
            organizer_share: Some(Share::Percent(percent(90))),
            markup: Share::Percent(percent(10)),
            platform_share: Share::Percent(percent(3)),
            platform_fee_on_top: pfc,
        };
        let price = |pfc| TicketPrice::new(Money::from_minor(10_000), Money::ZERO, &terms(pfc));
        // The customer paid 110.00: 90.00 to the organizer, 17.00 to the agent, 3.00 to the platform.
        assert_eq!(minor(RefundAmounts::full_refund(&price(false))), [11_000, 1_000, 9_000, 1_700, 300]);
        assert_eq!(
            minor(RefundAmounts::nominal_refund(&price(false), false, percent(0))),
            [10_000, 0, 9_000, 700, 300]
        );
        assert_eq!(
            minor(RefundAmounts::nominal_refund(&price(false), false, percent(10))),
            [9_000, 0, 8_100, 630, 270]
        );
        assert_eq!(minor(RefundAmounts::nominal_refund(&price(false), false, percent(100))), [0; 5]);
        // With the commission on top it paid 113.00, of which 3.00 stay with the platform.
        assert_eq!(minor(RefundAmounts::full_refund(&price(true))), [11_300, 1_300, 9_000, 2_000, 300]);
        assert_eq!(minor(RefundAmounts::nominal_refund(&price(true), true, percent(0))), [10_000, 0, 9_000, 1_000, 0]);
    }

    #[test]
    fn half_a_cent_is_rounded_up_once() {
        let terms = Terms::own_sale(Percent::from_units(30_000));
        let price = TicketPrice::new(Money::from_minor(333), Money::ZERO, &terms);
        let half = RefundAmounts::nominal_refund(&price, false, Percent::from_units(500_000));
        // 166.5 of 333; the organizer had 323 and the platform 10.
        assert_eq!(minor(half), [167, 0, 162, 0, 5]);
    }
}
