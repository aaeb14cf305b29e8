//! Selectors as look-ups.

use std::collections::HashMap;
use std::sync::LazyLock;

use kassa_domain::api_key::ApiKey;
use kassa_domain::attachment::Attachment;
use kassa_domain::deal::Deal;
use kassa_domain::event::Event;
use kassa_domain::hall_map::HallMap;
use kassa_domain::partner::{Partner, PartnerManager};
use kassa_domain::promocode::Promocode;
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::RefundRequest;
use kassa_domain::seat_row_inventory::SeatRowInventory;
use kassa_domain::set::{SeatSelector, SetId, TicketSet};
use kassa_domain::ticket::{Ticket, TicketId};
use kassa_domain::user::User;
use kassa_domain::venue::VenueId;
use kassa_domain::view::{EVENTS_AT_MAX, Table, VacancyRequest, row_inventories_to_load};
use kassa_domain::{Id, ReadSet, View, every_table};
use rusqlite::Connection;

use super::statements::{select_by_key, select_where};
use super::{query_rows, query_text};
use crate::cell::Cell;
use crate::error::StoreError;
use crate::rows::{MappedRow, RowKey as _};

/// The texts of look-ups that are not by key. Each names the index that serves it.
struct LookupTexts {
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
    in_seat_range: String,
    vacant_after_cursor: String,
    vacant_before_cursor: String,
    row_inventories_of: String,
    best_row_inventories: String,
    longest_runs: String,
    map_of: String,
    deals_of: String,
    newest_accepted_deal: String,
    open_ended_events_at: String,
    last_ending_events_at: String,
    promotions_of: String,
}

/// Rows by their whole key, by table.
static BY_KEY: LazyLock<HashMap<&'static str, String>> = LazyLock::new(|| {
    macro_rules! texts {
        ($($field:ident: $row:ty,)*) => {
            HashMap::from([$((<$row>::TABLE, select_by_key::<$row>()),)*])
        };
    }
    every_table!(texts)
});

static LOOKUPS: LazyLock<LookupTexts> = LazyLock::new(|| LookupTexts {
    user_by_email: select_where::<User>("email = ?1"),
    organizer_of: select_where::<Partner>("id = (SELECT organizer FROM events WHERE id = ?1)"),
    managers_of: select_where::<PartnerManager>("partner = ?1"),
    partners_of: select_where::<PartnerManager>("user_id = ?1"),
    key_by_hash: select_where::<ApiKey>("hash = ?1"),
    attachment_by_token: select_where::<Attachment>("token = ?1"),
    refunds_of: select_where::<RefundRequest>("order_id = ?1"),
    promocode_by_code: select_where::<Promocode>("event = ?1 AND folded_code = ?2"),
    sets_of: select_where::<TicketSet>("event = ?1"),
    held_by: select_where::<Ticket>("holder = ?1"),
    blocked_in: select_where::<Ticket>("set_id = ?1 AND state = 3"),
    in_seat_range: select_where::<Ticket>(
        "event = ?1 AND sector = ?2 AND row_order = ?3 AND seat_number BETWEEN ?4 AND ?5",
    ),
    vacant_after_cursor: select_where::<Ticket>("set_id = ?1 AND state = 0 AND id > ?2 ORDER BY id LIMIT ?3"),
    vacant_before_cursor: select_where::<Ticket>("set_id = ?1 AND state = 0 AND id <= ?2 ORDER BY id LIMIT ?3"),
    row_inventories_of: select_where::<SeatRowInventory>("set_id = ?1"),
    map_of: select_where::<HallMap>("id = (SELECT map FROM events WHERE id = ?1)"),
    deals_of: select_where::<Deal>("event = ?1 AND agent = ?2"),
    // From here on the conditions are spelled as in partial indexes.
    open_refunds_of: select_where::<RefundRequest>("order_id = ?1 AND status IN ('new', 'in_progress')"),
    // The sign keeps the planner from looking by length: the best come first, and are few.
    best_row_inventories: select_where::<SeatRowInventory>(
        "set_id = ?1 AND longest_vacant_run <> 0 AND +longest_vacant_run >= ?2 ORDER BY rank, row_order LIMIT ?3",
    ),
    longest_runs: select_where::<SeatRowInventory>(
        "set_id = ?1 AND longest_vacant_run <> 0 ORDER BY longest_vacant_run DESC, rank, row_order LIMIT ?2",
    ),
    newest_accepted_deal: select_where::<Deal>(
        "agent = ?1 AND organizer = ?2 AND status = 'accepted' ORDER BY id DESC LIMIT 1",
    ),
    open_ended_events_at: select_where::<Event>(
        "venue = ?1 AND removed = 0 AND status <> 'canceled' AND ends_at IS NULL LIMIT ?2",
    ),
    last_ending_events_at: select_where::<Event>(
        "venue = ?1 AND removed = 0 AND status <> 'canceled' AND ends_at IS NOT NULL ORDER BY ends_at DESC LIMIT ?2",
    ),
    promotions_of: select_where::<Promotion>("event = ?1 AND removed = 0"),
});

/// Loads what is named, within the transaction that is open.
pub(super) fn load(connection: &Connection, read_set: &ReadSet) -> Result<View, StoreError> {
    let mut read_set = read_set.clone();
    read_set.normalize();
    let mut view = View::default();
    load_by_key(connection, &read_set.nodes, &mut view.nodes)?;
    load_by_key(connection, &read_set.counters, &mut view.counters)?;
    load_by_key(connection, &read_set.installation_settings, &mut view.installation_settings)?;
    load_by_key(connection, &read_set.idempotency_records, &mut view.idempotency_records)?;
    load_accounts(connection, &read_set, &mut view)?;
    load_orders(connection, &read_set, &mut view)?;
    load_promocodes(connection, &read_set, &mut view.promocodes)?;
    load_by_key(connection, &read_set.sets, &mut view.sets)?;
    for event in &read_set.sets_of {
        load_by_value(
            connection,
            &LOOKUPS.sets_of,
            event.key(),
            |set: &TicketSet| set.event == *event,
            &mut view.sets,
        )?;
    }
    load_tickets(connection, &read_set, &mut view)?;
    load_row_inventories(connection, &read_set, &mut view)?;
    load_by_key(connection, &read_set.venues, &mut view.venues)?;
    load_by_key(connection, &read_set.hall_maps, &mut view.hall_maps)?;
    for event in read_set.hall_map_of.iter().filter(|event| **event == Id::root(event.key())) {
        load_by_value(connection, &LOOKUPS.map_of, event.key(), |_| true, &mut view.hall_maps)?;
    }
    load_by_key(connection, &read_set.events, &mut view.events)?;
    load_by_key(connection, &read_set.deals, &mut view.deals)?;
    for (event, subj) in &read_set.deals_of {
        let args = [event.key().into(), subj.key().into()];
        query_rows(connection, &LOOKUPS.deals_of, &args, |deal: Deal, version| {
            if (deal.event, deal.agent) == (*event, *subj) {
                view.deals.load(deal, version);
            }
        })?;
    }
    for (subj, obj) in &read_set.deals_between {
        let args = [subj.key().into(), obj.key().into()];
        query_rows(connection, &LOOKUPS.newest_accepted_deal, &args, |deal: Deal, version| {
            if (deal.agent, deal.organizer) == (*subj, *obj) {
                view.deals.load(deal, version);
            }
        })?;
    }
    for venue in &read_set.events_at {
        load_events_at(connection, *venue, &mut view.events)?;
    }
    load_by_key(connection, &read_set.promotions, &mut view.promotions)?;
    for event in &read_set.promotions_of {
        let own = |promotion: &Promotion| promotion.event == *event;
        load_by_value(connection, &LOOKUPS.promotions_of, event.key(), own, &mut view.promotions)?;
    }
    load_by_key(connection, &read_set.jobs, &mut view.jobs)?;
    load_by_key(connection, &read_set.mails, &mut view.mails)?;
    Ok(view)
}

fn load_accounts(connection: &Connection, read_set: &ReadSet, view: &mut View) -> Result<(), StoreError> {
    load_by_key(connection, &read_set.users, &mut view.users)?;
    for email in &read_set.users_by_email {
        load_by_value(connection, &LOOKUPS.user_by_email, email.as_str(), |_| true, &mut view.users)?;
    }
    load_by_key(connection, &read_set.sessions, &mut view.sessions)?;
    load_by_key(connection, &read_set.partners, &mut view.partners)?;
    // An event's tag is its own: one that is not is of nothing.
    for event in read_set.organizers_of.iter().filter(|event| **event == Id::root(event.key())) {
        load_by_value(connection, &LOOKUPS.organizer_of, event.key(), |_| true, &mut view.partners)?;
    }
    load_by_key(connection, &read_set.managers, &mut view.managers)?;
    for partner in &read_set.managers_of {
        let own = |manager: &PartnerManager| manager.partner == *partner;
        load_by_value(connection, &LOOKUPS.managers_of, partner.key(), own, &mut view.managers)?;
    }
    for user in &read_set.partners_of {
        let own = |manager: &PartnerManager| manager.user == *user;
        load_by_value(connection, &LOOKUPS.partners_of, user.key(), own, &mut view.managers)?;
    }
    load_by_key(connection, &read_set.keys, &mut view.keys)?;
    for hash in &read_set.keys_by_hash {
        load_by_value(connection, &LOOKUPS.key_by_hash, hash.as_slice(), |_| true, &mut view.keys)?;
    }
    load_by_key(connection, &read_set.attachments, &mut view.attachments)?;
    for token in &read_set.attachments_by_token {
        load_by_value(connection, &LOOKUPS.attachment_by_token, token.to_string(), |_| true, &mut view.attachments)?;
    }
    Ok(())
}

fn load_orders(connection: &Connection, read_set: &ReadSet, view: &mut View) -> Result<(), StoreError> {
    load_by_key(connection, &read_set.orders, &mut view.orders)?;
    load_by_key(connection, &read_set.refunds, &mut view.refunds)?;
    let all = read_set.refunds_of.iter().map(|order| (order, &LOOKUPS.refunds_of));
    let open = read_set.open_refunds_of.iter().map(|order| (order, &LOOKUPS.open_refunds_of));
    for (order, text) in all.chain(open) {
        let own = |request: &RefundRequest| request.order == *order;
        load_by_value(connection, text, order.key(), own, &mut view.refunds)?;
    }
    Ok(())
}

fn load_by_key<R: MappedRow>(connection: &Connection, keys: &[R::Key], table: &mut Table<R>) -> Result<(), StoreError> {
    if keys.is_empty() {
        return Ok(());
    }
    let text = BY_KEY.get(R::TABLE).ok_or_else(|| StoreError::Corrupt(format!("no table {}", R::TABLE)))?;
    for key in keys {
        let mut args = Vec::with_capacity(2);
        key.write(&mut args);
        query_rows(connection, text, &args, |row: R, version| {
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
fn load_by_value<'a, R: MappedRow>(
    connection: &Connection,
    text: &str,
    arg: impl Into<Cell<'a>>,
    own: impl Fn(&R) -> bool,
    table: &mut Table<R>,
) -> Result<(), StoreError> {
    query_rows(connection, text, &[arg.into()], |row, version| {
        if own(&row) {
            table.load(row, version);
        }
    })
}

fn load_promocodes(
    connection: &Connection,
    read_set: &ReadSet,
    table: &mut Table<Promocode>,
) -> Result<(), StoreError> {
    load_by_key(connection, &read_set.promocodes, table)?;
    for (event, code) in &read_set.promocodes_by_text {
        let args = [event.key().into(), code.folded().into()];
        query_rows(connection, &LOOKUPS.promocode_by_code, &args, |promocode: Promocode, version| {
            if promocode.event == *event {
                table.load(promocode, version);
            }
        })?;
    }
    Ok(())
}

fn load_events_at(connection: &Connection, venue: VenueId, table: &mut Table<Event>) -> Result<(), StoreError> {
    for text in [&LOOKUPS.open_ended_events_at, &LOOKUPS.last_ending_events_at] {
        let args = [venue.key().into(), i64::from(EVENTS_AT_MAX).into()];
        query_rows(connection, text, &args, |event: Event, version| {
            if event.venue == Some(venue) {
                table.load(event, version);
            }
        })?;
    }
    Ok(())
}

fn load_tickets(connection: &Connection, read_set: &ReadSet, view: &mut View) -> Result<(), StoreError> {
    load_by_key(connection, &read_set.tickets, &mut view.tickets)?;
    for order in &read_set.tickets_held_by {
        let own = |ticket: &Ticket| ticket.holder() == Some(*order);
        load_by_value(connection, &LOOKUPS.held_by, order.key(), own, &mut view.tickets)?;
    }
    for set in &read_set.blocked_tickets_of {
        load_by_value(
            connection,
            &LOOKUPS.blocked_in,
            set.key(),
            |ticket: &Ticket| ticket.set == *set,
            &mut view.tickets,
        )?;
    }
    for chairs in &read_set.seats {
        load_seat_range(connection, chairs, &mut view.tickets)?;
    }
    for wishes in read_set.vacancy_requests() {
        if let Some(set) = view.sets.get(wishes.set).filter(|set| set.seats.is_some()).cloned() {
            offer_vacant_seats(connection, &set, &wishes, view)?;
        } else {
            offer_vacant_tickets(connection, wishes.set, wishes.max_tickets, view)?;
        }
    }
    Ok(())
}

fn load_row_inventories(connection: &Connection, read_set: &ReadSet, view: &mut View) -> Result<(), StoreError> {
    load_by_key(connection, &read_set.seat_row_inventories, &mut view.seat_row_inventories)?;
    for set in &read_set.seat_row_inventories_of {
        let own = |inventory: &SeatRowInventory| inventory.set == *set;
        load_by_value(connection, &LOOKUPS.row_inventories_of, set.key(), own, &mut view.seat_row_inventories)?;
    }
    load_by_key(connection, &row_inventories_to_load(view), &mut view.seat_row_inventories)
}

fn load_seat_range(
    connection: &Connection,
    chairs: &SeatSelector,
    table: &mut Table<Ticket>,
) -> Result<(), StoreError> {
    let SeatSelector { set, event, sector, row, range: span } = chairs;
    let (from, to) = (i64::from(span.from), i64::from(span.to));
    let args = [event.key().into(), sector.as_str().into(), row.sort_key().into(), from.into(), to.into()];
    query_rows(connection, &LOOKUPS.in_seat_range, &args, |ticket: Ticket, version| {
        if ticket.set == *set {
            table.load(ticket, version);
        }
    })
}

/// The row inventories that the wishes for a set with seats need, and the tickets that they will be given.
fn offer_vacant_seats(
    connection: &Connection,
    set: &TicketSet,
    wishes: &VacancyRequest,
    view: &mut View,
) -> Result<(), StoreError> {
    let enough = wishes.sufficient_rows();
    let mut are_all = false;
    for count in wishes.run_lengths(set) {
        let args = [set.id.key().into(), i64::from(count).into(), i64::from(enough).into()];
        let mut rows = 0;
        query_rows(connection, &LOOKUPS.best_row_inventories, &args, |inventory: SeatRowInventory, version| {
            rows += 1;
            view.seat_row_inventories.load(inventory, version);
        })?;
        are_all |= rows < enough;
        view.offer_row_inventories(set.id, count);
    }
    if are_all {
        let args = [set.id.key().into(), i64::from(enough).into()];
        query_rows(connection, &LOOKUPS.longest_runs, &args, |inventory: SeatRowInventory, version| {
            view.seat_row_inventories.load(inventory, version);
        })?;
    }
    for chairs in view.predict_seats(wishes) {
        load_seat_range(connection, &chairs, &mut view.tickets)?;
    }
    Ok(())
}

/// Vacant tickets of a set behind its cursor, then from the start.
fn offer_vacant_tickets(connection: &Connection, set: SetId, count: u32, view: &mut View) -> Result<(), StoreError> {
    let mut cursor = view.sets.get(set).map(|set| set.pick_cursor);
    if cursor.is_none() {
        query_text(connection, "SELECT pick_cursor FROM sets WHERE id = ?1", &[set.key().into()], |source| {
            cursor = Some(source.int()?);
            Ok(())
        })?;
    }
    let Some(cursor) = cursor else { return Ok(()) };
    let mut offered: Vec<TicketId> = Vec::with_capacity(count as usize);
    for text in [&LOOKUPS.vacant_after_cursor, &LOOKUPS.vacant_before_cursor] {
        let rest = i64::from(count) - i64::try_from(offered.len()).unwrap_or(i64::MAX);
        if rest <= 0 {
            break;
        }
        let args = [set.key().into(), cursor.into(), rest.into()];
        query_rows(connection, text, &args, |ticket: Ticket, version| {
            if ticket.set == set {
                offered.push(ticket.id);
                view.tickets.load(ticket, version);
            }
        })?;
    }
    view.offer_vacant(set, offered);
    Ok(())
}
