//! The rows that money touches.

use crate::commands::order::PROMOCODES_MAX;
use crate::context::command::LIGHT_WEIGHT;
use crate::model::event::DEFAULT_TICKETS_LIMIT;
use crate::model::order::{Order, OrderLine, OrderStatusKind};
use crate::values::resource_ids::{EventId, OrderId, PromocodeId};
use crate::view::ReadSet;

/// An order that money may buy, as it was when somebody looked: what it needs is loaded by that.
#[derive(Clone, Debug)]
pub struct SaleRows {
    /// Which.
    pub order: OrderId,
    /// Its event, which never changes.
    pub event: EventId,
    /// The promocodes that it named.
    pub promocodes: Vec<PromocodeId>,
    /// Its lines, if it had expired: late money wants those tickets, or others of their sets.
    pub expired_lines: Option<Vec<OrderLine>>,
}

impl SaleRows {
    /// Those of an order.
    pub fn of(order: &Order) -> Self {
        Self {
            order: order.id,
            event: order.event,
            promocodes: order.promocodes.clone(),
            expired_lines: (order.state() == OrderStatusKind::Expired).then(|| order.lines.clone()),
        }
    }

    pub(super) fn read_set(&self, read_set: &mut ReadSet) {
        read_set.orders.push(self.order);
        read_set.payments_of.push(self.order);
        read_set.organizers_of.push(self.event);
        read_set.promocodes.extend(&self.promocodes);
        read_set.sets_of.push(self.event);
        read_set.tickets_held_by.push(self.order);
        read_set.events.push(self.event);
        for line in self.expired_lines.iter().flatten() {
            read_set.tickets.push(line.ticket);
            read_set.vacant.push((line.set, 1));
        }
    }

    pub(super) fn weight(&self) -> u32 {
        let lines = self.expired_lines.as_ref().map_or(0, Vec::len);
        let promocodes = u32::try_from(self.promocodes.len()).unwrap_or(PROMOCODES_MAX);
        LIGHT_WEIGHT + promocodes + 2 * u32::try_from(lines).unwrap_or(DEFAULT_TICKETS_LIMIT)
    }
}
