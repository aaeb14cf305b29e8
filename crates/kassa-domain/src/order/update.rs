//! A change to an order, its cancellation included.

use super::edit::Told;
use super::{Line, OrderEdit, OrderId, OrderOutcome, OrderState, PROMOCODES_MAX, Step};
use crate::command::Command;
use crate::context::Context;
use crate::deal::DealId;
use crate::event::{EventId, TICKETS_LIMIT};
use crate::id::Tag;
use crate::permission;
use crate::promocode::PromocodeId;
use crate::refusal::Refusal;
use crate::view::{Needs, View};

/// Changes an order.
#[derive(Debug)]
pub struct UpdateOrder {
    /// Which.
    pub order: OrderId,
    /// Its event, which never changes.
    pub event: EventId,
    /// Its deal, which never changes.
    pub deal: Option<DealId>,
    /// The lines of the order when the request looked, if it had expired: late money wants those
    /// tickets, or others of their sets. An expired order's lines do not change.
    pub expired_lines: Option<Vec<Line>>,
    /// The promocodes that the order named when the request looked.
    pub promocodes: Vec<PromocodeId>,
    /// What changes.
    pub edit: OrderEdit,
}

impl Command for UpdateOrder {
    type Outcome = OrderOutcome;

    fn shard(&self) -> Tag {
        self.event.tag()
    }

    fn needs(&self, needs: &mut Needs) {
        needs.orders.push(self.order);
        needs.promocodes.extend(&self.promocodes);
        needs.sets_of.push(self.event);
        needs.held_by.push(self.order);
        needs.events.push(self.event);
        needs.deals.extend(self.deal);
        needs.promotions_of.push(self.event);
        self.edit.needs(self.event, needs);
        for line in self.expired_lines.iter().flatten() {
            needs.tickets.push(line.ticket);
            needs.vacant.push((line.set, 1));
        }
    }

    fn weight(&self) -> u32 {
        let lines = self.expired_lines.as_ref().map_or(0, Vec::len);
        let promocodes = u32::try_from(self.promocodes.len()).unwrap_or(PROMOCODES_MAX);
        8 + self.edit.weight() + promocodes + 2 * u32::try_from(lines).unwrap_or(TICKETS_LIMIT)
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<OrderOutcome, Refusal> {
        let mut order = view.orders.get(self.order).ok_or(Refusal::NotFound("order"))?.clone();
        permission::write_order(cx.actor, &order, self.edit.only_cancels())?;
        let event = view.events.get(order.event).ok_or(Refusal::Stale)?.clone();
        let late_money = order.state() == OrderState::Expired && self.edit.step == Some(Step::Done);
        if late_money && self.expired_lines.is_none() {
            // It expired after the request had looked: its tickets are not in the view.
            return Err(Refusal::Stale);
        }
        if self.edit.is_empty() {
            return Ok(OrderOutcome { order, details: Vec::new(), left_out: Vec::new() });
        }
        let Told { details, left_out } = order.edit(&self.edit, &event, cx, view)?;
        order.updated_at = cx.now;
        order.revision += 1;
        view.orders.put(order.clone());
        Ok(OrderOutcome { order, details, left_out })
    }
}
