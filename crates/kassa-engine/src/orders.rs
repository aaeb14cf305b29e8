//! Changes of orders: what has to be looked up before the command.

use std::sync::Arc;

use kassa_domain::order::{
    ExportFilter, ExportOrders, Order, OrderEdit, OrderId, OrderOutcome, OrderStatusKind, UpdateOrder,
};
use kassa_domain::user::Email;
use kassa_domain::{ReadSet, Refusal, View};

use crate::caller::CallerRef;
use crate::engine::{Engine, STALE_RETRIES_MAX};
use crate::failure::Failure;
use crate::key_or_row::KeyOrRow;

impl Engine {
    /// Changes an order. Its row is not read again before the command if the caller has it.
    pub async fn update_order<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        order: impl Into<KeyOrRow<Order>>,
        edit: OrderEdit,
        render: impl Fn(&View, &OrderOutcome) -> R + Clone + Send + 'static,
    ) -> Result<R, Failure> {
        let (by, mut target) = (by.into(), order.into());
        let is_shopper = by.actor.is_shopper();
        for _ in 0..STALE_RETRIES_MAX {
            let (id, command) = match target {
                KeyOrRow::Row(order) => (order.id, update_command(&order, &edit, is_shopper)),
                KeyOrRow::Key(id) => {
                    let order = self.order_to_update(id).await?.ok_or(Refusal::NotFound("order"))?;
                    (id, update_command(&order, &edit, is_shopper))
                }
            };
            match self.execute(by, command, render.clone()).await {
                // The order is not as it was read.
                Err(Failure::Refused(Refusal::Stale)) => {
                    target = Box::pin(self.order(id)).await?.ok_or(Refusal::NotFound("order"))?.into();
                }
                result => return result,
            }
        }
        Err(Failure::Busy)
    }

    /// Mails a list of a partner's orders to one of its managers.
    pub async fn export_orders<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        to: Email,
        filter: ExportFilter,
        render: impl Fn(&View, &()) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let view = self.view(&ReadSet { users_by_email: vec![to.clone()], ..ReadSet::default() }).await?;
        let user = view.user_by_email(&to).map(|user| user.id);
        self.execute(by, ExportOrders { to, user, filter }, render).await
    }

    /// An order that is about to be changed, whoever asks.
    pub async fn order_to_update(&self, id: OrderId) -> Result<Option<Arc<Order>>, Failure> {
        match self.inner.shared.recent_orders.get(id) {
            Some(recent) => Ok(Some(recent)),
            // Boxed, since it is long, and mostly not needed.
            None => Ok(Box::pin(self.order(id)).await?.map(Arc::new)),
        }
    }

    /// An order, whoever asks.
    pub async fn order(&self, id: OrderId) -> Result<Option<Order>, Failure> {
        let view = self.view(&ReadSet { orders: vec![id], ..ReadSet::default() }).await?;
        Ok(view.orders.into_row(id))
    }
}

fn update_command(order: &Order, edit: &OrderEdit, is_shopper: bool) -> UpdateOrder {
    UpdateOrder {
        order: order.id,
        event: order.event,
        deal: order.deal,
        expired_lines: (order.state() == OrderStatusKind::Expired).then(|| order.lines.clone()),
        promocodes: order.promocodes.clone(),
        has_payments: order.payment.has_payments(),
        edit: OrderEdit { network: order.network.filter(|_| is_shopper), ..edit.clone() },
    }
}
