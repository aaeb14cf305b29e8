//! Selectors as look-ups.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::LazyLock;

use kassa_domain::order::OrderId;
use kassa_domain::seat_row_inventory::SeatRowInventory;
use kassa_domain::set::{SeatSelector, SetId, TicketSet};
use kassa_domain::ticket::{Ticket, TicketId};
use kassa_domain::view::{Lookup, Selector, Table, VacancyRequest, row_inventories_to_load};
use kassa_domain::{ReadSet, View, every_table};
use rusqlite::Connection;

use super::statements::{select_by_key, select_where};
use super::{query_rows, query_text};
use crate::cell::Cell;
use crate::error::StoreError;
use crate::lists::row_count;
use crate::rows::{MappedRow, RowKey as _};
use crate::selectors::{
    SelectorKey, SelectorVisitor, TableAccessor, condition_sql, is_tagged, visit_named, visit_row_inventories,
};

/// Rows by their whole key, by table.
static BY_KEY: LazyLock<HashMap<&'static str, String>> = LazyLock::new(|| {
    macro_rules! texts {
        ($($field:ident: $row:ty,)*) => {
            HashMap::from([$((<$row>::TABLE, select_by_key::<$row>()),)*])
        };
    }
    every_table!(texts)
});

/// The statements of look-ups, by selector.
static BY_COLUMNS: LazyLock<HashMap<&'static str, Vec<String>>> = LazyLock::new(|| {
    let (none, mut texts) = (ReadSet::default(), LookupTexts::default());
    let (Ok(()), Ok(())) = (visit_named(&none, &mut texts), visit_row_inventories(&none, &mut texts));
    texts.0
});

/// The texts that find seats and vacant tickets. Each names the index that serves it.
struct SeatTexts {
    in_seat_range: String,
    vacant_after_cursor: String,
    vacant_before_cursor: String,
    best_row_inventories: String,
    longest_runs: String,
}

static SEATS: LazyLock<SeatTexts> = LazyLock::new(|| SeatTexts {
    in_seat_range: select_where::<Ticket>(
        "event = ?1 AND sector = ?2 AND row_order = ?3 AND seat_number BETWEEN ?4 AND ?5",
    ),
    vacant_after_cursor: select_where::<Ticket>("set_id = ?1 AND state = 0 AND id > ?2 ORDER BY id LIMIT ?3"),
    vacant_before_cursor: select_where::<Ticket>("set_id = ?1 AND state = 0 AND id <= ?2 ORDER BY id LIMIT ?3"),
    // The conditions are spelled as in partial indexes. The sign keeps the planner from looking by length: the best
    // come first, and are few.
    best_row_inventories: select_where::<SeatRowInventory>(
        "set_id = ?1 AND longest_vacant_run <> 0 AND +longest_vacant_run >= ?2 ORDER BY rank, row_order LIMIT ?3",
    ),
    longest_runs: select_where::<SeatRowInventory>(
        "set_id = ?1 AND longest_vacant_run <> 0 ORDER BY longest_vacant_run DESC, rank, row_order LIMIT ?2",
    ),
});

const PICK_CURSOR: &str = "SELECT pick_cursor FROM sets WHERE id = ?1";

/// Every statement that finds rows otherwise than by their whole key.
#[cfg(feature = "scratch")]
pub(super) fn lookup_texts() -> Vec<String> {
    let seats = &*SEATS;
    let of_seats = [
        &seats.in_seat_range,
        &seats.vacant_after_cursor,
        &seats.vacant_before_cursor,
        &seats.best_row_inventories,
        &seats.longest_runs,
    ];
    BY_COLUMNS.values().flatten().chain(of_seats).cloned().chain([PICK_CURSOR.to_owned()]).collect()
}

/// Collects the statement of each look-up.
#[derive(Default)]
struct LookupTexts(HashMap<&'static str, Vec<String>>);

impl<'a> SelectorVisitor<'a> for LookupTexts {
    type Error = Infallible;

    fn by_key<R: MappedRow>(
        &mut self,
        _: &'static Selector,
        _: &'a [R::Key],
        _: TableAccessor<R>,
    ) -> Result<(), Infallible> {
        Ok(())
    }

    fn by_columns<R: MappedRow, K: SelectorKey>(
        &mut self,
        selector: &'static Selector,
        _: &'a [K],
        _: TableAccessor<R>,
    ) -> Result<(), Infallible> {
        self.0.insert(selector.name, selector.lookups.iter().map(lookup_text::<R>).collect());
        Ok(())
    }

    /// By the lines of the order.
    fn held_by(&mut self, _: &'static Selector, _: &'a [OrderId], _: TableAccessor<Ticket>) -> Result<(), Infallible> {
        Ok(())
    }

    fn by_seat(
        &mut self,
        _: &'static Selector,
        _: &'a [SeatSelector],
        _: TableAccessor<Ticket>,
    ) -> Result<(), Infallible> {
        Ok(())
    }

    fn vacant(
        &mut self,
        _: &'static Selector,
        _: &'a [(SetId, u32)],
        _: TableAccessor<Ticket>,
    ) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Parameters: the parts of the key, and the tag, where the rows have one.
fn lookup_text<R: MappedRow>(lookup: &Lookup) -> String {
    let columns = lookup.columns.iter().zip(1..);
    let mut conditions: Vec<String> = match lookup.named_by_event {
        Some(named) => {
            columns.map(|(column, at)| format!("{column} = (SELECT {named} FROM events WHERE id = ?{at})")).collect()
        }
        None => columns.map(|(column, at)| format!("{column} = ?{at}")).collect(),
    };
    if is_tagged::<R>(lookup) {
        // The sign keeps the planner from looking by tag.
        conditions.push(format!("+tag = ?{}", lookup.columns.len() + 1));
    }
    conditions.extend(lookup.conditions.iter().map(|condition| condition_sql(condition, "")));
    let order = lookup.descending.map(|column| format!(" ORDER BY {column} DESC")).unwrap_or_default();
    let limit = lookup.limit.map(|limit| format!(" LIMIT {limit}")).unwrap_or_default();
    select_where::<R>(&format!("{}{order}{limit}", conditions.join(" AND ")))
}

/// Loads what is named, within the transaction that is open.
pub(super) fn load(connection: &Connection, read_set: &ReadSet) -> Result<View, StoreError> {
    let mut read_set = read_set.clone();
    read_set.normalize();
    let mut loader = Loader { connection, read_set: &read_set, view: View::default() };
    visit_named(&read_set, &mut loader)?;
    visit_row_inventories(&read_set, &mut loader)?;
    let mut view = loader.view;
    load_by_key(connection, &row_inventories_to_load(&view), &mut view.seat_row_inventories)?;
    Ok(view)
}

/// Loads the rows of each selector.
struct Loader<'a> {
    connection: &'a Connection,
    read_set: &'a ReadSet,
    view: View,
}

impl<'a> SelectorVisitor<'a> for Loader<'a> {
    type Error = StoreError;

    fn by_key<R: MappedRow>(
        &mut self,
        _: &'static Selector,
        keys: &'a [R::Key],
        of: TableAccessor<R>,
    ) -> Result<(), StoreError> {
        load_by_key(self.connection, keys, of(&mut self.view))
    }

    fn by_columns<R: MappedRow, K: SelectorKey>(
        &mut self,
        selector: &'static Selector,
        keys: &'a [K],
        of: TableAccessor<R>,
    ) -> Result<(), StoreError> {
        if keys.is_empty() {
            return Ok(());
        }
        let no_texts = || StoreError::Corrupt(format!("no look-up by {}", selector.name));
        let (texts, table) = (BY_COLUMNS.get(selector.name).ok_or_else(no_texts)?, of(&mut self.view));
        for (lookup, text) in selector.lookups.iter().zip(texts) {
            let tagged = is_tagged::<R>(lookup);
            for key in keys.iter().filter(|key| key.is_consistent(tagged)) {
                let mut args = key.cells();
                args.extend(key.tag().filter(|_| tagged).map(|tag| Cell::from(tag.to_i64())));
                query_rows(self.connection, text, &args, |row: R, version| table.load(row, version))?;
            }
        }
        Ok(())
    }

    /// An index by holder would cost a sale half as many pages as all else of its tickets.
    fn held_by(
        &mut self,
        _: &'static Selector,
        orders: &'a [OrderId],
        of: TableAccessor<Ticket>,
    ) -> Result<(), StoreError> {
        for id in orders {
            let mut named = Table::default();
            if self.view.orders.get(*id).is_none() {
                load_by_key(self.connection, &[*id], &mut named)?;
            }
            let order = self.view.orders.get(*id).or_else(|| named.get(*id));
            let lines = order.into_iter().flat_map(|order| &order.lines);
            let tickets: Vec<TicketId> = lines.map(|line| line.ticket).collect();
            let is_held = |ticket: &Ticket| ticket.holder() == Some(*id);
            load_by_key_where(self.connection, &tickets, is_held, of(&mut self.view))?;
        }
        Ok(())
    }

    fn by_seat(
        &mut self,
        _: &'static Selector,
        seats: &'a [SeatSelector],
        of: TableAccessor<Ticket>,
    ) -> Result<(), StoreError> {
        seats.iter().try_for_each(|seats| load_seat_range(self.connection, seats, of(&mut self.view)))
    }

    fn vacant(
        &mut self,
        _: &'static Selector,
        _: &'a [(SetId, u32)],
        _: TableAccessor<Ticket>,
    ) -> Result<(), StoreError> {
        let (connection, view) = (self.connection, &mut self.view);
        for request in self.read_set.vacancy_requests() {
            if let Some(set) = view.sets.get(request.set).filter(|set| set.seats.is_some()).cloned() {
                offer_vacant_seats(connection, &set, &request, view)?;
            } else {
                offer_vacant_tickets(connection, request.set, request.max_tickets, view)?;
            }
        }
        Ok(())
    }
}

fn load_by_key<R: MappedRow>(connection: &Connection, keys: &[R::Key], table: &mut Table<R>) -> Result<(), StoreError> {
    load_by_key_where(connection, keys, |_| true, table)
}

fn load_by_key_where<R: MappedRow>(
    connection: &Connection,
    keys: &[R::Key],
    is_wanted: impl Fn(&R) -> bool,
    table: &mut Table<R>,
) -> Result<(), StoreError> {
    if keys.is_empty() {
        return Ok(());
    }
    let text = BY_KEY.get(R::TABLE).ok_or_else(|| StoreError::Corrupt(format!("no table {}", R::TABLE)))?;
    // What another selector has found is as it was: nobody else writes within the transaction.
    let missing: Vec<&R::Key> = keys.iter().filter(|key| table.get(**key).is_none()).collect();
    for key in missing {
        let mut args = Vec::with_capacity(2);
        key.write(&mut args);
        query_rows(connection, text, &args, |row: R, version| {
            // An id whose tag is not the row's is unknown.
            if row.key() == *key && is_wanted(&row) {
                table.load(row, version);
            }
        })?;
    }
    Ok(())
}

fn load_seat_range(connection: &Connection, seats: &SeatSelector, table: &mut Table<Ticket>) -> Result<(), StoreError> {
    let SeatSelector { set, event, sector, row, range } = seats;
    let (from, to) = (i64::from(range.from), i64::from(range.to));
    let args = [event.key().into(), sector.as_str().into(), row.sort_key().into(), from.into(), to.into()];
    query_rows(connection, &SEATS.in_seat_range, &args, |ticket: Ticket, version| {
        if ticket.set == *set {
            table.load(ticket, version);
        }
    })
}

/// The row inventories that the request for tickets of a set with seats needs, and the tickets that it will be given.
fn offer_vacant_seats(
    connection: &Connection,
    set: &TicketSet,
    request: &VacancyRequest,
    view: &mut View,
) -> Result<(), StoreError> {
    let enough = request.sufficient_rows();
    let mut are_all = false;
    for count in request.run_lengths(set) {
        let args = [set.id.key().into(), i64::from(count).into(), i64::from(enough).into()];
        let mut rows = 0;
        query_rows(connection, &SEATS.best_row_inventories, &args, |inventory: SeatRowInventory, version| {
            rows += 1;
            view.seat_row_inventories.load(inventory, version);
        })?;
        are_all |= rows < enough;
        view.offer_row_inventories(set.id, count);
    }
    if are_all {
        let args = [set.id.key().into(), i64::from(enough).into()];
        query_rows(connection, &SEATS.longest_runs, &args, |inventory: SeatRowInventory, version| {
            view.seat_row_inventories.load(inventory, version);
        })?;
    }
    for seats in view.predict_seats(request) {
        load_seat_range(connection, &seats, &mut view.tickets)?;
    }
    Ok(())
}

/// Vacant tickets of a set behind its cursor, then from the start.
fn offer_vacant_tickets(connection: &Connection, set: SetId, count: u32, view: &mut View) -> Result<(), StoreError> {
    let mut cursor = view.sets.get(set).map(|set| set.pick_cursor);
    if cursor.is_none() {
        query_text(connection, PICK_CURSOR, &[set.key().into()], &mut |source| {
            cursor = Some(source.int()?);
            Ok(())
        })?;
    }
    let Some(cursor) = cursor else { return Ok(()) };
    let mut offered: Vec<TicketId> = Vec::with_capacity(count as usize);
    for text in [&SEATS.vacant_after_cursor, &SEATS.vacant_before_cursor] {
        // Each statement gives no more than is left.
        let rest = (count as usize).saturating_sub(offered.len());
        debug_assert!(offered.len() <= count as usize, "more tickets are offered than were asked for");
        if rest == 0 {
            break;
        }
        let args = [set.key().into(), cursor.into(), row_count(rest as u64)];
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
