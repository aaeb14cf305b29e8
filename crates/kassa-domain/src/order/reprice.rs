//! The prices of an order's lines: what is taken off each ticket.

use super::{Line, Order, Promise};
use crate::money::Money;
use crate::price::{Price, Share};
use crate::promocode::{Promocode, PromocodeId};
use crate::promotion::PromotionId;
use crate::refusal::Refusal;
use crate::view::View;

/// What takes something off a ticket: one thing at a time.
#[derive(Clone, Copy)]
enum Cut {
    Promocode(PromocodeId),
    Promotion(PromotionId),
}

impl Order {
    /// Prices all lines anew, from their rules' prices: after a change of tickets, codes or payment.
    pub(super) fn reprice(&mut self, view: &View) -> Result<(), Refusal> {
        let named: Option<Vec<&Promocode>> = self.promocodes.iter().map(|id| view.promocodes.get(*id)).collect();
        let mut codes = named.ok_or(Refusal::Stale)?;
        codes.retain(|promocode| promocode.tickets_count.allows(self.count_for(promocode)));
        let tickets = || self.lines.iter().map(|line| (line.set, line.price.price));
        let shares = self.promises.iter().map(|promise| (promise, promise.discount.share_for(tickets())));
        let promises: Vec<(&Promise, Share)> =
            shares.filter_map(|(promise, share)| share.map(|share| (promise, share))).collect();
        let (terms, invitation) = (self.terms, self.payment.invites());
        for line in &mut self.lines {
            let price = line.price.price;
            let best = if invitation { None } else { best_for(line, &codes, &promises) };
            let discount = if invitation { price } else { best.map_or(Money::ZERO, |(_, discount)| discount) };
            (line.promocode, line.promotion) = match best {
                Some((Cut::Promocode(promocode), _)) => (Some(promocode), None),
                Some((Cut::Promotion(promotion), _)) => (None, Some(promotion)),
                None => (None, None),
            };
            line.price = Price::new(price, discount, &terms);
        }
        Ok(())
    }
}

/// What takes most off the ticket, and how much; of equals a code rather than a promotion, and of those the first.
fn best_for(line: &Line, codes: &[&Promocode], promises: &[(&Promise, Share)]) -> Option<(Cut, Money)> {
    let price = line.price.price;
    let promises = promises.iter().rev().filter(|(promise, _)| promise.discount.covers(line.set));
    let promises = promises.map(|(promise, share)| (Cut::Promotion(promise.promotion), share.of(price).min(price)));
    let codes = codes.iter().rev().filter(|promocode| promocode.covers(line.set));
    let codes = codes.map(|promocode| (Cut::Promocode(promocode.id), promocode.discount_on(price)));
    // Of equals this gives the last: hence from the end.
    promises.chain(codes).max_by_key(|(_, discount)| *discount)
}
