//! Selectors as look-ups.

use std::collections::HashMap;
use std::sync::LazyLock;

use kassa_domain::attachment::Attachment;
use kassa_domain::bench::Bench;
use kassa_domain::deal::Deal;
use kassa_domain::event::Event;
use kassa_domain::hall::HallMap;
use kassa_domain::key::ApiKey;
use kassa_domain::partner::{Manager, Partner};
use kassa_domain::promocode::Promocode;
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::RefundRequest;
use kassa_domain::set::{Chairs, Set, SetId};
use kassa_domain::ticket::{Ticket, TicketId};
use kassa_domain::user::User;
use kassa_domain::venue::VenueId;
use kassa_domain::view::{EVENTS_AT_MAX, Table, Wishes, benches_to_load};
use kassa_domain::{Id, Needs, View, every_table};
use rusqlite::Connection;

use super::statements::{by, by_key};
use super::{each, rows_of};
use crate::cell::Cell;
use crate::error::StoreError;
use crate::rows::{Key as _, Mapped};

/// The texts of look-ups that are not by key. Each names the index that serves it.
struct Lookups {
    user_by_email: String,
    organizer_of: String,
    managers_of: String,
    partners_of: String,
    key_by_hash: String,
    attachment_by_token: String,
    refunds_of: String,
    open_refunds_of: String,
    promocode_by_code: String,
    sets_of: String,
    held_by: String,
    blocked_in: String,
    in_chairs: String,
    vacant_behind: String,
    vacant_before: String,
    benches_of: String,
    best_benches: String,
    longest_runs: String,
    map_of: String,
    deals_of: String,
    dealt: String,
    endless_at: String,
    last_at: String,
    promotions_of: String,
}

/// Rows by their whole key, by table.
static BY_KEY: LazyLock<HashMap<&'static str, String>> = LazyLock::new(|| {
    macro_rules! texts {
        ($($field:ident: $row:ty,)*) => {
            HashMap::from([$((<$row>::TABLE, by_key::<$row>()),)*])
        };
    }
    every_table!(texts)
});

static LOOKUPS: LazyLock<Lookups> = LazyLock::new(|| Lookups {
    user_by_email: by::<User>("email = ?1"),
    organizer_of: by::<Partner>("id = (SELECT org FROM events WHERE id = ?1)"),
    managers_of: by::<Manager>("partner = ?1"),
    partners_of: by::<Manager>("user_id = ?1"),
    key_by_hash: by::<ApiKey>("hash = ?1"),
    attachment_by_token: by::<Attachment>("token = ?1"),
    refunds_of: by::<RefundRequest>("order_id = ?1"),
    promocode_by_code: by::<Promocode>("event = ?1 AND folded_code = ?2"),
    sets_of: by::<Set>("event = ?1"),
    held_by: by::<Ticket>("holder = ?1"),
    blocked_in: by::<Ticket>("set_id = ?1 AND state = 3"),
    in_chairs: by::<Ticket>("event = ?1 AND sector = ?2 AND row_order = ?3 AND seat_number BETWEEN ?4 AND ?5"),
    vacant_behind: by::<Ticket>("set_id = ?1 AND state = 0 AND id > ?2 ORDER BY id LIMIT ?3"),
    vacant_before: by::<Ticket>("set_id = ?1 AND state = 0 AND id <= ?2 ORDER BY id LIMIT ?3"),
    benches_of: by::<Bench>("set_id = ?1"),
    map_of: by::<HallMap>("id = (SELECT map FROM events WHERE id = ?1)"),
    deals_of: by::<Deal>("event = ?1 AND subj = ?2"),
    // From here on the conditions are spelled as in partial indexes.
    open_refunds_of: by::<RefundRequest>("order_id = ?1 AND status IN ('new', 'in_progress')"),
    // The sign keeps the planner from looking by length: the best come first, and are few.
    best_benches: by::<Bench>("set_id = ?1 AND longest <> 0 AND +longest >= ?2 ORDER BY rank, row_order LIMIT ?3"),
    longest_runs: by::<Bench>("set_id = ?1 AND longest <> 0 ORDER BY longest DESC, rank, row_order LIMIT ?2"),
    dealt: by::<Deal>("subj = ?1 AND obj = ?2 AND status = 'accepted' ORDER BY id DESC LIMIT 1"),
    endless_at: by::<Event>("venue = ?1 AND removed = 0 AND status <> 'canceled' AND ends_at IS NULL LIMIT ?2"),
    last_at: by::<Event>(
        "venue = ?1 AND removed = 0 AND status <> 'canceled' AND ends_at IS NOT NULL ORDER BY ends_at DESC LIMIT ?2",
    ),
    promotions_of: by::<Promotion>("event = ?1 AND removed = 0"),
});

/// Loads what is named, within the transaction that is open.
pub(super) fn load(connection: &Connection, needs: &Needs) -> Result<View, StoreError> {
    let mut needs = needs.clone();
    needs.normalize();
    let mut view = View::default();
    keyed(connection, &needs.nodes, &mut view.nodes)?;
    keyed(connection, &needs.counters, &mut view.counters)?;
    keyed(connection, &needs.facts, &mut view.facts)?;
    keyed(connection, &needs.answers, &mut view.answers)?;
    accounts(connection, &needs, &mut view)?;
    orders(connection, &needs, &mut view)?;
    promocodes(connection, &needs, &mut view.promocodes)?;
    keyed(connection, &needs.sets, &mut view.sets)?;
    for event in &needs.sets_of {
        found(connection, &LOOKUPS.sets_of, event.key(), |set: &Set| set.event == *event, &mut view.sets)?;
    }
    tickets(connection, &needs, &mut view)?;
    benches(connection, &needs, &mut view)?;
    keyed(connection, &needs.venues, &mut view.venues)?;
    keyed(connection, &needs.maps, &mut view.maps)?;
    for event in needs.map_of.iter().filter(|event| **event == Id::root(event.key())) {
        found(connection, &LOOKUPS.map_of, event.key(), |_| true, &mut view.maps)?;
    }
    keyed(connection, &needs.events, &mut view.events)?;
    keyed(connection, &needs.deals, &mut view.deals)?;
    for (event, subj) in &needs.deals_of {
        let args = [event.key().into(), subj.key().into()];
        rows_of(connection, &LOOKUPS.deals_of, &args, |deal: Deal, version| {
            if (deal.event, deal.subj) == (*event, *subj) {
                view.deals.load(deal, version);
            }
        })?;
    }
    for (subj, obj) in &needs.dealt {
        let args = [subj.key().into(), obj.key().into()];
        rows_of(connection, &LOOKUPS.dealt, &args, |deal: Deal, version| {
            if (deal.subj, deal.obj) == (*subj, *obj) {
                view.deals.load(deal, version);
            }
        })?;
    }
    for venue in &needs.events_at {
        events_at(connection, *venue, &mut view.events)?;
    }
    keyed(connection, &needs.promotions, &mut view.promotions)?;
    for event in &needs.promotions_of {
        let own = |promotion: &Promotion| promotion.event == *event;
        found(connection, &LOOKUPS.promotions_of, event.key(), own, &mut view.promotions)?;
    }
    keyed(connection, &needs.jobs, &mut view.jobs)?;
    keyed(connection, &needs.mails, &mut view.mails)?;
    Ok(view)
}

fn accounts(connection: &Connection, needs: &Needs, view: &mut View) -> Result<(), StoreError> {
    keyed(connection, &needs.users, &mut view.users)?;
    for email in &needs.emails {
        found(connection, &LOOKUPS.user_by_email, email.as_str(), |_| true, &mut view.users)?;
    }
    keyed(connection, &needs.sessions, &mut view.sessions)?;
    keyed(connection, &needs.partners, &mut view.partners)?;
    // An event's tag is its own: one that is not is of nothing.
    for event in needs.organizers_of.iter().filter(|event| **event == Id::root(event.key())) {
        found(connection, &LOOKUPS.organizer_of, event.key(), |_| true, &mut view.partners)?;
    }
    keyed(connection, &needs.managers, &mut view.managers)?;
    for partner in &needs.managers_of {
        let own = |manager: &Manager| manager.partner == *partner;
        found(connection, &LOOKUPS.managers_of, partner.key(), own, &mut view.managers)?;
    }
    for user in &needs.partners_of {
        let own = |manager: &Manager| manager.user == *user;
        found(connection, &LOOKUPS.partners_of, user.key(), own, &mut view.managers)?;
    }
    keyed(connection, &needs.keys, &mut view.keys)?;
    for hash in &needs.key_hashes {
        found(connection, &LOOKUPS.key_by_hash, hash.as_slice(), |_| true, &mut view.keys)?;
    }
    keyed(connection, &needs.attachments, &mut view.attachments)?;
    for token in &needs.attachment_tokens {
        found(connection, &LOOKUPS.attachment_by_token, token.to_string(), |_| true, &mut view.attachments)?;
    }
    Ok(())
}

fn orders(connection: &Connection, needs: &Needs, view: &mut View) -> Result<(), StoreError> {
    keyed(connection, &needs.orders, &mut view.orders)?;
    keyed(connection, &needs.refunds, &mut view.refunds)?;
    let all = needs.refunds_of.iter().map(|order| (order, &LOOKUPS.refunds_of));
    let open = needs.open_refunds_of.iter().map(|order| (order, &LOOKUPS.open_refunds_of));
    for (order, text) in all.chain(open) {
        let own = |request: &RefundRequest| request.order == *order;
        found(connection, text, order.key(), own, &mut view.refunds)?;
    }
    Ok(())
}

fn keyed<R: Mapped>(connection: &Connection, keys: &[R::Key], table: &mut Table<R>) -> Result<(), StoreError> {
    if keys.is_empty() {
        return Ok(());
    }
    let text = BY_KEY.get(R::TABLE).ok_or_else(|| StoreError::Corrupt(format!("no table {}", R::TABLE)))?;
    for key in keys {
        let mut args = Vec::with_capacity(2);
        key.write(&mut args);
        rows_of(connection, text, &args, |row: R, version| {
            // An id whose tag is not the row's is unknown.
            if row.key() == *key {
                table.load(row, version);
            }
        })?;
    }
    Ok(())
}

/// Rows by one value of a column that is not their key. An id says more than its key: rows of
/// another id that shares it are left out by `own`.
fn found<'a, R: Mapped>(
    connection: &Connection,
    text: &str,
    arg: impl Into<Cell<'a>>,
    own: impl Fn(&R) -> bool,
    table: &mut Table<R>,
) -> Result<(), StoreError> {
    rows_of(connection, text, &[arg.into()], |row, version| {
        if own(&row) {
            table.load(row, version);
        }
    })
}

fn promocodes(connection: &Connection, needs: &Needs, table: &mut Table<Promocode>) -> Result<(), StoreError> {
    keyed(connection, &needs.promocodes, table)?;
    for (event, code) in &needs.codes {
        let args = [event.key().into(), code.folded().into()];
        rows_of(connection, &LOOKUPS.promocode_by_code, &args, |promocode: Promocode, version| {
            if promocode.event == *event {
                table.load(promocode, version);
            }
        })?;
    }
    Ok(())
}

fn events_at(connection: &Connection, venue: VenueId, table: &mut Table<Event>) -> Result<(), StoreError> {
    for text in [&LOOKUPS.endless_at, &LOOKUPS.last_at] {
        let args = [venue.key().into(), i64::from(EVENTS_AT_MAX).into()];
        rows_of(connection, text, &args, |event: Event, version| {
            if event.venue == Some(venue) {
                table.load(event, version);
            }
        })?;
    }
    Ok(())
}

fn tickets(connection: &Connection, needs: &Needs, view: &mut View) -> Result<(), StoreError> {
    keyed(connection, &needs.tickets, &mut view.tickets)?;
    for order in &needs.held_by {
        let own = |ticket: &Ticket| ticket.holder() == Some(*order);
        found(connection, &LOOKUPS.held_by, order.key(), own, &mut view.tickets)?;
    }
    for set in &needs.blocked_in {
        found(connection, &LOOKUPS.blocked_in, set.key(), |ticket: &Ticket| ticket.set == *set, &mut view.tickets)?;
    }
    for chairs in &needs.chairs {
        in_chairs(connection, chairs, &mut view.tickets)?;
    }
    for wishes in needs.wishes() {
        if let Some(set) = view.sets.get(wishes.set).filter(|set| set.seats.is_some()).cloned() {
            vacant_seats(connection, &set, &wishes, view)?;
        } else {
            vacant(connection, wishes.set, wishes.most, view)?;
        }
    }
    Ok(())
}

fn benches(connection: &Connection, needs: &Needs, view: &mut View) -> Result<(), StoreError> {
    keyed(connection, &needs.benches, &mut view.benches)?;
    for set in &needs.benches_of {
        let own = |bench: &Bench| bench.set == *set;
        found(connection, &LOOKUPS.benches_of, set.key(), own, &mut view.benches)?;
    }
    keyed(connection, &benches_to_load(view), &mut view.benches)
}

fn in_chairs(connection: &Connection, chairs: &Chairs, table: &mut Table<Ticket>) -> Result<(), StoreError> {
    let Chairs { set, event, sector, row, span } = chairs;
    let (from, to) = (i64::from(span.from), i64::from(span.to));
    let args = [event.key().into(), sector.as_str().into(), row.order().into(), from.into(), to.into()];
    rows_of(connection, &LOOKUPS.in_chairs, &args, |ticket: Ticket, version| {
        if ticket.set == *set {
            table.load(ticket, version);
        }
    })
}

/// The benches that the wishes for a set with seats need, and the tickets that they will be given.
fn vacant_seats(connection: &Connection, set: &Set, wishes: &Wishes, view: &mut View) -> Result<(), StoreError> {
    let enough = wishes.enough();
    let mut are_all = false;
    for count in wishes.sizes(set) {
        let args = [set.id.key().into(), i64::from(count).into(), i64::from(enough).into()];
        let mut rows = 0;
        rows_of(connection, &LOOKUPS.best_benches, &args, |bench: Bench, version| {
            rows += 1;
            view.benches.load(bench, version);
        })?;
        are_all |= rows < enough;
        view.offer_benches(set.id, count);
    }
    if are_all {
        let args = [set.id.key().into(), i64::from(enough).into()];
        rows_of(connection, &LOOKUPS.longest_runs, &args, |bench: Bench, version| view.benches.load(bench, version))?;
    }
    for chairs in view.foresee(wishes) {
        in_chairs(connection, &chairs, &mut view.tickets)?;
    }
    Ok(())
}

/// Vacant tickets of a set behind its cursor, then from the start.
fn vacant(connection: &Connection, set: SetId, count: u32, view: &mut View) -> Result<(), StoreError> {
    let mut cursor = view.sets.get(set).map(|set| set.cursor);
    if cursor.is_none() {
        each(connection, "SELECT pick_cursor FROM sets WHERE id = ?1", &[set.key().into()], |source| {
            cursor = Some(source.int()?);
            Ok(())
        })?;
    }
    let Some(cursor) = cursor else { return Ok(()) };
    let mut offered: Vec<TicketId> = Vec::with_capacity(count as usize);
    for text in [&LOOKUPS.vacant_behind, &LOOKUPS.vacant_before] {
        let rest = i64::from(count) - i64::try_from(offered.len()).unwrap_or(i64::MAX);
        if rest <= 0 {
            break;
        }
        let args = [set.key().into(), cursor.into(), rest.into()];
        rows_of(connection, text, &args, |ticket: Ticket, version| {
            if ticket.set == set {
                offered.push(ticket.id);
                view.tickets.load(ticket, version);
            }
        })?;
    }
    view.offer_vacant(set, offered);
    Ok(())
}
