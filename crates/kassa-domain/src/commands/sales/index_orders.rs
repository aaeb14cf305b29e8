//! Looking at orders of an event.

use std::collections::BTreeSet;

use crate::context::Context;
use crate::context::command::{Command, LIGHT_WEIGHT};
use crate::model::sales::{DailySales, DailySalesKey, IndexedOrder, SalesSums};
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{EventId, OrderId};
use crate::view::{ReadSet, View};

/// Notes what orders of one event are found by, and brings the sums to what they are now. An order that was looked at
/// since it changed last is left alone: it may be named as often as one likes. The orders themselves are not locked.
#[derive(Debug)]
pub struct IndexOrders {
    /// The event of them all.
    pub event: EventId,
    /// Which.
    pub orders: Vec<OrderId>,
    /// The sums that they are in, or come to be in, as they were when somebody looked; refused as stale if that has
    /// changed.
    pub sums: BTreeSet<DailySalesKey>,
}

impl Command for IndexOrders {
    /// How many were not as they had been looked at.
    type Outcome = u64;

    const SILENT: Option<&'static str> = Some("what is kept behind orders says nothing new");

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.orders_to_read.extend(&self.orders);
        read_set.indexed_orders.extend(&self.orders);
        read_set.daily_sales.extend(&self.sums);
    }

    fn weight(&self) -> u32 {
        let rows = self.orders.len() * 2 + self.sums.len();
        u32::try_from(rows).map_or(u32::MAX, |rows| rows.max(LIGHT_WEIGHT))
    }

    fn decide(&self, _: &mut Context<'_>, view: &mut View) -> Result<u64, Refusal> {
        let mut moved = 0;
        for id in &self.orders {
            let Some(order) = view.orders.get(*id) else { continue };
            let (new, old) = (IndexedOrder::of(order), view.indexed_orders.get(*id).cloned());
            let is_known = match &old {
                Some(old) => old.revision >= new.revision,
                None => new.is_bare(),
            };
            if is_known {
                continue;
            }
            if let Some(old) = &old {
                self.count(old, -1, view)?;
            }
            self.count(&new, 1, view)?;
            view.indexed_orders.put(new);
            moved += 1;
        }
        Ok(moved)
    }
}

impl IndexOrders {
    /// Adds what an order has to the sums, or takes it off.
    fn count(&self, order: &IndexedOrder, sign: i64, view: &mut View) -> Result<(), Refusal> {
        let parts = order.sales.iter().flat_map(|sales| &sales.by_set).map(|(_, sums)| *sums);
        let parts: Vec<(DailySalesKey, SalesSums)> = order.keys().zip(parts).collect();
        for (key, part) in parts {
            if !self.sums.contains(&key) {
                return Err(Refusal::Stale);
            }
            let new = || DailySales { key, organizer: order.organizer, sums: SalesSums::default() };
            let mut row = view.daily_sales.get(key).cloned().unwrap_or_else(new);
            row.sums.add(&part, sign);
            view.daily_sales.put(row);
        }
        Ok(())
    }
}
