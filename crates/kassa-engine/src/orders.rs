//! Changes of orders: what has to be looked up before the command.

use kassa_domain::order::{OrderEdit, OrderId, OrderOutcome, OrderStatusKind, UpdateOrder};
use kassa_domain::{ReadSet, Refusal, View};

use crate::caller::CallerRef;
use crate::engine::{Engine, STALE_RETRIES_MAX};
use crate::failure::Failure;

impl Engine {
    /// Changes an order.
    pub async fn update_order<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        order: OrderId,
        edit: OrderEdit,
        render: impl Fn(&View, &OrderOutcome) -> R + Clone + Send + 'static,
    ) -> Result<R, Failure> {
        let by = by.into();
        for _ in 0..STALE_RETRIES_MAX {
            let view = self.view(&ReadSet { orders: vec![order], ..ReadSet::default() }).await?;
            let found = view.orders.get(order).ok_or(Refusal::NotFound("order"))?;
            let command = UpdateOrder {
                order,
                event: found.event,
                deal: found.deal,
                expired_lines: (found.state() == OrderStatusKind::Expired).then(|| found.lines.clone()),
                promocodes: found.promocodes.clone(),
                edit: edit.clone(),
            };
            match self.execute(by, command, render.clone()).await {
                Err(Failure::Refused(Refusal::Stale)) => {}
                result => return result,
            }
        }
        Err(Failure::Busy)
    }
}
