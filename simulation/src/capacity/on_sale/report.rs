//! What came of a sale.

use super::super::fleet::Inventory;
pub use super::super::fleet::Usage;
use super::super::numbers::{count, float, share};
use super::Run;
use crate::capacity::SECOND;

/// Counts while it runs.
pub(super) struct SaleCounts {
    pub(super) came: u64,
    pub(super) requests: u64,
    pub(super) busy: u64,
    pub(super) lost: u64,
    pub(super) sold_out: u64,
    pub(super) left: u64,
    pub(super) gave_up: u64,
    pub(super) paid: u64,
    pub(super) lapsed: u64,
    pub(super) places: u64,
    /// Buyers in the order in which they got tickets, for each event.
    pub(super) served: Vec<Vec<u32>>,
    /// Buyers who came for each event.
    came_for: Vec<u64>,
    first_came: u64,
    /// Reservations of those who came for an event before as many others as it has tickets for.
    first_served: u64,
    /// Who was let in, and has neither tickets nor an answer that there are none.
    pub(super) inside: Vec<u64>,
    /// Reservations of each second.
    by_second: Vec<u64>,
    /// How busy everything was when the rush was over.
    pub(super) rush: Option<Usage>,
}

impl SaleCounts {
    pub(super) fn new(events: usize) -> Self {
        Self {
            came: 0,
            requests: 0,
            busy: 0,
            lost: 0,
            sold_out: 0,
            left: 0,
            gave_up: 0,
            paid: 0,
            lapsed: 0,
            places: 0,
            served: vec![Vec::new(); events],
            came_for: vec![0; events],
            first_came: 0,
            first_served: 0,
            inside: vec![0; events],
            by_second: Vec::new(),
            rush: None,
        }
    }

    /// A buyer comes: whether fewer than so many have come for its event before.
    pub(super) fn come(&mut self, event: usize, orders: u64) -> bool {
        let is_early = self.came_for[event] < orders;
        self.came += 1;
        self.came_for[event] += 1;
        self.first_came += u64::from(is_early);
        is_early
    }

    pub(super) fn serve(&mut self, event: usize, (buyer, is_early): (u32, bool), now: u64) {
        self.served[event].push(buyer);
        self.first_served += u64::from(is_early);
        let second = usize::try_from(now / SECOND).unwrap_or(0);
        if self.by_second.len() <= second {
            self.by_second.resize(second + 1, 0);
        }
        self.by_second[second] += 1;
    }
}

/// A sale, when nobody is left.
#[derive(Clone, Debug, PartialEq)]
pub struct SaleReport {
    /// Orders that could be had at most.
    pub orders_to_be_had: u64,
    /// Buyers who came.
    pub came: u64,
    /// Orders that hold tickets for ever.
    pub paid: u64,
    /// Holds that nobody paid for.
    pub lapsed: u64,
    /// Orders that neither were paid nor lapsed: none, at the end.
    pub held: u64,
    /// Orders whose tickets nobody wanted.
    pub free: u64,
    /// Reservations, those that lapsed included.
    pub reserved: u64,
    /// Reservations of the best second.
    pub reserved_per_second_max: u64,
    /// Requests that reached a server, without questions for a place in the queue.
    pub requests: u64,
    /// Questions for a place in the queue.
    pub places: u64,
    /// Answers 503.
    pub busy: u64,
    /// Requests that nobody answered.
    pub lost: u64,
    /// Reservations that found nothing.
    pub sold_out: u64,
    /// Buyers who went when they heard that there is nothing.
    pub left: u64,
    /// Buyers who had enough of waiting.
    pub gave_up: u64,
    /// A reservation that was made, from its request to its answer, in microseconds.
    pub reserve_mean_us: f64,
    /// The same of all but one in a hundred.
    pub reserve_p99_us: u64,
    /// The longest time in front, in microseconds.
    pub queued_us_max: u64,
    /// Buyers in front at the same time, at most.
    pub queued_max: u64,
    /// Processor time of all machines, in microseconds.
    pub processor_us: u64,
    /// The part of it for requests that brought nothing: refused, lost, or sold out.
    pub wasted_share: f64,
    /// The rank correlation of coming and being served: 1 where each is served in turn.
    pub fairness: f64,
    /// Of those who were among the first to come for an event, as many as it has orders for, the share that got tickets.
    pub first_come_share: f64,
    /// How busy everything was until the rush was over.
    pub rush_usage: Option<Usage>,
    /// When the last one was served, paid or gone, in microseconds.
    pub ended_at: u64,
}

impl Run<'_> {
    pub(super) fn report(&mut self, end: u64) -> SaleReport {
        let tickets = |part: fn(&Inventory) -> u64| self.fleet.inventory.iter().map(part).sum::<u64>();
        let processor_us = self.fleet.processor_us();
        SaleReport {
            orders_to_be_had: self.sale.orders_per_event * count(self.sale.arrangement.events),
            came: self.counts.came,
            paid: self.counts.paid,
            lapsed: self.counts.lapsed,
            held: tickets(|event| event.held),
            free: tickets(|event| event.free),
            reserved: self.counts.served.iter().map(|served| count(served.len())).sum(),
            reserved_per_second_max: self.counts.by_second.iter().copied().max().unwrap_or(0),
            requests: self.counts.requests,
            places: self.counts.places,
            busy: self.counts.busy,
            lost: self.counts.lost,
            sold_out: self.counts.sold_out,
            left: self.counts.left,
            gave_up: self.counts.gave_up,
            reserve_mean_us: self.reserve_latencies.mean_us(),
            reserve_p99_us: self.reserve_latencies.quantile(0.99),
            queued_us_max: self.front.longest_us,
            queued_max: self.front.most,
            processor_us,
            wasted_share: share(self.fleet.wasted_us, processor_us),
            fairness: weighted(&self.counts.served, rank_correlation),
            first_come_share: share(self.counts.first_served, self.counts.first_came),
            rush_usage: self.counts.rush,
            ended_at: end,
        }
    }
}

/// The mean over all events, by those who were served.
fn weighted(served: &[Vec<u32>], of_event: impl Fn(&[u32]) -> f64) -> f64 {
    let all: u64 = served.iter().map(|served| count(served.len())).sum();
    let sum: f64 = served.iter().map(|served| of_event(served) * float(count(served.len()))).sum();
    if all == 0 { 0.0 } else { sum / float(all) }
}

/// Spearman's rank correlation of the numbers of buyers and the order in which they stand.
fn rank_correlation(order: &[u32]) -> f64 {
    let length = float(count(order.len()));
    if order.len() < 2 {
        return 1.0;
    }
    let mut by_number: Vec<usize> = (0..order.len()).collect();
    by_number.sort_by_key(|place| order[*place]);
    let differences = by_number.iter().enumerate().map(|(rank, place)| float(count(rank.abs_diff(*place))).powi(2));
    1.0 - 6.0 * differences.sum::<f64>() / (length * (length * length - 1.0))
}

#[cfg(test)]
mod tests {
    use super::rank_correlation;

    #[test]
    fn order_correlates_with_itself_and_against_its_reverse() {
        let check = |order: &[u32], expect: f64| assert!((rank_correlation(order) - expect).abs() < 1e-9, "{order:?}");
        check(&[2, 5, 9, 11], 1.0);
        check(&[11, 9, 5, 2], -1.0);
    }
}
