//! Expiry of holds.

use std::collections::BTreeMap;
use std::time::Duration;

use kassa_domain::Command as _;
use kassa_domain::order::{ExpireOrder, Order};
use kassa_domain::partner::PartnerId;
use kassa_store::PageWindow;
use kassa_store::queries::ExpiredHolds;

use super::periodic_job::{DUE_ROWS_MAX, PeriodicJob};
use crate::engine::Engine;
use crate::failure::Failure;

/// Rows of the orders of one organizer, about, that are expired at a time.
const TURN_ROWS: u32 = 2_500;
/// Organizers that have more of them, about, until all are looked at anew.
const CROWDED_MAX: usize = 100;

pub(super) struct ExpireOrders;

impl PeriodicJob for ExpireOrders {
    const NAME: &'static str = "expire_orders";
    /// The tickets of an expired hold are for sale within a second.
    const INTERVAL: Duration = Duration::from_millis(250);
    const HAS_JITTER: bool = true;

    async fn round(&self, engine: &Engine) -> Result<u64, Failure> {
        engine.expire_due().await
    }
}

impl Engine {
    /// Expires the holds that are due now, and returns how many. Of each organizer only some are expired at a time, so that
    /// very many of one do not keep those of others waiting.
    pub async fn expire_due(&self) -> Result<u64, Failure> {
        let mut total = 0;
        loop {
            let (expired, is_over) = self.expire_turn().await?;
            total += expired;
            // Those that could not be expired are looked at again in the next round.
            if is_over || expired == 0 {
                return Ok(total);
            }
        }
    }

    /// A turn of each organizer with holds that are due: how many were expired, and whether these were all.
    async fn expire_turn(&self) -> Result<(u64, bool), Failure> {
        let (mut total, mut crowded) = (0, Vec::new());
        loop {
            let due = ExpiredHolds { now: self.now(), except: crowded.clone() };
            let page = self.page(due, PageWindow::first(DUE_ROWS_MAX)).await?.rows;
            let is_full = page.len() == DUE_ROWS_MAX as usize;
            let mut by_organizer: BTreeMap<PartnerId, Vec<ExpireOrder>> = BTreeMap::new();
            for order in page {
                by_organizer.entry(order.organizer).or_default().push(expire(order));
            }
            for (organizer, orders) in &mut by_organizer {
                let mut rows = 0;
                let in_turn = orders.iter().take_while(|order| {
                    let has_room = rows < TURN_ROWS;
                    rows += order.weight();
                    has_room
                });
                let in_turn = in_turn.count();
                if in_turn < orders.len() {
                    orders.truncate(in_turn);
                    crowded.push(*organizer);
                }
            }
            // One that has named other promocodes since it was read is stale: the next round reads it again.
            let expired = self.execute_all(by_organizer.into_values().flatten()).await?;
            total += expired;
            if !is_full || expired == 0 || crowded.len() > CROWDED_MAX {
                return Ok((total, crowded.is_empty() && !is_full));
            }
        }
    }
}

fn expire(order: Order) -> ExpireOrder {
    let lines = order.lines.len();
    ExpireOrder { order: order.id, event: order.event, promocodes: order.promocodes, lines }
}
