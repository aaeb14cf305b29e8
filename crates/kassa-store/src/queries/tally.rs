//! What is read of an event to count it again: all rows, as of one moment, in the order in which [`Books`] wants them.

use kassa_domain::audit::Books;
use kassa_domain::bench::Bench;
use kassa_domain::event::{Event, EventId};
use kassa_domain::job::Job;
use kassa_domain::order::Order;
use kassa_domain::promocode::Promocode;
use kassa_domain::set::Set;
use kassa_domain::ticket::Ticket;

use super::partners::root_key;
use super::{Statement, column_list};
use crate::cell::{Cell, Source};
use crate::error::StoreError;
use crate::memory::Tables;
use crate::rows::{Mapped, versioned};

/// Reads a row and adds it to the books.
type Take = dyn Fn(&mut dyn Source, &mut Books) -> Result<(), StoreError> + Send + Sync;

/// Rows of one kind: the statement that gives them, and what is done with each.
pub(crate) struct Course {
    pub(crate) statement: Statement,
    take: Box<Take>,
}

impl Course {
    fn of<R: Mapped>(condition: &str, args: Vec<Cell<'static>>, add: fn(&mut Books, R)) -> Self {
        let text = format!("SELECT {} FROM {} WHERE {condition}", column_list::<R>(), R::TABLE);
        let take = move |source: &mut dyn Source, books: &mut Books| {
            add(books, versioned::<R>(source)?.0);
            Ok(())
        };
        Self { statement: Statement { text, args }, take: Box::new(take) }
    }

    /// Adds a row to the books.
    pub(crate) fn take(&self, source: &mut dyn Source, books: &mut Books) -> Result<(), StoreError> {
        (self.take)(source, books)
    }
}

/// The courses of an event.
pub(crate) fn courses(event: EventId) -> [Course; 7] {
    let (tag, key) = (Cell::from(event.tag().to_i64()), Cell::from(root_key(event)));
    let args = || vec![tag.clone(), key.clone()];
    let of_sets = "tag = $1 AND set_id IN (SELECT id FROM sets WHERE tag = $1 AND event = $2)";
    // Without promocodes there is nothing that orders count for.
    let with_codes = "tag = $1 AND event = $2 AND EXISTS (SELECT 1 FROM promocodes WHERE tag = $1 AND event = $2)";
    [
        Course::of("id = $1", vec![key.clone()], |books, event: Event| books.event(&event)),
        Course::of("tag = $1", vec![tag.clone()], |books, job: Job| books.job(&job)),
        Course::of("tag = $1 AND event = $2", args(), Books::set as fn(&mut Books, Set)),
        Course::of(of_sets, args(), Books::bench as fn(&mut Books, Bench)),
        Course::of("tag = $1 AND event = $2", args(), Books::promocode as fn(&mut Books, Promocode)),
        Course::of("tag = $1 AND event = $2 ORDER BY number", args(), |books, ticket: Ticket| books.ticket(&ticket)),
        Course::of(with_codes, args(), |books, order: Order| books.order(&order)),
    ]
}

/// The same in memory.
pub(crate) fn in_memory(event: EventId, tables: &Tables) -> Books {
    let mut books = Books::default();
    tables.events.get(event).into_iter().for_each(|event| books.event(event));
    tables.jobs.rows().for_each(|job| books.job(job));
    let sets = || tables.sets.rows().filter(|set| set.event == event);
    sets().for_each(|set| books.set(set.clone()));
    let benches = tables.benches.rows().filter(|bench| sets().any(|set| set.id == bench.set));
    benches.for_each(|bench| books.bench(bench.clone()));
    let promocodes = tables.promocodes.rows().filter(|promocode| promocode.event == event);
    promocodes.for_each(|promocode| books.promocode(promocode.clone()));
    let mut tickets: Vec<&Ticket> = tables.tickets.rows().filter(|ticket| ticket.event == event).collect();
    tickets.sort_unstable_by_key(|ticket| ticket.number);
    for ticket in tickets {
        books.ticket(ticket);
    }
    tables.orders.rows().filter(|order| order.event == event).for_each(|order| books.order(order));
    books
}
