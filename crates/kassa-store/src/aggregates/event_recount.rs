//! What is read of an event to count it again: all rows, as of one moment, in the order in which [`EventRecount`] wants
//! them.

use kassa_domain::audit::EventRecount;
use kassa_domain::event::{Event, EventId};
use kassa_domain::job::Job;
use kassa_domain::order::Order;
use kassa_domain::promocode::Promocode;
use kassa_domain::seat_row_inventory::SeatRowInventory;
use kassa_domain::set::TicketSet;
use kassa_domain::ticket::Ticket;

use crate::cell::{Cell, RowReader};
use crate::error::StoreError;
use crate::lists::{Statement, root_key};
#[cfg(feature = "test-drivers")]
use crate::memory_tables::MemoryTables;
use crate::rows::{MappedRow, column_list, read_with_version};

/// Reads a row and adds it to the recount.
type AddRowFn = dyn Fn(&mut dyn RowReader, &mut EventRecount) -> Result<(), StoreError> + Send + Sync;

/// Rows of one kind: the statement that gives them, and what is done with each.
pub(crate) struct RecountQuery {
    pub(crate) statement: Statement,
    add_row_fn: Box<AddRowFn>,
}

impl RecountQuery {
    fn for_rows<R: MappedRow>(condition: &str, args: Vec<Cell<'static>>, add: fn(&mut EventRecount, R)) -> Self {
        let text = format!("SELECT {} FROM {} WHERE {condition}", column_list::<R>(), R::TABLE);
        let take = move |source: &mut dyn RowReader, recount: &mut EventRecount| {
            add(recount, read_with_version::<R>(source)?.0);
            Ok(())
        };
        Self { statement: Statement { text, args }, add_row_fn: Box::new(take) }
    }

    /// Adds a row to the recount.
    pub(crate) fn add_row(&self, source: &mut dyn RowReader, recount: &mut EventRecount) -> Result<(), StoreError> {
        (self.add_row_fn)(source, recount)
    }
}

/// The queries of an event.
pub(crate) fn recount_queries(event: EventId) -> [RecountQuery; 7] {
    let (tag, key) = (Cell::from(event.tag().to_i64()), Cell::from(root_key(event)));
    let args = || vec![tag.clone(), key.clone()];
    let of_sets = "tag = $1 AND set_id IN (SELECT id FROM sets WHERE tag = $1 AND event = $2)";
    // Without promocodes there is nothing that orders count for.
    let with_codes = "tag = $1 AND event = $2 AND EXISTS (SELECT 1 FROM promocodes WHERE tag = $1 AND event = $2)";
    [
        RecountQuery::for_rows("id = $1", vec![key.clone()], |recount, event: Event| recount.add_event(&event)),
        RecountQuery::for_rows("tag = $1", vec![tag.clone()], |recount, job: Job| recount.add_job(&job)),
        RecountQuery::for_rows(
            "tag = $1 AND event = $2",
            args(),
            EventRecount::add_set as fn(&mut EventRecount, TicketSet),
        ),
        RecountQuery::for_rows(of_sets, args(), EventRecount::add_inventory as fn(&mut EventRecount, SeatRowInventory)),
        RecountQuery::for_rows(
            "tag = $1 AND event = $2",
            args(),
            EventRecount::add_promocode as fn(&mut EventRecount, Promocode),
        ),
        RecountQuery::for_rows("tag = $1 AND event = $2 ORDER BY number", args(), |recount, ticket: Ticket| {
            recount.add_ticket(&ticket);
        }),
        RecountQuery::for_rows(with_codes, args(), |recount, order: Order| recount.add_order(&order)),
    ]
}

/// The same of rows in memory.
#[cfg(feature = "test-drivers")]
pub(crate) fn recount_in_memory(tables: &MemoryTables, event: EventId) -> EventRecount {
    let mut recount = EventRecount::default();
    tables.events.get(event).into_iter().for_each(|event| recount.add_event(event));
    tables.jobs.rows().for_each(|job| recount.add_job(job));
    let sets = || tables.sets.rows().filter(|set| set.event == event);
    sets().for_each(|set| recount.add_set(set.clone()));
    let inventories = tables.seat_row_inventories.rows().filter(|inventory| sets().any(|set| set.id == inventory.set));
    inventories.for_each(|inventory| recount.add_inventory(inventory.clone()));
    let promocodes = tables.promocodes.rows().filter(|promocode| promocode.event == event);
    promocodes.for_each(|promocode| recount.add_promocode(promocode.clone()));
    let mut tickets: Vec<&Ticket> = tables.tickets.rows().filter(|ticket| ticket.event == event).collect();
    tickets.sort_unstable_by_key(|ticket| ticket.number);
    for ticket in tickets {
        recount.add_ticket(ticket);
    }
    tables.orders.rows().filter(|order| order.event == event).for_each(|order| recount.add_order(order));
    recount
}
