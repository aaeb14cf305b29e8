//! The end of a hold.

use super::{OrderId, OrderStatus};
use crate::command::Command;
use crate::context::Context;
use crate::event::EventId;
use crate::id::Tag;
use crate::promocode::PromocodeId;
use crate::refusal::Refusal;
use crate::view::{Needs, View};

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
}

impl Command for ExpireOrder {
    /// Whether it expired now.
    type Outcome = bool;

    fn shard(&self) -> Tag {
        self.event.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.orders.push(self.order);
        needs.promocodes.extend(&self.promocodes);
        needs.sets_of.push(self.event);
        needs.held_by.push(self.order);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<bool, Refusal> {
        let order = view.orders.get(self.order).filter(|order| order.is_live() && order.reserved_till <= cx.now);
        let Some(mut order) = order.cloned() else { return Ok(false) };
        order.give_up(view)?;
        order.status = OrderStatus::Expired;
        order.updated_at = cx.now;
        order.revision += 1;
        view.orders.put(order);
        Ok(true)
    }
}
