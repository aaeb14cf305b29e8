//! The end of a hold.

use crate::context::Context;
use crate::context::command::{COMMAND_ROWS_MAX, Command, LIGHT_WEIGHT};
use crate::model::change::ChangeType;
use crate::model::order::OrderStatus;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{EventId, OrderId, PromocodeId};
use crate::view::{ReadSet, View};

/// Ends the hold of an order that is due. One that is not, or not any more, stays as it is: the
/// row's state decides, not who noticed.
#[derive(Debug)]
pub struct ExpireOrder {
    /// Which.
    pub order: OrderId,
    /// Its event.
    pub event: EventId,
    /// The promocodes that it named when somebody noticed.
    pub promocodes: Vec<PromocodeId>,
    /// How many lines it had then.
    pub lines: usize,
}

impl Command for ExpireOrder {
    /// Whether it expired now.
    type Outcome = bool;

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.orders.push(self.order);
        read_set.promocodes.extend(&self.promocodes);
        read_set.sets_of.push(self.event);
        // Whose tickets are for sale again.
        read_set.events.push(self.event);
        read_set.tickets_held_by.push(self.order);
    }

    fn weight(&self) -> u32 {
        LIGHT_WEIGHT + u32::try_from(self.lines).unwrap_or(COMMAND_ROWS_MAX).min(COMMAND_ROWS_MAX)
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<bool, Refusal> {
        let order = view.orders.get(self.order).filter(|order| order.is_live() && order.reserved_till <= cx.now);
        let Some(mut order) = order.cloned() else { return Ok(false) };
        order.end(OrderStatus::Expired, ChangeType::OrderExpired, cx, view)?;
        view.orders.put(order);
        Ok(true)
    }
}
