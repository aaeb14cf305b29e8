//! The rows around orders that they are shown with: their events with all sets, their tickets,
//! promocodes, partners and venues.

use std::sync::Arc;

use kassa_domain::event::{Event, EventId};
use kassa_domain::order::{DiscountedPrice, Order, OrderId};
use kassa_domain::partner::{Partner, PartnerId};
use kassa_domain::promocode::{Promocode, PromocodeId};
use kassa_domain::set::{SetId, TicketSet};
use kassa_domain::ticket::{Ticket, TicketId};
use kassa_domain::venue::{Venue, VenueId};
use kassa_domain::{ReadSet, Timestamp, View};
use kassa_engine::{Engine, Failure};

/// Rows that lie in several views; the first that has one is believed.
#[derive(Clone, Copy)]
pub(super) struct RelatedRowsLookup<'a> {
    views: [&'a View; 3],
    /// When they are shown.
    pub(super) now: Timestamp,
}

/// Rows that were loaded to show something with. Clones share them.
#[derive(Clone)]
pub(super) struct RelatedRows {
    rows: Arc<View>,
    venues: Arc<View>,
    now: Timestamp,
}

impl RelatedRows {
    /// What these orders are shown with.
    pub(super) async fn of_orders(engine: &Engine, orders: &[Order]) -> Result<Self, Failure> {
        Self::load(engine, read_set_of(orders)).await
    }

    /// These orders, what they are shown with, and tickets that may have left them.
    pub(super) async fn with_orders(
        engine: &Engine,
        orders: Vec<OrderId>,
        tickets: impl IntoIterator<Item = TicketId>,
    ) -> Result<Self, Failure> {
        let mut wanted = ReadSet { orders, ..ReadSet::default() };
        wanted.normalize();
        let found = engine.view(&wanted).await?;
        let mut read_set = ReadSet { orders: wanted.orders, ..read_set_of(found.orders.rows()) };
        read_set.tickets.extend(tickets);
        Self::load(engine, read_set).await
    }

    /// What an order for this event is shown with besides what its command has loaded: the event's venue,
    /// and its partners. An event that is not there is for the command to refuse.
    pub(super) async fn for_new_order(engine: &Engine, event: EventId, vendor: PartnerId) -> Result<Self, Failure> {
        let events = engine.view(&ReadSet { events: vec![event], ..ReadSet::default() }).await?;
        let org = events.events.get(event).map(|event| event.organizer);
        let partners = org.into_iter().chain([vendor]).collect();
        Self::load(engine, ReadSet { events: vec![event], partners, ..ReadSet::default() }).await
    }

    async fn load(engine: &Engine, mut read_set: ReadSet) -> Result<Self, Failure> {
        read_set.normalize();
        let rows = engine.view(&read_set).await?;
        let venues = rows.events.rows().filter_map(|event| event.venue).collect();
        let mut read_set = ReadSet { venues, ..ReadSet::default() };
        read_set.normalize();
        let venues = engine.view(&read_set).await?;
        Ok(Self { rows: Arc::new(rows), venues: Arc::new(venues), now: engine.now() })
    }

    /// All of them.
    pub(super) fn lookup(&self) -> RelatedRowsLookup<'_> {
        self.lookup_over(&self.rows)
    }

    /// The same, and before them the rows of a command that was decided.
    pub(super) fn lookup_over<'a>(&'a self, view: &'a View) -> RelatedRowsLookup<'a> {
        RelatedRowsLookup { views: [view, &self.rows, &self.venues], now: self.now }
    }
}

/// The rows around these orders.
fn read_set_of<'a>(orders: impl IntoIterator<Item = &'a Order>) -> ReadSet {
    let mut read_set = ReadSet::default();
    for order in orders {
        read_set.events.push(order.event);
        read_set.sets_of.push(order.event);
        read_set.tickets.extend(order.lines.iter().map(|line| line.ticket));
        read_set.promocodes.extend(&order.promocodes);
        read_set.partners.extend([order.organizer, order.vendor]);
    }
    read_set
}

impl<'a> RelatedRowsLookup<'a> {
    fn find<T>(self, find: impl Fn(&'a View) -> Option<T>) -> Option<T> {
        self.views.into_iter().find_map(find)
    }

    pub(super) fn order(self, id: OrderId) -> Option<&'a Order> {
        self.find(|view| view.orders.get(id))
    }

    pub(super) fn event(self, id: EventId) -> Option<&'a Event> {
        self.find(|view| view.events.get(id))
    }

    /// The sets of an event, in the order in which they are shown.
    pub(super) fn sets_of(self, id: EventId) -> Vec<&'a TicketSet> {
        self.find(|view| Some(view.sets_of(id)).filter(|sets| !sets.is_empty())).unwrap_or_default()
    }

    /// The price of one ticket of a set as an order shows it, and what acts on it.
    pub(super) fn price_in(self, order: &Order, set: &TicketSet) -> DiscountedPrice {
        // Only some commands load the promocodes of an order.
        let has_all = |view: &&View| order.promocodes.iter().all(|id| view.promocodes.get(*id).is_some());
        let [first, ..] = self.views;
        order.price_for_set(set, self.now, self.views.into_iter().find(has_all).unwrap_or(first))
    }

    pub(super) fn set(self, id: SetId) -> Option<&'a TicketSet> {
        self.find(|view| view.sets.get(id))
    }

    pub(super) fn ticket(self, id: TicketId) -> Option<&'a Ticket> {
        self.find(|view| view.tickets.get(id))
    }

    pub(super) fn promocode(self, id: PromocodeId) -> Option<&'a Promocode> {
        self.find(|view| view.promocodes.get(id))
    }

    pub(super) fn partner(self, id: PartnerId) -> Option<&'a Partner> {
        self.find(|view| view.partners.get(id))
    }

    pub(super) fn venue(self, id: VenueId) -> Option<&'a Venue> {
        self.find(|view| view.venues.get(id))
    }
}
