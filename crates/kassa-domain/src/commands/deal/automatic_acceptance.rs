//! Which proposals of agents an organizer accepts without looking at them.

use std::cmp::Ordering;

use crate::model::partner::StandardTerms;
use crate::values::money::{Money, Percent};
use crate::values::price::{Share, Terms, TicketPrice};

impl StandardTerms {
    /// Whether a deal under `proposed` is no worse for the organizer than one under its standard terms, at each of these
    /// prices and to the cent. Without a price above zero, the shares themselves must compare.
    pub(super) fn accepts(&self, proposed: &Terms, prices: impl Iterator<Item = Money>) -> bool {
        let mut prices = prices.filter(|price| *price > Money::ZERO).peekable();
        if prices.peek().is_none() {
            return self.accepts_at_any_price(proposed);
        }
        let standard = self.with_commission(proposed.platform_share);
        let dearest = Terms { markup: self.markup_max, ..standard };
        prices.all(|price| {
            let offered = TicketPrice::new(price, Money::ZERO, proposed);
            offered.organizer >= TicketPrice::new(price, Money::ZERO, &standard).organizer
                && offered.full() <= TicketPrice::new(price, Money::ZERO, &dearest).full()
                && proposed.markup.of(price) <= self.markup_max.of(price)
        })
    }

    /// The same, where nothing is known of the prices.
    fn accepts_at_any_price(&self, proposed: &Terms) -> bool {
        let Some(offered) = proposed.organizer_share else { return false };
        // Percentages that the price cannot cover make no deal: the organizer gets its share, whatever the markup is.
        let is_covered = matches!((offered, proposed.markup), (Share::Percent(_), Share::Percent(_)));
        proposed.platform_fee_on_top == self.platform_fee_on_top
            && is_at_least(offered, self.organizer_share)
            && (is_covered || is_at_least(proposed.markup, self.markup))
            && is_at_least(self.markup_max, proposed.markup)
    }

    fn with_commission(&self, commission: Share) -> Terms {
        Terms {
            organizer_share: Some(self.organizer_share),
            markup: self.markup,
            platform_share: commission,
            platform_fee_on_top: self.platform_fee_on_top,
        }
    }
}

/// Whether one share is no less than another at any price. An amount and a percentage compare only where one is zero.
fn is_at_least(one: Share, other: Share) -> bool {
    let order = match (one, other) {
        (Share::Percent(one), Share::Percent(other)) => one.cmp(&other),
        (Share::Amount(one), Share::Amount(other)) => one.cmp(&other),
        (Share::Percent(_), Share::Amount(other)) => return other == Money::ZERO,
        (Share::Amount(_), Share::Percent(other)) => return other == Percent::from_units(0),
    };
    order != Ordering::Less
}
