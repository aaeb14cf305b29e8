//! The promotions that an order was promised.
//!
//! - An order that takes tickets while a promotion runs for them is promised it, as it then is. The promise
//!   stands: the promotion may end, change or be removed, and the order's price does not.
//! - Which level the order has reached is told by all of its tickets, whenever they change.
//! - It is promised nothing by time alone: one that was there before a promotion began has its benefit
//!   when it takes another ticket.
//! - On each ticket acts one promise or one promocode, the one that takes most off (see the `reprice` module).
//! - A paid order keeps the promises that act on its tickets, and forgets the others.

use crate::model::order::{Order, PromotionGrant};
use crate::model::promotion::Promotion;
use crate::values::time::Timestamp;
use crate::view::View;

/// The most promises that one order has: others that would follow are not for it.
pub const PROMOTION_GRANTS_MAX: usize = 10;

impl Order {
    /// Promises the order what runs for the lines from `first` on: it has just taken them.
    pub(super) fn grant_promotions(&mut self, first: usize, now: Timestamp, view: &View) {
        let taken = &self.lines[first..];
        let concerns = |promotion: &&Promotion| taken.iter().any(|line| promotion.discount.covers(line.set));
        let mut running: Vec<&Promotion> =
            view.promotions_of(self.event).filter(|promotion| promotion.is_running(now)).filter(concerns).collect();
        running.retain(|promotion| self.promotion_grants.iter().all(|promise| promise.promotion != promotion.id));
        running.sort_unstable_by_key(|promotion| promotion.id);
        running.truncate(PROMOTION_GRANTS_MAX.saturating_sub(self.promotion_grants.len()));
        let promise =
            |promotion: &Promotion| PromotionGrant { promotion: promotion.id, discount: promotion.discount.clone() };
        self.promotion_grants.extend(running.into_iter().map(promise));
    }

    /// The order is paid: what does not act on its tickets is forgotten.
    pub(super) fn retain_applied_grants(&mut self) {
        let lines = &self.lines;
        self.promotion_grants.retain(|promise| lines.iter().any(|line| line.promotion == Some(promise.promotion)));
    }
}
