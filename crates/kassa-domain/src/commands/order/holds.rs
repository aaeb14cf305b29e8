//! How much whoever buys for itself may hold without having paid.

use crate::model::order::{HoldBound, HoldLimits, Order};
use crate::refusal::Refusal;
use crate::values::time::Timestamp;
use crate::view::View;

impl Order {
    /// Refuses an order that comes to more than is allowed with what others hold at its event: a new one, or one that has
    /// changed from what it was. The view has the unpaid orders with its e-mail, and from its network.
    pub(super) fn check_holds(
        &self,
        was: Option<&Self>,
        limits: HoldLimits,
        now: Timestamp,
        view: &View,
    ) -> Result<(), Refusal> {
        let holds = |other: &&Self| {
            other.id != self.id
                && other.event == self.event
                && other.network.is_some()
                && other.is_live()
                && now < other.reserved_till
        };
        let others = || view.orders.rows().filter(holds);
        let email = self.customer.email.as_ref();
        if limits.orders_of_email.is_some()
            && email.is_some()
            && was.is_none_or(|was| was.customer.email.as_ref() != email)
        {
            let with_email = others().filter(|other| other.customer.email.as_ref() == email).count();
            check(with_email + 1, limits.orders_of_email, HoldBound::OrdersOfEmail)?;
        }
        if self.network.is_none() {
            return Ok(());
        }
        let from_network: Vec<&Self> = others().filter(|other| other.network == self.network).collect();
        if was.is_none() {
            check(from_network.len() + 1, limits.orders_of_network, HoldBound::OrdersOfNetwork)?;
        }
        if was.map_or(0, |was| was.lines.len()) < self.lines.len() {
            let tickets = from_network.iter().map(|other| other.lines.len()).sum::<usize>() + self.lines.len();
            check(tickets, limits.tickets_of_network, HoldBound::TicketsOfNetwork)?;
        }
        Ok(())
    }
}

fn check(count: usize, max: Option<u32>, bound: impl Fn(u32) -> HoldBound) -> Result<(), Refusal> {
    match max {
        Some(max) if max as usize >= count => Ok(()),
        Some(max) => Err(Refusal::UnpaidLimit(bound(max))),
        None => Ok(()),
    }
}
