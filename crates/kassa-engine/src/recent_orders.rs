//! Orders as the only writer of a database has just written them: a purchase changes its order twice within moments, and
//! needs no look-up for what the command is made of. The command reads the row anew, as always.
//!
//! Several writers know nothing of each other's orders: nothing is remembered where there may be some.

use std::sync::Arc;

use kassa_domain::View;
use kassa_domain::order::{Order, OrderId};
use parking_lot::Mutex;

/// So many orders are remembered at most. Two that want the same place drive each other out.
const PLACES: u64 = 8_192;
/// Longer orders are rare, and take more memory.
const LINES_MAX: usize = 16;

/// The orders that were written last.
pub(crate) struct RecentOrders(Box<[Mutex<Option<Arc<Order>>>]>);

/// What a batch has written of orders. Those that are too long to be remembered are forgotten.
#[derive(Default)]
pub(crate) struct WrittenOrders(Vec<(OrderId, Option<Arc<Order>>)>);

impl WrittenOrders {
    /// What was changed in a view.
    pub(crate) fn of(view: &View) -> Self {
        let remembered = |order: &Order| {
            let is_short = order.lines.len() <= LINES_MAX && order.notes.is_empty();
            is_short.then(|| Arc::new(order.clone()))
        };
        Self(view.orders.changes().iter().map(|change| (change.key, change.row.and_then(remembered))).collect())
    }
}

impl RecentOrders {
    pub(crate) fn new() -> Self {
        Self((0..PLACES).map(|_| Mutex::default()).collect())
    }

    /// Remembers what a batch has written. If nobody knows whether it was committed, its orders are forgotten.
    pub(crate) fn apply(&self, written: WrittenOrders, is_committed: bool) {
        for (id, order) in written.0 {
            *self.place(id).lock() = order.filter(|_| is_committed);
        }
    }

    /// An order as it is, if it is remembered.
    pub(crate) fn get(&self, id: OrderId) -> Option<Arc<Order>> {
        self.place(id).lock().as_ref().filter(|order| order.id == id).map(Arc::clone)
    }

    fn place(&self, id: OrderId) -> &Mutex<Option<Arc<Order>>> {
        // Keys of orders that are made one after the other are neighbours.
        &self.0[usize::try_from(id.key().unsigned_abs() % PLACES).unwrap_or(0)]
    }
}
