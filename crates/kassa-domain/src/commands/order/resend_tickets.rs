//! The tickets of an order, mailed again.

use crate::commands::mail::queue_tickets_mail;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::order::OrderStatusKind;
use crate::permission;
use crate::refusal::{RefundRefusal, Refusal};
use crate::values::id::ShardTag;
use crate::values::resource_ids::{EventId, OrderId};
use crate::view::{ReadSet, View};

/// Mails the tickets of a paid order to its customer once more.
#[derive(Debug)]
pub struct ResendTickets {
    /// Which.
    pub order: OrderId,
    /// Its event.
    pub event: EventId,
}

impl Command for ResendTickets {
    type Outcome = ();

    const SILENT: Option<&'static str> = Some("it only queues a mail");

    fn shard(&self) -> ShardTag {
        self.event.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.orders.push(self.order);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<(), Refusal> {
        let order = view.orders.get(self.order).ok_or(Refusal::NotFound("order"))?.clone();
        permission::write_order(cx.actor, &order, false)?;
        if order.state() != OrderStatusKind::Paid {
            return Err(RefundRefusal::OrderNotPaid { order: order.id, status: order.state() }.into());
        }
        if order.customer.email.is_none() {
            return Err(Refusal::CustomerEmailRequired);
        }
        queue_tickets_mail(&order, cx, view);
        Ok(())
    }
}
