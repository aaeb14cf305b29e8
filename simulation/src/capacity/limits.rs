//! What one event can sell, and how many machines so many orders a second need: arithmetic, without simulation.

use super::SECOND;
use super::costs::{BATCH_ORDERS_MAX, Costs};
use super::numbers::{count, float, rounded};

/// How much of its processors a machine may use, so that what comes unevenly does not wait.
pub const BUSY_SHARE: f64 = 0.6;
/// Writes of a purchase: an order, who buys, the payment.
const WRITES_OF_PURCHASE: u64 = 3;

/// How long a batch of orders of one event takes in its lane, and for how long the event is locked, in microseconds.
pub fn batch_us(costs: &Costs, orders: u64) -> (u64, u64) {
    let lane = costs.batch_lane + orders * costs.order.lane;
    let session = costs.batch_session + orders * costs.order.session;
    let whole = lane + session + 3 * costs.round_trip + costs.flush;
    // Before the lock: half of what the lane does for any batch, a round trip, and what loads.
    let before = costs.batch_lane / 2 + costs.round_trip + session / 2;
    (whole, whole - before)
}

/// Orders a second of one event at one server, when batches are full.
pub fn orders_per_second_of_lane(costs: &Costs) -> f64 {
    let orders = count(BATCH_ORDERS_MAX);
    float(orders * SECOND) / float(batch_us(costs, orders).0)
}

/// Orders a second of one event that is sold at many servers: batches of others are loaded while one holds the lock.
pub fn orders_per_second_of_lock(costs: &Costs) -> f64 {
    let orders = count(BATCH_ORDERS_MAX);
    float(orders * SECOND) / float(batch_us(costs, orders).1)
}

/// What so many purchases a second need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machines {
    /// Servers.
    pub nodes: u64,
    /// Shards.
    pub shards: u64,
    /// Events among which the purchases must be spread.
    pub events: u64,
}

/// Machines for so many purchases a second, of so many processors each. Each purchase looks at some pages, and batches have so
/// many writes.
pub fn machines(costs: &Costs, purchases: u64, pages: u64, writes_of_batch: u64, processors: u64) -> Machines {
    let batches = WRITES_OF_PURCHASE;
    let order = costs.order;
    let payment = costs.payment;
    let node_of = |write: super::costs::WriteCosts| write.request + write.lane + write.answer;
    let shard_of = |write: super::costs::WriteCosts| write.session + write.aside;
    let node = node_of(order) + 2 * node_of(payment) + pages * costs.page;
    let shard = shard_of(order) + 2 * shard_of(payment);
    let node_batches = batches * (costs.batch_lane + costs.batch_aside);
    let shard_batches = batches * (costs.batch_session + costs.batch_aside_session);
    let needed = |each: u64, batch: u64| {
        let us = float(purchases) * (float(each) + float(batch) / float(writes_of_batch.max(1)));
        let machines = us / (float(SECOND) * float(processors) * BUSY_SHARE);
        rounded(machines.ceil()).max(1)
    };
    let of_event = orders_per_second_of_lane(costs) / float(WRITES_OF_PURCHASE) * BUSY_SHARE;
    Machines {
        nodes: needed(node, node_batches),
        shards: needed(shard, shard_batches),
        events: rounded((float(purchases) / of_event).ceil()),
    }
}
