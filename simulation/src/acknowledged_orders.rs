//! Orders as answers have acknowledged them. They are collected from answers alone, and the database is compared with
//! them.

use std::collections::{BTreeMap, BTreeSet};

use kassa_domain::change::Revision;
use kassa_domain::event::EventId;
use kassa_domain::order::{Order, OrderId, OrderStatus, OrderStatusKind};
use kassa_domain::promocode::Promocode;
use kassa_domain::refund::{RefundId, RefundRequest};
use kassa_domain::set::TicketSet;
use kassa_domain::ticket::TicketId;
use kassa_domain::{Money, Timestamp, View};

use crate::Violation;

/// Orders as they were acknowledged.
#[derive(Default)]
pub(crate) struct AcknowledgedOrders {
    orders: BTreeMap<EventId, BTreeMap<OrderId, Order>>,
    numbers: BTreeMap<i64, OrderId>,
    /// Whose ticket each barcode is, or was.
    barcodes: BTreeMap<(EventId, String), (OrderId, TicketId)>,
    /// Requests that were granted, as the first answer showed them.
    grants: BTreeMap<RefundId, RefundRequest>,
}

impl AcknowledgedOrders {
    /// An order, if it was acknowledged.
    pub(crate) fn order(&self, event: EventId, id: OrderId) -> Option<&Order> {
        self.orders.get(&event)?.get(&id)
    }

    /// All acknowledged orders.
    pub(crate) fn orders(&self) -> impl Iterator<Item = &Order> {
        self.orders.values().flat_map(BTreeMap::values)
    }

    /// The orders of an event.
    pub(crate) fn orders_of(&self, event: EventId) -> impl Iterator<Item = &Order> {
        self.orders.get(&event).into_iter().flat_map(BTreeMap::values)
    }

    /// Records the order of an answer. Answers to concurrent requests come in any order: the newest revision counts.
    pub(crate) fn record_answer(&mut self, order: &Order) -> Result<(), Violation> {
        let (known, order) = (self.order(order.event, order.id), &without_batch(order));
        if known.is_some_and(|known| known.revision == order.revision && known != order) {
            return Err(Violation::new("two answers show one revision of an order differently", (known, order)));
        }
        if known.is_none_or(|known| known.revision < order.revision) {
            self.record(order)?;
        }
        Ok(())
    }

    /// Takes a row as it is.
    pub(crate) fn record(&mut self, order: &Order) -> Result<(), Violation> {
        let owner = *self.numbers.entry(order.number).or_insert(order.id);
        if owner != order.id {
            return Err(Violation::new("the number of an order is another's", (owner, order)));
        }
        self.orders.entry(order.event).or_default().insert(order.id, without_batch(order));
        Ok(())
    }

    /// Records a granted request, and returns whether its order is still known with its tickets. A request that is
    /// granted again is answered like the first time, and changes nothing; where the first answer was lost, the order
    /// is known as it has become.
    pub(crate) fn record_grant(&mut self, request: &RefundRequest) -> Result<bool, Violation> {
        if let Some(granted) = self.grants.get(&request.id) {
            return if granted == request {
                Ok(false)
            } else {
                Err(Violation::new("a granted request has changed", (granted, request)))
            };
        }
        self.grants.insert(request.id, request.clone());
        let has = |order: &Order| order.lines.iter().any(|line| request.tickets().any(|ticket| ticket == line.ticket));
        Ok(self.order(request.event, request.order).is_none_or(has))
    }

    /// Expires all holds that are due, and returns their orders.
    pub(crate) fn expire_due(&mut self, now: Timestamp) -> Vec<(EventId, OrderId)> {
        let mut due = Vec::new();
        for order in self.orders.values_mut().flat_map(BTreeMap::values_mut) {
            if is_due(order, now) {
                *order = expired(order, now);
                due.push((order.event, order.id));
            }
        }
        due
    }

    /// The events with holds that are due.
    pub(crate) fn events_due(&self, now: Timestamp) -> BTreeSet<EventId> {
        self.orders().filter(|order| is_due(order, now)).map(|order| order.event).collect()
    }

    /// Compares an order, and the tickets that it has, with its acknowledgement.
    pub(crate) fn check_order(&mut self, event: EventId, id: OrderId, view: &View) -> Result<(), Violation> {
        let known = self.orders.get(&event).and_then(|orders| orders.get(&id));
        let stored = view.orders.get(id).map(without_batch);
        let (Some(order), true) = (&stored, stored.as_ref() == known) else {
            return Err(Violation::new("an order differs from its acknowledgement", (known, &stored)));
        };
        let holds = order.is_live() || order.state() == OrderStatusKind::Paid;
        let mut lines: Vec<TicketId> = order.lines.iter().map(|line| line.ticket).filter(|_| holds).collect();
        let held = view.tickets.rows().filter(|ticket| ticket.holder() == Some(id));
        let mut found = Vec::new();
        for ticket in held {
            found.push(ticket.id);
            if let Some(barcode) = ticket.barcode() {
                let owner = *self.barcodes.entry((event, barcode.to_owned())).or_insert((id, ticket.id));
                if owner != (id, ticket.id) {
                    return Err(Violation::new("two tickets have one valid barcode", (owner, ticket)));
                }
            }
            if ticket.reserved_till() != order.is_live().then_some(order.reserved_till) {
                return Err(Violation::new("a ticket is not held as long as its order", (ticket, order)));
            }
        }
        lines.sort_unstable();
        found.sort_unstable();
        if lines == found { Ok(()) } else { Err(Violation::new("an order does not hold its tickets", (order, found))) }
    }

    /// Compares the counters of a set with the acknowledged orders.
    pub(crate) fn check_set(&self, set: &TicketSet) -> Result<(), Violation> {
        let (mut held, mut sold) = (0, 0);
        for order in self.orders_of(set.event) {
            let lines = order.lines.iter().filter(|line| line.set == set.id).count();
            let lines = i64::try_from(lines).unwrap_or(i64::MAX);
            match order.state() {
                OrderStatusKind::Reserved | OrderStatusKind::AwaitingPayment => held += lines,
                OrderStatusKind::Paid => sold += lines,
                OrderStatusKind::Canceled | OrderStatusKind::Expired | OrderStatusKind::Refunded => {}
            }
        }
        if (held, sold) == (set.counts.held, set.counts.sold) && set.counts.is_balanced() {
            return Ok(());
        }
        Err(Violation::new("the counters of a set differ from the acknowledged orders", (held, sold, set)))
    }

    /// Compares the uses of a promocode with the acknowledged orders.
    pub(crate) fn check_promocode(&self, promocode: &Promocode) -> Result<(), Violation> {
        let naming = || self.orders_of(promocode.event).filter(|order| order.promocodes.contains(&promocode.id));
        let was_paid = |order: &&Order| matches!(order.state(), OrderStatusKind::Paid | OrderStatusKind::Refunded);
        let count = |orders: usize| i64::try_from(orders).unwrap_or(i64::MAX);
        let reserved = count(naming().filter(|order| order.is_live()).count());
        let used = count(naming().filter(was_paid).count());
        if (reserved, used) == (promocode.uses.reserved, promocode.uses.used) && promocode.uses.is_balanced() {
            return Ok(());
        }
        Err(Violation::new("the uses of a promocode differ from the acknowledged orders", (reserved, used, promocode)))
    }
}

fn is_due(order: &Order, now: Timestamp) -> bool {
    order.is_live() && order.reserved_till <= now
}

/// An order as it was acknowledged: nobody is told in which batch it was changed.
pub(crate) fn without_batch(order: &Order) -> Order {
    Order { revision: Revision::stored(order.revision.number(), None), ..order.clone() }
}

/// A live order, after its hold has ended.
pub(crate) fn expired(order: &Order, now: Timestamp) -> Order {
    let revision = Revision::stored(order.revision.number() + 1, None);
    Order { status: OrderStatus::Expired, updated_at: now, revision, ..order.clone() }
}

/// Whether a row is what a paid order is after requests were granted: the tickets are gone, and the money.
pub(crate) fn is_refunded(before: &Order, requests: &[&RefundRequest], after: &Order) -> bool {
    let goes = |ticket: TicketId| requests.iter().any(|request| request.tickets().any(|asked| asked == ticket));
    let left = before.lines.iter().filter(|line| !goes(line.ticket));
    let state = if after.lines.is_empty() { OrderStatusKind::Refunded } else { OrderStatusKind::Paid };
    let paid: Money = requests.iter().map(|request| request.paid()).sum();
    let back: Money = requests.iter().map(|request| request.amounts().total()).sum();
    left.eq(&after.lines)
        && after.state() == state
        && (after.refunded.paid, after.refunded.returned)
            == (before.refunded.paid + paid, before.refunded.returned + back)
        // Each says at least that the order has changed.
        && usize::try_from(after.revision.number() - before.revision.number()).is_ok_and(|steps| steps >= requests.len())
}
