//! The prices of an order's lines: what is taken off each ticket.

use crate::model::order::{Order, OrderLine, PromotionGrant};
use crate::model::promocode::Promocode;
use crate::model::set::TicketSet;
use crate::refusal::Refusal;
use crate::values::money::Money;
use crate::values::price::{Share, Terms, TicketPrice};
use crate::values::resource_ids::{PromocodeId, PromotionId, SetId};
use crate::values::time::Timestamp;
use crate::view::View;

/// What takes something off a ticket: one thing at a time.
#[derive(Clone, Copy)]
enum Discount {
    Promocode(PromocodeId),
    Promotion(PromotionId),
}

/// All that may take something off the tickets of an order.
struct Discounts<'a> {
    promocodes: Vec<&'a Promocode>,
    grants: Vec<(&'a PromotionGrant, Share)>,
    is_invitation: bool,
    terms: Terms,
}

/// The price of a ticket, and what takes something off it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiscountedPrice {
    /// What it costs, and who gets how much.
    pub price: TicketPrice,
    /// The promocode that acts.
    pub promocode: Option<PromocodeId>,
    /// The promotion that acts.
    pub promotion: Option<PromotionId>,
}

impl Order {
    /// Prices all lines anew, from their rules' prices: after a change of tickets, codes or payment.
    pub(super) fn reprice(&mut self, view: &View) -> Result<(), Refusal> {
        if self.promocodes.iter().any(|id| view.promocodes.get(*id).is_none()) {
            return Err(Refusal::Stale);
        }
        let cuts = self.discounts(view);
        let prices: Vec<DiscountedPrice> =
            self.lines.iter().map(|line| cuts.price(line.set, line.price.price)).collect();
        for (line, cut) in self.lines.iter_mut().zip(prices) {
            (line.price, line.promocode, line.promotion) = (cut.price, cut.promocode, cut.promotion);
        }
        Ok(())
    }

    /// The price of one ticket of a set as the order shows it, with what acts on it: that of its newest one,
    /// else what one more would cost by the rule whose price is shown at `now`. The view has the promocodes
    /// that the order names.
    pub fn price_for_set(&self, set: &TicketSet, now: Timestamp, view: &View) -> DiscountedPrice {
        if let Some(OrderLine { price, promocode, promotion, .. }) =
            self.lines.iter().rev().find(|line| line.set == set.id)
        {
            return DiscountedPrice { price: *price, promocode: *promocode, promotion: *promotion };
        }
        let price = set.shown_rule(now).map_or(Money::ZERO, |rule| rule.price);
        self.discounts(view).price(set.id, price)
    }

    /// What acts on its tickets, as many as it has.
    fn discounts<'a>(&'a self, view: &'a View) -> Discounts<'a> {
        let named = self.promocodes.iter().filter_map(|id| view.promocodes.get(*id));
        let codes = named
            .filter(|promocode| promocode.ticket_count_limits.allows(self.count_covered_tickets(promocode)))
            .collect();
        let tickets = || self.lines.iter().map(|line| (line.set, line.price.price));
        let shares = self.promotion_grants.iter().map(|grant| (grant, grant.discount.share_for(tickets())));
        let grants = shares.filter_map(|(grant, share)| share.map(|share| (grant, share))).collect();
        Discounts { promocodes: codes, grants, is_invitation: self.payment.is_invitation(), terms: self.terms }
    }
}

impl Discounts<'_> {
    /// What one ticket of a set costs whose rule has this price.
    fn price(&self, set: SetId, price: Money) -> DiscountedPrice {
        let best = if self.is_invitation { None } else { self.best_discount(set, price) };
        let discount = if self.is_invitation { price } else { best.map_or(Money::ZERO, |(_, discount)| discount) };
        let (promocode, promotion) = match best {
            Some((Discount::Promocode(promocode), _)) => (Some(promocode), None),
            Some((Discount::Promotion(promotion), _)) => (None, Some(promotion)),
            None => (None, None),
        };
        DiscountedPrice { price: TicketPrice::new(price, discount, &self.terms), promocode, promotion }
    }

    /// What takes most off a ticket, and how much; of equals a code rather than a promotion, and of those the first.
    fn best_discount(&self, set: SetId, price: Money) -> Option<(Discount, Money)> {
        let grants = self.grants.iter().rev().filter(|(grant, _)| grant.discount.covers(set));
        let grants = grants.map(|(grant, share)| (Discount::Promotion(grant.promotion), share.of(price).min(price)));
        let codes = self.promocodes.iter().rev().filter(|promocode| promocode.covers(set));
        let codes = codes.map(|promocode| (Discount::Promocode(promocode.id), promocode.discount_on(price)));
        // Of equals this gives the last: hence from the end.
        grants.chain(codes).max_by_key(|(_, discount)| *discount)
    }
}
