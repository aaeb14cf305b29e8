//! All rows in memory, with the constraints of the real tables: the model that real drivers are
//! compared to, and the store of tests that need no disk.

mod table;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use kassa_domain::audit::Findings;
use kassa_domain::bench::{Bench, BenchId};
use kassa_domain::deal::DealId;
use kassa_domain::event::{Event, EventId, EventStatus};
use kassa_domain::hall::MapId;
use kassa_domain::partner::PartnerId;
use kassa_domain::promocode::Promocode;
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::RefundRequest;
use kassa_domain::set::{Chairs, Set};
use kassa_domain::ticket::{Ticket, TicketId, TicketState};
use kassa_domain::user::UserId;
use kassa_domain::venue::VenueId;
use kassa_domain::view::{Row, Table, Wishes, benches_to_load};
use kassa_domain::{Needs, View, every_table};
use parking_lot::Mutex;

use crate::Decide;
use crate::error::StoreError;
use crate::queries::{self, Crm, CrmOf, CrmSums, Filter, Page, Slice};
use crate::scanning::{Place, Scanned};
use table::Stored;

macro_rules! define_tables {
    ($($field:ident: $row:ty,)*) => {
        /// Every table.
        #[derive(Default)]
        pub struct Tables {
            $(
                #[doc = concat!("The `", stringify!($field), "`.")]
                pub $field: Stored<$row>,
            )*
        }

        impl Tables {
            /// Writes what a batch changed: all of it, or nothing.
            fn apply(&mut self, view: &View) -> Result<(), StoreError> {
                $(self.$field.check(&view.$field)?;)*
                $(self.$field.write(&view.$field);)*
                Ok(())
            }

            /// Every row as text: for comparing drivers.
            pub fn dump(&self) -> Vec<String> {
                let mut lines = Vec::new();
                $(lines.extend(self.$field.rows().map(|row| format!("{row:?}")));)*
                lines
            }
        }
    };
}
every_table!(define_tables);

/// A row that has a table.
pub trait Held: crate::rows::Mapped {
    /// Its table in memory.
    fn stored(tables: &Tables) -> &Stored<Self>;
}

macro_rules! define_held {
    ($($field:ident: $row:ty,)*) => {
        $(impl Held for $row {
            fn stored(tables: &Tables) -> &Stored<Self> {
                &tables.$field
            }
        })*
    };
}
every_table!(define_held);

/// A database in memory. Clones share it.
#[derive(Clone, Default)]
pub struct Memory {
    tables: Arc<Mutex<Tables>>,
}

impl Memory {
    /// Rows by selector.
    pub fn view(&self, needs: &Needs) -> View {
        load(&self.tables.lock(), needs)
    }

    /// A page of a list.
    pub fn page<F: Filter>(&self, filter: &F, slice: Slice) -> Page<F::Row> {
        let tables = self.tables.lock();
        let mut rows: Vec<F::Row> =
            F::Row::stored(&tables).rows().filter(|row| filter.passes(row, &tables)).cloned().collect();
        rows.sort_by(|one, other| filter.compare(one, other));
        let total = rows.len() as u64;
        let offset = usize::try_from(slice.offset).unwrap_or(usize::MAX);
        let rows = rows.into_iter().skip(offset).take(slice.limit as usize).collect();
        Page { rows, total }
    }

    /// Rows by key, from behind a place on or from the first.
    pub fn scan<R: Held>(&self, after: Option<&Place>, limit: usize) -> Vec<Scanned<R>> {
        let tables = self.tables.lock();
        let rows = R::stored(&tables).rows().cloned().map(Scanned::whole);
        let mut rows: Vec<Scanned<R>> = rows.filter(|row| after.is_none_or(|place| row.place > *place)).collect();
        rows.sort_by(|one, other| one.place.cmp(&other.place));
        rows.truncate(limit);
        rows
    }

    /// What of an event does not add up.
    pub fn tally(&self, event: EventId) -> Findings {
        queries::tally::in_memory(event, &self.tables.lock()).close()
    }

    /// What a user has bought.
    pub fn crm(&self, query: &Crm) -> CrmSums {
        query.in_memory(&self.tables.lock())
    }

    /// What several users have bought.
    pub fn crm_of(&self, query: &CrmOf) -> BTreeMap<UserId, CrmSums> {
        query.in_memory(&self.tables.lock())
    }

    /// One batch.
    pub fn transact(&self, needs: &Needs, decide: &mut Decide<'_>) -> Result<(), StoreError> {
        let mut tables = self.tables.lock();
        let mut view = load(&tables, needs);
        decide(&mut view)?;
        tables.apply(&view)
    }

    /// Every row as text, table by table and by key: for comparing drivers.
    pub fn dump(&self) -> Vec<String> {
        self.tables.lock().dump()
    }
}

fn load(tables: &Tables, needs: &Needs) -> View {
    let mut needs = needs.clone();
    needs.normalize();
    let mut view = View::default();
    by_key(&tables.nodes, &needs.nodes, &mut view.nodes);
    by_key(&tables.counters, &needs.counters, &mut view.counters);
    by_key(&tables.facts, &needs.facts, &mut view.facts);
    by_key(&tables.answers, &needs.answers, &mut view.answers);
    accounts(tables, &needs, &mut view);
    orders(tables, &needs, &mut view);
    by_key(&tables.sets, &needs.sets, &mut view.sets);
    by_scan(&tables.sets, |set| needs.sets_of.contains(&set.event), &mut view.sets);
    tickets_and_benches(tables, &needs, &mut view);
    by_key(&tables.venues, &needs.venues, &mut view.venues);
    by_key(&tables.maps, &needs.maps, &mut view.maps);
    let maps: Vec<MapId> = needs.map_of.iter().filter_map(|event| tables.events.get(*event)?.map).collect();
    by_key(&tables.maps, &maps, &mut view.maps);
    by_key(&tables.events, &needs.events, &mut view.events);
    by_key(&tables.deals, &needs.deals, &mut view.deals);
    by_scan(&tables.deals, |deal| needs.deals_of.contains(&(deal.event, deal.subj)), &mut view.deals);
    for pair in &needs.dealt {
        let accepted = tables.deals.rows().filter(|deal| deal.is_accepted() && (deal.subj, deal.obj) == *pair);
        let newest: Vec<DealId> = accepted.map(|deal| deal.id).max().into_iter().collect();
        by_key(&tables.deals, &newest, &mut view.deals);
    }
    if !needs.events_at.is_empty() {
        by_scan(&tables.events, |event| holds_one_of(event, &needs.events_at), &mut view.events);
    }
    by_key(&tables.promotions, &needs.promotions, &mut view.promotions);
    if !needs.promotions_of.is_empty() {
        let live = |row: &Promotion| !row.removed && needs.promotions_of.contains(&row.event);
        by_scan(&tables.promotions, live, &mut view.promotions);
    }
    by_key(&tables.jobs, &needs.jobs, &mut view.jobs);
    by_key(&tables.mails, &needs.mails, &mut view.mails);
    view
}

fn accounts(tables: &Tables, needs: &Needs, view: &mut View) {
    by_key(&tables.users, &needs.users, &mut view.users);
    for email in &needs.emails {
        by_scan(&tables.users, |user| user.email == *email, &mut view.users);
    }
    by_key(&tables.sessions, &needs.sessions, &mut view.sessions);
    by_key(&tables.partners, &needs.partners, &mut view.partners);
    let organizers: Vec<PartnerId> =
        needs.organizers_of.iter().filter_map(|event| Some(tables.events.get(*event)?.org)).collect();
    by_key(&tables.partners, &organizers, &mut view.partners);
    by_key(&tables.managers, &needs.managers, &mut view.managers);
    by_scan(
        &tables.managers,
        |m| needs.managers_of.contains(&m.partner) || needs.partners_of.contains(&m.user),
        &mut view.managers,
    );
    by_key(&tables.keys, &needs.keys, &mut view.keys);
    for hash in &needs.key_hashes {
        by_scan(&tables.keys, |key| key.hash == *hash, &mut view.keys);
    }
    by_key(&tables.attachments, &needs.attachments, &mut view.attachments);
    for token in &needs.attachment_tokens {
        by_scan(&tables.attachments, |attachment| attachment.token == *token, &mut view.attachments);
    }
}

/// Orders, and what is asked and promised about them.
fn orders(tables: &Tables, needs: &Needs, view: &mut View) {
    by_key(&tables.orders, &needs.orders, &mut view.orders);
    by_key(&tables.refunds, &needs.refunds, &mut view.refunds);
    by_scan(&tables.refunds, |request| needs.refunds_of.contains(&request.order), &mut view.refunds);
    let is_open = |request: &RefundRequest| request.is_open() && needs.open_refunds_of.contains(&request.order);
    by_scan(&tables.refunds, is_open, &mut view.refunds);
    by_key(&tables.promocodes, &needs.promocodes, &mut view.promocodes);
    for (event, code) in &needs.codes {
        let named = |row: &Promocode| row.event == *event && row.code.is(code);
        by_scan(&tables.promocodes, named, &mut view.promocodes);
    }
}

fn tickets_and_benches(tables: &Tables, needs: &Needs, view: &mut View) {
    by_key(&tables.tickets, &needs.tickets, &mut view.tickets);
    let named = |t: &Ticket| {
        t.holder().is_some_and(|holder| needs.held_by.contains(&holder))
            || (t.state == TicketState::Blocked && needs.blocked_in.contains(&t.set))
    };
    if !needs.held_by.is_empty() || !needs.blocked_in.is_empty() {
        by_scan(&tables.tickets, named, &mut view.tickets);
    }
    if !needs.chairs.is_empty() {
        by_scan(&tables.tickets, |ticket| sits_in(ticket, &needs.chairs), &mut view.tickets);
    }
    for wishes in needs.wishes() {
        if let Some(set) = view.sets.get(wishes.set).filter(|set| set.seats.is_some()).cloned() {
            offer_seats(tables, &set, &wishes, view);
        } else if let Some(set) = tables.sets.get(wishes.set) {
            offer(&tables.tickets, set, wishes.most as usize, view);
        }
    }
    by_key(&tables.benches, &needs.benches, &mut view.benches);
    by_scan(&tables.benches, |bench| needs.benches_of.contains(&bench.set), &mut view.benches);
    by_key(&tables.benches, &benches_to_load(view), &mut view.benches);
}

fn sits_in(ticket: &Ticket, chairs: &[Chairs]) -> bool {
    let Some(seat) = &ticket.seat else { return false };
    chairs.iter().any(|chairs| {
        let span = chairs.span.from..=chairs.span.to;
        let here = (chairs.set, chairs.event) == (ticket.set, ticket.event) && chairs.sector == seat.sector;
        here && chairs.row == seat.row && span.contains(&seat.number)
    })
}

fn holds_one_of(event: &Event, venues: &[VenueId]) -> bool {
    let live = !event.removed && event.status != EventStatus::Canceled;
    live && event.venue.is_some_and(|venue| venues.contains(&venue))
}

fn by_key<R: crate::rows::Mapped>(stored: &Stored<R>, keys: &[R::Key], table: &mut Table<R>) {
    for key in keys {
        if let Some((row, version)) = stored.versioned(*key) {
            table.load(row.clone(), version);
        }
    }
}

fn by_scan<R: crate::rows::Mapped>(stored: &Stored<R>, named: impl Fn(&R) -> bool, table: &mut Table<R>) {
    let found: Vec<R::Key> = stored.rows().filter(|row| named(row)).map(Row::key).collect();
    by_key(stored, &found, table);
}

fn offer_seats(tables: &Tables, set: &Set, wishes: &Wishes, view: &mut View) {
    let enough = wishes.enough() as usize;
    let longest = |bench: &Bench| bench.vacant.longest_run();
    let mut benches: Vec<&Bench> =
        tables.benches.rows().filter(|bench| bench.set == set.id && longest(bench) > 0).collect();
    benches.sort_unstable_by_key(|bench| bench.place());
    let mut are_all = false;
    for count in wishes.sizes(set) {
        let fitting = benches.iter().filter(|bench| longest(bench) >= count);
        let best: Vec<BenchId> = fitting.map(|bench| bench.id).take(enough).collect();
        are_all |= best.len() < enough;
        by_key(&tables.benches, &best, &mut view.benches);
        view.offer_benches(set.id, count);
    }
    if are_all {
        benches.sort_by_key(|bench| Reverse(longest(bench)));
        let longest_runs: Vec<BenchId> = benches.iter().map(|bench| bench.id).take(enough).collect();
        by_key(&tables.benches, &longest_runs, &mut view.benches);
    }
    let foreseen = view.foresee(wishes);
    by_scan(&tables.tickets, |ticket| sits_in(ticket, &foreseen), &mut view.tickets);
}

fn offer(tickets: &Stored<Ticket>, set: &Set, count: usize, view: &mut View) {
    let vacant = || tickets.rows().filter(|t| t.set == set.id && t.state == TicketState::Vacant).map(|t| t.id);
    let behind = vacant().filter(|id| id.key() > set.cursor);
    let before = vacant().filter(|id| id.key() <= set.cursor);
    let offered: Vec<TicketId> = behind.chain(before).take(count).collect();
    by_key(tickets, &offered, &mut view.tickets);
    view.offer_vacant(set.id, offered);
}
