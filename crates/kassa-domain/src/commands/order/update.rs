//! A change to an order, its cancellation included.

use super::edit::EditReport;
use super::{OrderEdit, OrderOutcome, OrderTransition, PROMOCODES_MAX};
use crate::commands::payment_closing::close_payments;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::change::ChangeType;
use crate::model::event::DEFAULT_TICKETS_LIMIT;
use crate::model::order::{OrderLine, OrderStatusKind, PaymentSystem};
use crate::model::payment::PaymentReason;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{DealId, EventId, OrderId, PromocodeId};
use crate::view::{ReadSet, View};

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
    pub expired_lines: Option<Vec<OrderLine>>,
    /// The promocodes that the order named when the request looked.
    pub promocodes: Vec<PromocodeId>,
    /// Whether its money was followed here when the request looked, by payments of the order.
    pub has_payments: bool,
    /// What changes.
    pub edit: OrderEdit,
}

impl Command for UpdateOrder {
    type Outcome = OrderOutcome;

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.orders.push(self.order);
        read_set.organizers_of.push(self.event);
        read_set.promocodes.extend(&self.promocodes);
        read_set.sets_of.push(self.event);
        read_set.tickets_held_by.push(self.order);
        read_set.events.push(self.event);
        read_set.deals.extend(self.deal);
        read_set.promotions_of.push(self.event);
        if self.has_payments {
            read_set.payments_of.push(self.order);
        }
        self.edit.read_set(self.event, read_set);
        for line in self.expired_lines.iter().flatten() {
            read_set.tickets.push(line.ticket);
            read_set.vacant.push((line.set, 1));
        }
    }

    fn weight(&self) -> u32 {
        let lines = self.expired_lines.as_ref().map_or(0, Vec::len);
        let promocodes = u32::try_from(self.promocodes.len()).unwrap_or(PROMOCODES_MAX);
        8 + self.edit.weight() + promocodes + 2 * u32::try_from(lines).unwrap_or(DEFAULT_TICKETS_LIMIT)
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<OrderOutcome, Refusal> {
        let mut order = view.orders.get(self.order).ok_or(Refusal::NotFound("order"))?.clone();
        permission::write_order(cx.actor, &order, self.edit.only_cancels())?;
        self.edit.check_shopper(cx.actor)?;
        let event = view.events.get(order.event).ok_or(Refusal::Stale)?.clone();
        let edit = self.edit.without_unchanged(&order, view);
        if edit.changes_prices() {
            permission::change_prices(cx.actor, &order)?;
        }
        let late_money = order.state() == OrderStatusKind::Expired && edit.transition == Some(OrderTransition::Paid);
        if late_money && self.expired_lines.is_none() {
            // It expired after the request had looked: its tickets are not in the view.
            return Err(Refusal::Stale);
        }
        if order.payment.has_payments() && !self.has_payments {
            // Its payment began after the request had looked: it is not in the view.
            return Err(Refusal::Stale);
        }
        let limits = permission::hold_limits(cx.actor, cx.settings);
        let before = order.revision;
        let was = (!edit.changes_nothing_but_status()).then(|| order.clone());
        let EditReport { shortfalls: details, refused_promocodes: left_out } = order.edit(&edit, &event, cx, view)?;
        order.check_holds(view.orders.get(order.id), limits, cx.now, view)?;
        if let Some(was) = was.filter(|was| order != *was) {
            let facts = order.edit_facts(&was);
            cx.state(&mut order, ChangeType::OrderChanged, facts, view);
        }
        if let Some(step) = edit.transition {
            if step == OrderTransition::Paid && order.payment.has_payments() {
                // The vendor has the money already.
                order.payment.system = Some(PaymentSystem::CollectedByVendor);
            }
            order.transition(step, &event, cx, view)?;
            match step {
                OrderTransition::Paid => close_payments(&order, None, PaymentReason::OrderPaid, cx, view),
                OrderTransition::Canceled => close_payments(&order, None, PaymentReason::OrderCanceled, cx, view),
                OrderTransition::AwaitingPayment | OrderTransition::Remain(_) => {}
            }
        }
        if order.revision != before {
            view.orders.put(order.clone());
        }
        Ok(OrderOutcome { order, shortfalls: details, refused_promocodes: left_out })
    }
}
