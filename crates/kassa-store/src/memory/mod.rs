//! All rows in memory, with the constraints of the real tables: the model that real drivers are
//! compared to, and the store of tests that need no disk.

mod filters;
mod totals;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use kassa_domain::audit::Findings;
use kassa_domain::deal::DealId;
use kassa_domain::event::{Event, EventId, EventStatus};
use kassa_domain::hall_map::HallMapId;
use kassa_domain::partner::PartnerId;
use kassa_domain::promocode::Promocode;
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::RefundRequest;
use kassa_domain::seat_row_inventory::{SeatRowInventory, SeatRowInventoryId};
use kassa_domain::set::{SeatSelector, TicketSet};
use kassa_domain::ticket::{Ticket, TicketId, TicketState};
use kassa_domain::user::UserId;
use kassa_domain::venue::VenueId;
use kassa_domain::view::{Row, Table, VacancyRequest, row_inventories_to_load};
use kassa_domain::{ReadSet, View, every_table};
use parking_lot::Mutex;

use crate::DecideFn;
use crate::error::StoreError;
use crate::memory_tables::{MemoryTables, RowInMemory as _, TableStorage};
use crate::queries::{CustomerTotals, CustomerTotalsByUserQuery, CustomerTotalsQuery, Filter, Page, PageWindow};
use crate::row_scan::{RowCursor, ScannedRow};
use crate::rows::MappedRow;

/// Writes what a batch changed: all of it, or nothing.
fn apply(tables: &mut MemoryTables, view: &View) -> Result<(), StoreError> {
    macro_rules! apply {
        ($($field:ident: $row:ty,)*) => {
            $(tables.$field.check(<$row>::TABLE, &view.$field)?;)*
            $(tables.$field.write(&view.$field);)*
        };
    }
    every_table!(apply);
    Ok(())
}

/// Every row as text.
fn dump(tables: &MemoryTables) -> Vec<String> {
    let mut lines = Vec::new();
    macro_rules! dump {
        ($($field:ident: $row:ty,)*) => {
            $(lines.extend(tables.$field.rows().map(|row| format!("{row:?}")));)*
        };
    }
    every_table!(dump);
    lines
}

/// A database in memory. Clones share it.
#[derive(Clone, Default)]
pub struct Memory {
    tables: Arc<Mutex<MemoryTables>>,
}

impl Memory {
    /// Rows by selector.
    pub fn view(&self, read_set: &ReadSet) -> View {
        load(&self.tables.lock(), read_set)
    }

    /// A page of a list.
    pub fn page<F: Filter>(&self, filter: &F, slice: PageWindow) -> Page<F::Row> {
        let tables = self.tables.lock();
        let mut rows: Vec<F::Row> =
            F::Row::table_in(&tables).rows().filter(|row| filter.matches(row, &tables)).cloned().collect();
        rows.sort_by(|one, other| filter.compare(one, other));
        let total = rows.len() as u64;
        let offset = usize::try_from(slice.offset).unwrap_or(usize::MAX);
        let rows = rows.into_iter().skip(offset).take(slice.limit as usize).collect();
        Page { rows, total }
    }

    /// Rows by key, from behind a place on or from the first.
    pub fn scan<R: MappedRow>(&self, after: Option<&RowCursor>, limit: usize) -> Vec<ScannedRow<R>> {
        let tables = self.tables.lock();
        let rows = R::table_in(&tables).rows().cloned().map(ScannedRow::from_row);
        let mut rows: Vec<ScannedRow<R>> = rows.filter(|row| after.is_none_or(|place| row.cursor > *place)).collect();
        rows.sort_by(|one, other| one.cursor.cmp(&other.cursor));
        rows.truncate(limit);
        rows
    }

    /// What of an event does not add up.
    pub fn recount_event(&self, event: EventId) -> Findings {
        totals::recount_event(&self.tables.lock(), event).finish()
    }

    /// What a user has bought.
    pub fn customer_totals(&self, query: &CustomerTotalsQuery) -> CustomerTotals {
        totals::customer_totals(&self.tables.lock(), query)
    }

    /// What several users have bought.
    pub fn customer_totals_by_user(&self, query: &CustomerTotalsByUserQuery) -> BTreeMap<UserId, CustomerTotals> {
        totals::customer_totals_by_user(&self.tables.lock(), query)
    }

    /// One batch.
    pub fn transact(&self, read_set: &ReadSet, decide: &mut DecideFn<'_>) -> Result<(), StoreError> {
        let mut tables = self.tables.lock();
        let mut view = load(&tables, read_set);
        decide(&mut view)?;
        apply(&mut tables, &view)
    }

    /// Every row as text, table by table and by key: for comparing drivers.
    pub fn dump(&self) -> Vec<String> {
        dump(&self.tables.lock())
    }
}

fn load(tables: &MemoryTables, read_set: &ReadSet) -> View {
    let mut read_set = read_set.clone();
    read_set.normalize();
    let mut view = View::default();
    load_by_key(&tables.nodes, &read_set.nodes, &mut view.nodes);
    load_by_key(&tables.counters, &read_set.counters, &mut view.counters);
    load_by_key(&tables.installation_settings, &read_set.installation_settings, &mut view.installation_settings);
    load_by_key(&tables.idempotency_records, &read_set.idempotency_records, &mut view.idempotency_records);
    load_accounts(tables, &read_set, &mut view);
    load_orders(tables, &read_set, &mut view);
    load_by_key(&tables.sets, &read_set.sets, &mut view.sets);
    load_by_scan(&tables.sets, |set| read_set.sets_of.contains(&set.event), &mut view.sets);
    load_tickets_and_row_inventories(tables, &read_set, &mut view);
    load_by_key(&tables.venues, &read_set.venues, &mut view.venues);
    load_by_key(&tables.hall_maps, &read_set.hall_maps, &mut view.hall_maps);
    let maps: Vec<HallMapId> =
        read_set.hall_map_of.iter().filter_map(|event| tables.events.get(*event)?.hall_map).collect();
    load_by_key(&tables.hall_maps, &maps, &mut view.hall_maps);
    load_by_key(&tables.events, &read_set.events, &mut view.events);
    load_by_key(&tables.deals, &read_set.deals, &mut view.deals);
    load_by_scan(&tables.deals, |deal| read_set.deals_of.contains(&(deal.event, deal.agent)), &mut view.deals);
    for pair in &read_set.deals_between {
        let accepted = tables.deals.rows().filter(|deal| deal.is_accepted() && (deal.agent, deal.organizer) == *pair);
        let newest: Vec<DealId> = accepted.map(|deal| deal.id).max().into_iter().collect();
        load_by_key(&tables.deals, &newest, &mut view.deals);
    }
    if !read_set.events_at.is_empty() {
        load_by_scan(&tables.events, |event| occupies_venue(event, &read_set.events_at), &mut view.events);
    }
    load_by_key(&tables.promotions, &read_set.promotions, &mut view.promotions);
    if !read_set.promotions_of.is_empty() {
        let live = |row: &Promotion| !row.removed && read_set.promotions_of.contains(&row.event);
        load_by_scan(&tables.promotions, live, &mut view.promotions);
    }
    load_by_key(&tables.jobs, &read_set.jobs, &mut view.jobs);
    load_by_key(&tables.mails, &read_set.mails, &mut view.mails);
    view
}

fn load_accounts(tables: &MemoryTables, read_set: &ReadSet, view: &mut View) {
    load_by_key(&tables.users, &read_set.users, &mut view.users);
    for email in &read_set.users_by_email {
        load_by_scan(&tables.users, |user| user.email == *email, &mut view.users);
    }
    load_by_key(&tables.sessions, &read_set.sessions, &mut view.sessions);
    load_by_key(&tables.partners, &read_set.partners, &mut view.partners);
    let organizers: Vec<PartnerId> =
        read_set.organizers_of.iter().filter_map(|event| Some(tables.events.get(*event)?.organizer)).collect();
    load_by_key(&tables.partners, &organizers, &mut view.partners);
    load_by_key(&tables.managers, &read_set.managers, &mut view.managers);
    load_by_scan(
        &tables.managers,
        |m| read_set.managers_of.contains(&m.partner) || read_set.partners_of.contains(&m.user),
        &mut view.managers,
    );
    load_by_key(&tables.keys, &read_set.keys, &mut view.keys);
    for hash in &read_set.keys_by_hash {
        load_by_scan(&tables.keys, |key| key.secret_hash == *hash, &mut view.keys);
    }
    load_by_key(&tables.attachments, &read_set.attachments, &mut view.attachments);
    for token in &read_set.attachments_by_token {
        load_by_scan(&tables.attachments, |attachment| attachment.token == *token, &mut view.attachments);
    }
}

/// Orders, and what is asked and promised about them.
fn load_orders(tables: &MemoryTables, read_set: &ReadSet, view: &mut View) {
    load_by_key(&tables.orders, &read_set.orders, &mut view.orders);
    load_by_key(&tables.refunds, &read_set.refunds, &mut view.refunds);
    load_by_scan(&tables.refunds, |request| read_set.refunds_of.contains(&request.order), &mut view.refunds);
    let is_open = |request: &RefundRequest| request.is_open() && read_set.open_refunds_of.contains(&request.order);
    load_by_scan(&tables.refunds, is_open, &mut view.refunds);
    load_by_key(&tables.promocodes, &read_set.promocodes, &mut view.promocodes);
    for (event, code) in &read_set.promocodes_by_text {
        let named = |row: &Promocode| row.event == *event && row.code.matches(code);
        load_by_scan(&tables.promocodes, named, &mut view.promocodes);
    }
}

fn load_tickets_and_row_inventories(tables: &MemoryTables, read_set: &ReadSet, view: &mut View) {
    load_by_key(&tables.tickets, &read_set.tickets, &mut view.tickets);
    let named = |t: &Ticket| {
        t.holder().is_some_and(|holder| read_set.tickets_held_by.contains(&holder))
            || (t.state == TicketState::Blocked && read_set.blocked_tickets_of.contains(&t.set))
    };
    if !read_set.tickets_held_by.is_empty() || !read_set.blocked_tickets_of.is_empty() {
        load_by_scan(&tables.tickets, named, &mut view.tickets);
    }
    if !read_set.seats.is_empty() {
        load_by_scan(&tables.tickets, |ticket| is_in_seat_range(ticket, &read_set.seats), &mut view.tickets);
    }
    for wishes in read_set.vacancy_requests() {
        if let Some(set) = view.sets.get(wishes.set).filter(|set| set.seats.is_some()).cloned() {
            offer_vacant_seats(tables, &set, &wishes, view);
        } else if let Some(set) = tables.sets.get(wishes.set) {
            offer_vacant_tickets(&tables.tickets, set, wishes.max_tickets as usize, view);
        }
    }
    load_by_key(&tables.seat_row_inventories, &read_set.seat_row_inventories, &mut view.seat_row_inventories);
    load_by_scan(
        &tables.seat_row_inventories,
        |inventory| read_set.seat_row_inventories_of.contains(&inventory.set),
        &mut view.seat_row_inventories,
    );
    load_by_key(&tables.seat_row_inventories, &row_inventories_to_load(view), &mut view.seat_row_inventories);
}

fn is_in_seat_range(ticket: &Ticket, chairs: &[SeatSelector]) -> bool {
    let Some(seat) = &ticket.seat else { return false };
    chairs.iter().any(|chairs| {
        let span = chairs.range.from..=chairs.range.to;
        let here = (chairs.set, chairs.event) == (ticket.set, ticket.event) && chairs.sector == seat.sector;
        here && chairs.row == seat.row && span.contains(&seat.number)
    })
}

fn occupies_venue(event: &Event, venues: &[VenueId]) -> bool {
    let live = !event.removed && event.status != EventStatus::Canceled;
    live && event.venue.is_some_and(|venue| venues.contains(&venue))
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

fn offer_vacant_seats(tables: &MemoryTables, set: &TicketSet, wishes: &VacancyRequest, view: &mut View) {
    let enough = wishes.sufficient_rows() as usize;
    let longest = |inventory: &SeatRowInventory| inventory.vacant.longest_run();
    let mut inventories: Vec<&SeatRowInventory> = tables
        .seat_row_inventories
        .rows()
        .filter(|inventory| inventory.set == set.id && longest(inventory) > 0)
        .collect();
    inventories.sort_unstable_by_key(|inventory| inventory.sort_key());
    let mut are_all = false;
    for count in wishes.run_lengths(set) {
        let fitting = inventories.iter().filter(|inventory| longest(inventory) >= count);
        let best: Vec<SeatRowInventoryId> = fitting.map(|inventory| inventory.id).take(enough).collect();
        are_all |= best.len() < enough;
        load_by_key(&tables.seat_row_inventories, &best, &mut view.seat_row_inventories);
        view.offer_row_inventories(set.id, count);
    }
    if are_all {
        inventories.sort_by_key(|inventory| Reverse(longest(inventory)));
        let longest_runs: Vec<SeatRowInventoryId> =
            inventories.iter().map(|inventory| inventory.id).take(enough).collect();
        load_by_key(&tables.seat_row_inventories, &longest_runs, &mut view.seat_row_inventories);
    }
    let foreseen = view.predict_seats(wishes);
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
