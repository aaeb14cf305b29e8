//! The promotions that are granted to an order.
//!
//! - An order that takes tickets while a promotion runs for them is granted it, as it then is. The grant
//!   stands: the promotion may end, change or be removed, and the order's price does not.
//! - Which level the order has reached follows from all of its tickets, whenever they change.
//! - It is granted nothing by time alone: one that was there before a promotion began has its benefit
//!   when it takes another ticket.
//! - On each ticket acts one grant or one promocode, the one that takes most off (see the `reprice` module).
//! - A paid order keeps the grants that act on its tickets, and forgets the others.

use crate::model::order::{Order, PromotionGrant};
use crate::model::promotion::Promotion;
use crate::values::time::Timestamp;
use crate::view::View;

/// The most grants that one order has: later promotions are not for it.
pub const PROMOTION_GRANTS_MAX: usize = 10;

impl Order {
    /// Grants the order the promotions that run for the lines from `first` on: it has just taken them.
    pub(super) fn grant_promotions(&mut self, first: usize, now: Timestamp, view: &View) {
        let taken = &self.lines[first..];
        let concerns = |promotion: &&Promotion| taken.iter().any(|line| promotion.discount.covers(line.set));
        let mut running: Vec<&Promotion> =
            view.promotions_of(self.event).filter(|promotion| promotion.is_running(now)).filter(concerns).collect();
        running.retain(|promotion| self.promotion_grants.iter().all(|grant| grant.promotion != promotion.id));
        running.sort_unstable_by_key(|promotion| promotion.id);
        running.truncate(PROMOTION_GRANTS_MAX.saturating_sub(self.promotion_grants.len()));
        let grant =
            |promotion: &Promotion| PromotionGrant { promotion: promotion.id, discount: promotion.discount.clone() };
        self.promotion_grants.extend(running.into_iter().map(grant));
    }

    /// The order is paid: what does not act on its tickets is forgotten.
    pub(super) fn retain_applied_grants(&mut self) {
        let lines = &self.lines;
        self.promotion_grants.retain(|grant| lines.iter().any(|line| line.promotion == Some(grant.promotion)));
    }
}
