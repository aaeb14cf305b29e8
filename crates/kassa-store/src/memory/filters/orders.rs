//! What passes the filters of queries/orders.rs, and in which order.

use std::cmp::Ordering;

use kassa_domain::order::{Order, OrderStatusKind};

use super::newest_first;
use crate::memory_tables::{FilterInMemory, MemoryTables};
use crate::queries::{ExpiredHolds, ExportScope, OrderExportFilter, OrdersFilter, PaidOrdersFilter};

/// The states whose holds end.
const LIVE_ORDER_STATES: [OrderStatusKind; 2] = [OrderStatusKind::Reserved, OrderStatusKind::AwaitingPayment];

impl FilterInMemory<Order> for ExpiredHolds {
    fn matches(&self, order: &Order, _: &MemoryTables) -> bool {
        LIVE_ORDER_STATES.contains(&order.state()) && order.reserved_till <= self.now
    }

    fn compare(&self, one: &Order, other: &Order) -> Ordering {
        (one.reserved_till, one.id).cmp(&(other.reserved_till, other.id))
    }
}

impl FilterInMemory<Order> for PaidOrdersFilter {
    fn matches(&self, order: &Order, _: &MemoryTables) -> bool {
        order.event == self.event
            && self.after.is_none_or(|last| order.id.key() > last.key())
            && order.state() == OrderStatusKind::Paid
    }

    fn compare(&self, one: &Order, other: &Order) -> Ordering {
        one.id.cmp(&other.id)
    }
}

impl FilterInMemory<Order> for OrdersFilter {
    fn matches(&self, order: &Order, _: &MemoryTables) -> bool {
        let partner = |partner| self.partners.contains(&partner);
        let customer = self.customer.as_ref().is_some_and(|(user, proved)| {
            let email = order.customer.email.as_ref();
            order.customer.user == Some(*user) && email.is_some_and(|email| proved.contains(email))
        });
        (partner(order.vendor) || partner(order.organizer) || customer) && self.matches_criteria(order)
    }

    fn compare(&self, one: &Order, other: &Order) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}

impl FilterInMemory<Order> for OrderExportFilter {
    fn matches(&self, order: &Order, _: &MemoryTables) -> bool {
        let is_theirs = match self.scope {
            ExportScope::All => true,
            ExportScope::OfOrganizer(org) => order.organizer == org,
            ExportScope::OfAgent(vendor) => order.vendor == vendor && order.organizer != vendor,
        };
        is_theirs
            && self.older_than.is_none_or(|below| order.id.key() < below.key())
            && self.criteria.matches_criteria(order)
    }

    fn compare(&self, one: &Order, other: &Order) -> Ordering {
        newest_first(&one.id, &other.id)
    }
}

impl OrdersFilter {
    /// Whether it lets an order pass, whoever sees it.
    fn matches_criteria(&self, order: &Order) -> bool {
        self.ids.as_ref().is_none_or(|ids| ids.contains(&order.id))
            && self.events.as_ref().is_none_or(|ids| ids.contains(&order.event))
            && self.status.as_ref().is_none_or(|states| states.contains(&order.state()))
            && self.vendor.is_none_or(|id| id == order.vendor)
            && self.org.is_none_or(|id| id == order.organizer)
            && self.user.is_none_or(|id| Some(id) == order.customer.user)
            && self.created.is_none_or(|(first, last)| (first..=last).contains(&order.created_at))
            && self.number.is_none_or(|number| number == order.number)
            && (!self.with_customer || order.customer.email.is_some())
    }
}
