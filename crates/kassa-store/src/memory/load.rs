//! Selectors as conditions on rows.

use std::cmp::Reverse;
use std::convert::Infallible;

use kassa_domain::event::Event;
use kassa_domain::seat_row_inventory::{SeatRowInventory, SeatRowInventoryId};
use kassa_domain::set::{SeatSelector, SetId, TicketSet};
use kassa_domain::ticket::{Ticket, TicketId, TicketState};
use kassa_domain::view::{Lookup, Row, Selector, Table, VacancyRequest, row_inventories_to_load};
use kassa_domain::{ReadSet, View};

use crate::cell::Cell;
use crate::lists::cell;
use crate::memory_tables::{MemoryTables, TableStorage};
use crate::rows::MappedRow;
use crate::selectors::{
    SelectorKey, SelectorVisitor, TableAccessor, condition_holds, is_tagged, visit_named, visit_row_inventories,
};

/// Loads what is named.
pub(super) fn load(tables: &MemoryTables, read_set: &ReadSet) -> View {
    let mut read_set = read_set.clone();
    read_set.normalize();
    let mut loader = Loader { tables, read_set: &read_set, view: View::default() };
    let Ok(()) = visit_named(&read_set, &mut loader);
    let Ok(()) = visit_row_inventories(&read_set, &mut loader);
    let mut view = loader.view;
    load_by_key(&tables.seat_row_inventories, &row_inventories_to_load(&view), &mut view.seat_row_inventories);
    view
}

/// Loads the rows of each selector.
struct Loader<'a> {
    tables: &'a MemoryTables,
    read_set: &'a ReadSet,
    view: View,
}

impl<'a> SelectorVisitor<'a> for Loader<'a> {
    type Error = Infallible;

    fn by_key<R: MappedRow>(
        &mut self,
        _: &'static Selector,
        keys: &'a [R::Key],
        of: TableAccessor<R>,
    ) -> Result<(), Infallible> {
        load_by_key(R::table_in(self.tables), keys, of(&mut self.view));
        Ok(())
    }

    fn by_columns<R: MappedRow, K: SelectorKey>(
        &mut self,
        selector: &'static Selector,
        keys: &'a [K],
        of: TableAccessor<R>,
    ) -> Result<(), Infallible> {
        let stored = R::table_in(self.tables);
        for lookup in selector.lookups {
            for key in keys {
                load_by_key(stored, &find::<R, K>(self.tables, lookup, key), of(&mut self.view));
            }
        }
        Ok(())
    }

    fn by_seat(
        &mut self,
        _: &'static Selector,
        seats: &'a [SeatSelector],
        of: TableAccessor<Ticket>,
    ) -> Result<(), Infallible> {
        if !seats.is_empty() {
            load_by_scan(&self.tables.tickets, |ticket| is_in_seat_range(ticket, seats), of(&mut self.view));
        }
        Ok(())
    }

    fn vacant(
        &mut self,
        _: &'static Selector,
        _: &'a [(SetId, u32)],
        _: TableAccessor<Ticket>,
    ) -> Result<(), Infallible> {
        let (tables, view) = (self.tables, &mut self.view);
        for request in self.read_set.vacancy_requests() {
            if let Some(set) = view.sets.get(request.set).filter(|set| set.seats.is_some()).cloned() {
                offer_vacant_seats(tables, &set, &request, view);
            } else if let Some(set) = tables.sets.get(request.set) {
                offer_vacant_tickets(&tables.tickets, set, request.max_tickets as usize, view);
            }
        }
        Ok(())
    }
}

/// The keys of the rows that a look-up finds.
fn find<R: MappedRow, K: SelectorKey>(tables: &MemoryTables, lookup: &Lookup, key: &K) -> Vec<R::Key> {
    let tagged = is_tagged::<R>(lookup);
    if !key.is_consistent(tagged) {
        return Vec::new();
    }
    let mut wanted = key.cells();
    if let Some(named) = lookup.named_by_event {
        let is_it = |event: &&Event| wanted.first() == Some(&cell(*event, "id"));
        wanted = tables.events.rows().find(is_it).map(|event| cell(event, named).into_owned()).into_iter().collect();
    }
    let mut wanted: Vec<(&str, Cell<'_>)> = lookup.columns.iter().copied().zip(wanted).collect();
    if wanted.len() < lookup.columns.len() {
        return Vec::new();
    }
    wanted.extend(key.tag().filter(|_| tagged).map(|tag| ("tag", Cell::from(tag.to_i64()))));
    let passes = |row: &&R| {
        wanted.iter().all(|(column, wanted)| cell(*row, column) == *wanted)
            && lookup.conditions.iter().all(|condition| condition_holds(condition, &cell(*row, condition.column())))
    };
    let mut found: Vec<&R> = R::table_in(tables).rows().filter(passes).collect();
    if let Some(column) = lookup.descending {
        found.sort_by(|one, other| cell(*other, column).cmp(&cell(*one, column)));
    }
    let limit = lookup.limit.map_or(usize::MAX, |limit| limit as usize);
    found.into_iter().map(Row::key).take(limit).collect()
}

fn is_in_seat_range(ticket: &Ticket, seats: &[SeatSelector]) -> bool {
    let Some(seat) = &ticket.seat else { return false };
    seats.iter().any(|seats| {
        let span = seats.range.from..=seats.range.to;
        let here = (seats.set, seats.event) == (ticket.set, ticket.event) && seats.sector == seat.sector;
        here && seats.row == seat.row && span.contains(&seat.number)
    })
}

fn load_by_key<R: MappedRow>(stored: &TableStorage<R>, keys: &[R::Key], table: &mut Table<R>) {
    for key in keys {
        if let Some((row, version)) = stored.get_with_version(*key) {
            table.load(row.clone(), version);
        }
    }
}

fn load_by_scan<R: MappedRow>(stored: &TableStorage<R>, named: impl Fn(&R) -> bool, table: &mut Table<R>) {
    let found: Vec<R::Key> = stored.rows().filter(|row| named(row)).map(Row::key).collect();
    load_by_key(stored, &found, table);
}

fn offer_vacant_seats(tables: &MemoryTables, set: &TicketSet, request: &VacancyRequest, view: &mut View) {
    let enough = request.sufficient_rows() as usize;
    let mut inventories: Vec<&SeatRowInventory> = tables
        .seat_row_inventories
        .rows()
        .filter(|inventory| inventory.set == set.id && inventory.vacant.longest_run() > 0)
        .collect();
    inventories.sort_unstable_by_key(|inventory| inventory.sort_key());
    let mut are_all = false;
    for count in request.run_lengths(set) {
        let fitting = inventories.iter().filter(|inventory| inventory.vacant.longest_run() >= count);
        let best: Vec<SeatRowInventoryId> = fitting.map(|inventory| inventory.id).take(enough).collect();
        are_all |= best.len() < enough;
        load_by_key(&tables.seat_row_inventories, &best, &mut view.seat_row_inventories);
        view.offer_row_inventories(set.id, count);
    }
    if are_all {
        inventories.sort_by_key(|inventory| Reverse(inventory.vacant.longest_run()));
        let longest_runs: Vec<SeatRowInventoryId> =
            inventories.iter().map(|inventory| inventory.id).take(enough).collect();
        load_by_key(&tables.seat_row_inventories, &longest_runs, &mut view.seat_row_inventories);
    }
    let foreseen = view.predict_seats(request);
    load_by_scan(&tables.tickets, |ticket| is_in_seat_range(ticket, &foreseen), &mut view.tickets);
}

fn offer_vacant_tickets(tickets: &TableStorage<Ticket>, set: &TicketSet, count: usize, view: &mut View) {
    let vacant = || tickets.rows().filter(|t| t.set == set.id && t.state == TicketState::Vacant).map(|t| t.id);
    let behind = vacant().filter(|id| id.key() > set.pick_cursor);
    let before = vacant().filter(|id| id.key() <= set.pick_cursor);
    let offered: Vec<TicketId> = behind.chain(before).take(count).collect();
    load_by_key(tickets, &offered, &mut view.tickets);
    view.offer_vacant(set.id, offered);
}
