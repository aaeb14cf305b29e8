//! Rows that stand around those that an answer is about: it shows them, too, or they decide who sees it. They are read
//! in as few round trips as they can be named in: all that an id names at once, and then what those rows name.

use std::sync::Arc;

use kassa_domain::event::{Event, EventId};
use kassa_domain::order::{DiscountedPrice, Order, OrderEdit, OrderId, OrderStatusKind};
use kassa_domain::partner::{Partner, PartnerId};
use kassa_domain::payment::OrderPayment;
use kassa_domain::promocode::{Promocode, PromocodeId};
use kassa_domain::refund::{RefundId, RefundRequest, RefundTransition};
use kassa_domain::set::{SetId, TicketSet};
use kassa_domain::ticket::{Ticket, TicketId};
use kassa_domain::venue::{Venue, VenueId};
use kassa_domain::{Actor, ReadSet, Timestamp, View, permission};
use kassa_engine::{Engine, Failure};

use crate::error::ApiError;

/// Reads rows, and then those that they name.
pub(crate) async fn load_with_related(
    engine: &Engine,
    rows: ReadSet,
    related: impl FnOnce(&View) -> ReadSet,
) -> Result<View, Failure> {
    let mut view = engine.view(&rows).await?;
    let related = engine.view(&related(&view)).await?;
    view.extend(related);
    Ok(view)
}

/// An order that the caller sees.
pub(crate) async fn load_visible_order(engine: &Engine, actor: &Actor, id: OrderId) -> Result<Order, ApiError> {
    let order = engine.order(id).await?.filter(|order| permission::sees_order(actor, order));
    order.ok_or_else(|| ApiError::not_found("order"))
}

/// A refund request that the caller sees.
pub(crate) async fn load_visible_refund(
    engine: &Engine,
    actor: &Actor,
    id: RefundId,
) -> Result<RefundRequest, ApiError> {
    let request = engine.refund(id).await?.filter(|request| permission::sees_refund(actor, request));
    request.ok_or_else(|| ApiError::not_found("refund request"))
}

/// The caller's deals for some events, as a selector: they decide what it sees, and at what prices.
pub(crate) fn deals_of(actor: &Actor, events: impl IntoIterator<Item = EventId>) -> Vec<(EventId, PartnerId)> {
    let own = actor.selling_partners();
    events.into_iter().flat_map(|event| own.iter().map(move |partner| (event, *partner))).collect()
}

/// Events with the caller's deals for them, and their organizers: by these the caller sees them.
pub(crate) fn events_and_deals(actor: &Actor, events: Vec<EventId>) -> ReadSet {
    ReadSet {
        deals_of: deals_of(actor, events.iter().copied()),
        organizers_of: events.clone(),
        events,
        ..ReadSet::default()
    }
}

/// The sets of events, and the deals under which the caller sells those of others.
pub(crate) fn sets_and_deals(actor: &Actor, events: &[Event]) -> ReadSet {
    let foreign = events.iter().filter(|event| !permission::organizes(actor, event));
    ReadSet {
        sets_of: events.iter().map(|event| event.id).collect(),
        deals_of: deals_of(actor, foreign.map(|event| event.id)),
        ..ReadSet::default()
    }
}

/// Rows that were read to show something with. Clones share them.
#[derive(Clone)]
pub(crate) struct RelatedRows {
    rows: Arc<View>,
    now: Timestamp,
}

impl RelatedRows {
    /// What these orders are shown with: their events with all sets, their tickets, promocodes, partners and venues.
    pub(crate) async fn of_orders(engine: &Engine, orders: &[Order]) -> Result<Self, Failure> {
        Ok(Self::new(engine, engine.view(&around_orders(orders)).await?))
    }

    /// The orders of these requests, what they are shown with, and the tickets of the requests, which may have left
    /// their orders.
    pub(crate) async fn of_refunds(engine: &Engine, requests: &[RefundRequest]) -> Result<Self, Failure> {
        let orders = requests.iter().map(|request| request.order).collect();
        let rows = ReadSet {
            orders,
            tickets: requests.iter().flat_map(RefundRequest::tickets).collect(),
            ..ReadSet::default()
        };
        let view = load_with_related(engine, rows, |found| around_orders(found.orders.rows())).await?;
        Ok(Self::new(engine, view))
    }

    /// The orders of these payments, and what they are shown with.
    pub(crate) async fn of_payments(engine: &Engine, payments: &[OrderPayment]) -> Result<Self, Failure> {
        let rows = ReadSet { orders: payments.iter().map(|payment| payment.order).collect(), ..ReadSet::default() };
        let view = load_with_related(engine, rows, |found| around_orders(found.orders.rows())).await?;
        Ok(Self::new(engine, view))
    }

    /// What a new order is shown with besides what its command reads.
    pub(crate) async fn beside_new_order(engine: &Engine, event: EventId, vendor: PartnerId) -> Result<Self, Failure> {
        let read_set = ReadSet { partners: vec![vendor], venues_of: vec![event], ..ReadSet::default() };
        Ok(Self::new(engine, engine.view(&read_set).await?))
    }

    /// What an order is shown with besides what a command reads that changes it.
    pub(crate) async fn beside_order_update(engine: &Engine, order: &Order, edit: &OrderEdit) -> Result<Self, Failure> {
        // The command reads the tickets that the order has, and those that late money wants. An order in progress may
        // end before the command is decided, and keep lines whose tickets are no longer its own: they are shown if the
        // edit is accepted all the same.
        let reads_tickets = match order.state() {
            OrderStatusKind::Paid | OrderStatusKind::Expired => true,
            OrderStatusKind::Reserved | OrderStatusKind::AwaitingPayment => edit.needs_order_in_progress(),
            OrderStatusKind::Canceled | OrderStatusKind::Refunded => false,
        };
        let lines = if reads_tickets { &[][..] } else { &order.lines };
        let read_set = ReadSet {
            partners: vec![order.organizer, order.vendor],
            venues_of: vec![order.event],
            tickets: lines.iter().map(|line| line.ticket).collect(),
            ..ReadSet::default()
        };
        Ok(Self::new(engine, engine.view(&read_set).await?))
    }

    /// What a new refund request of an order is shown with besides what its command reads; nothing for an order that
    /// is not there.
    pub(crate) async fn beside_new_refund(engine: &Engine, order: Option<&Order>) -> Result<Self, Failure> {
        let read_set = order.map_or_else(ReadSet::default, |order| ReadSet {
            partners: vec![order.organizer, order.vendor],
            venues_of: vec![order.event],
            promocodes: order.promocodes.clone(),
            ..ReadSet::default()
        });
        Ok(Self::new(engine, engine.view(&read_set).await?))
    }

    /// What a refund request is shown with besides what a command reads that changes it.
    pub(crate) async fn beside_refund_update(
        engine: &Engine,
        request: &RefundRequest,
        transition: Option<RefundTransition>,
    ) -> Result<Self, Failure> {
        // Until the request is decided, the order has its tickets, and the command reads those. If somebody else decides
        // it first, a further step is refused, but a command without one is not.
        let reads_tickets = request.is_open() && transition.is_some();
        let rows = ReadSet {
            partners: vec![request.organizer, request.vendor],
            venues_of: vec![request.event],
            // For their promocodes.
            orders: vec![request.order],
            tickets: if reads_tickets { Vec::new() } else { request.tickets().collect() },
            ..ReadSet::default()
        };
        let promocodes = |found: &View| ReadSet {
            promocodes: found.orders.rows().flat_map(|order| order.promocodes.iter().copied()).collect(),
            ..ReadSet::default()
        };
        Ok(Self::new(engine, load_with_related(engine, rows, promocodes).await?))
    }

    fn new(engine: &Engine, rows: View) -> Self {
        Self { rows: Arc::new(rows), now: engine.now() }
    }

    /// All of them.
    pub(crate) fn lookup(&self) -> RelatedRowsLookup<'_> {
        self.lookup_over(&self.rows)
    }

    /// The same, and before them the rows of a command that was decided.
    pub(crate) fn lookup_over<'a>(&'a self, view: &'a View) -> RelatedRowsLookup<'a> {
        RelatedRowsLookup { views: [view, &self.rows], now: self.now }
    }
}

/// The rows around these orders.
fn around_orders<'a>(orders: impl IntoIterator<Item = &'a Order>) -> ReadSet {
    let mut read_set = ReadSet::default();
    for order in orders {
        read_set.events.push(order.event);
        read_set.sets_of.push(order.event);
        read_set.venues_of.push(order.event);
        read_set.tickets.extend(order.lines.iter().map(|line| line.ticket));
        read_set.promocodes.extend(&order.promocodes);
        read_set.partners.extend([order.organizer, order.vendor]);
    }
    read_set
}

/// Rows of two views; where both have one, that of the first counts.
#[derive(Clone, Copy)]
pub(crate) struct RelatedRowsLookup<'a> {
    views: [&'a View; 2],
    /// When they are shown.
    pub(crate) now: Timestamp,
}

impl<'a> RelatedRowsLookup<'a> {
    fn find<T>(self, find: impl Fn(&'a View) -> Option<T>) -> Option<T> {
        self.views.into_iter().find_map(find)
    }

    pub(crate) fn order(self, id: OrderId) -> Option<&'a Order> {
        self.find(|view| view.orders.get(id))
    }

    pub(crate) fn event(self, id: EventId) -> Option<&'a Event> {
        self.find(|view| view.events.get(id))
    }

    /// The sets of an event, in the order in which they are shown.
    pub(crate) fn sets_of(self, id: EventId) -> Vec<&'a TicketSet> {
        self.find(|view| Some(view.sets_of(id)).filter(|sets| !sets.is_empty())).unwrap_or_default()
    }

    /// The price of one ticket of a set as an order shows it, and what acts on it.
    pub(crate) fn price_in(self, order: &Order, set: &TicketSet) -> DiscountedPrice {
        // Only some commands read the promocodes of an order.
        let has_all = |view: &&View| order.promocodes.iter().all(|id| view.promocodes.get(*id).is_some());
        let [first, _] = self.views;
        order.price_for_set(set, self.now, self.views.into_iter().find(has_all).unwrap_or(first))
    }

    pub(crate) fn set(self, id: SetId) -> Option<&'a TicketSet> {
        self.find(|view| view.sets.get(id))
    }

    pub(crate) fn ticket(self, id: TicketId) -> Option<&'a Ticket> {
        self.find(|view| view.tickets.get(id))
    }

    pub(crate) fn promocode(self, id: PromocodeId) -> Option<&'a Promocode> {
        self.find(|view| view.promocodes.get(id))
    }

    pub(crate) fn partner(self, id: PartnerId) -> Option<&'a Partner> {
        self.find(|view| view.partners.get(id))
    }

    pub(crate) fn venue(self, id: VenueId) -> Option<&'a Venue> {
        self.find(|view| view.venues.get(id))
    }
}
