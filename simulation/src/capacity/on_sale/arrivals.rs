//! When buyers come, and for what: a rush at the opening, and a tail.

use super::super::numbers::{count, float, rounded};
use super::super::random_stream::RandomStream;
use super::Sale;

/// Buyers in the order in which they come.
pub(super) struct Arrivals {
    next: u32,
}

impl Arrivals {
    pub(super) fn new(_: &Sale) -> Self {
        Self { next: 0 }
    }

    /// The next buyer's number, if there is one.
    pub(super) fn take(&mut self, sale: &Sale) -> Option<u32> {
        let buyer = self.next;
        self.next += 1;
        (buyer < sale.buyers).then_some(buyer)
    }

    /// When the buyer after the last one comes.
    pub(super) fn next_at(&self, sale: &Sale, random: &mut RandomStream) -> u64 {
        // Its share of all is drawn from its own slice of them: so buyers come in order, and none is drawn before its time.
        let share = (f64::from(self.next) + random.unit()) / f64::from(sale.buyers);
        if share < sale.rush_share {
            return rounded(share / sale.rush_share * float(sale.rush_us));
        }
        let left = ((1.0 - share) / (1.0 - sale.rush_share)).max(f64::MIN_POSITIVE);
        sale.rush_us + rounded(-left.ln() * float(sale.tail_us))
    }
}

/// The event that a buyer wants.
pub(super) fn wanted_event(sale: &Sale, random: &mut RandomStream) -> usize {
    let others = count(sale.arrangement.events) - 1;
    if others == 0 || random.chance(sale.hottest_share) {
        return 0;
    }
    usize::try_from(1 + random.below(others)).unwrap_or(0)
}
