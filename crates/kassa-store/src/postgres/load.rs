//! Selectors as statements: all of a batch's are known before the first is sent.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use kassa_domain::event::Event;
use kassa_domain::seat_row_inventory::SeatRowInventoryId;
use kassa_domain::set::{SeatSelector, SetId, TicketSet};
use kassa_domain::ticket::{Ticket, TicketId};
use kassa_domain::view::{Access, Lookup, Selector, VacancyRequest};
use kassa_domain::{ReadSet, ShardTag, View};
use tokio_postgres::Row;

use super::connection::{Query, QueryResult};
use super::params::{Param, PostgresRowReader};
use super::shards::TableNames;
use super::statements::{self, qualified_columns, select, select_from};
use crate::cell::{Cell, RowReader};
use crate::error::StoreError;
use crate::rows::{MappedRow, RowKey as _, read_with_version};
use crate::selectors::{
    SelectorKey, SelectorVisitor, TableAccessor, condition_sql, is_tagged, visit_named, visit_row_inventories,
};

/// Puts what a statement has given into the view.
type RowHandler<'a> = Box<dyn FnOnce(&[Row], &mut View) -> Result<(), StoreError> + Send + 'a>;

/// What is loaded of rows that are not on the server.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RowsElsewhere {
    /// Any: Citus must see the values by which they are found.
    pub(super) are_read: bool,
    /// Some with a lock.
    pub(super) are_locked: bool,
}

/// The statements that load what is named, in the order of locks.
pub(super) struct LoadPlan<'a> {
    pub(super) queries: Vec<Query<'a>>,
    handlers: Vec<RowHandler<'a>>,
    locks: bool,
    names: TableNames<'a>,
    pub(super) elsewhere: RowsElsewhere,
    /// The shards that statements name.
    pub(super) shards: BTreeSet<(&'static str, ShardTag)>,
    vacancy_requests: Vec<VacancyRequest>,
    /// Whether what is found may lead to further rows: tickets are on row inventories, and seats are picked by these.
    pub(super) needs_second_round: bool,
}

impl<'a> LoadPlan<'a> {
    /// Nothing yet.
    pub(super) fn new(locks: bool, names: TableNames<'a>) -> Self {
        Self {
            queries: Vec::new(),
            handlers: Vec::new(),
            locks,
            names,
            elsewhere: RowsElsewhere::default(),
            shards: BTreeSet::new(),
            vacancy_requests: Vec::new(),
            needs_second_round: false,
        }
    }

    /// What is known of a sorted read set before anything is loaded.
    pub(super) fn for_read_set(read_set: &'a ReadSet, locks: bool, names: TableNames<'a>) -> Self {
        let mut load = Self::new(locks, names);
        load.vacancy_requests = read_set.vacancy_requests();
        load.needs_second_round =
            !(read_set.seat_row_inventories.is_empty() && read_set.seat_row_inventories_of.is_empty());
        let Ok(()) = visit_named(read_set, &mut load);
        load
    }

    /// Puts what was answered into a view.
    pub(super) fn load_into(self, view: &mut View, answers: &[QueryResult]) -> Result<(), StoreError> {
        for (handler, answer) in self.handlers.into_iter().zip(answers) {
            handler(&answer.rows, view)?;
        }
        Ok(())
    }

    /// Row inventories that are named, and these, by id.
    pub(super) fn add_row_inventories(&mut self, read_set: &'a ReadSet, others: &'a [SeatRowInventoryId]) {
        let Ok(()) = visit_row_inventories(read_set, self);
        self.add_by_key(others, self.locks, |view| &mut view.seat_row_inventories);
    }

    /// Tickets by their seats.
    pub(super) fn add_seat_ranges(&mut self, seats: &'a [SeatSelector]) {
        let places = seats.iter().map(|seats| ((seats.set.tag(), seats.event), seats));
        for ((tag, event), seats) in group_by_key(places) {
            let named = move |ticket: &Ticket| ticket.event == event;
            let table = self.table::<Ticket>(Some(tag), self.locks);
            let text = select_from::<Ticket>(&table, IN_SEAT_RANGES, "t.tag = $1 AND t.event = $2", self.locks);
            self.add_query(
                text,
                seat_range_params(tag, event.key(), &seats),
                load_rows_where(named, |view| &mut view.tickets),
            );
        }
    }

    /// How a statement calls a table.
    fn table<R: MappedRow>(&mut self, tag: Option<ShardTag>, locks: bool) -> Cow<'static, str> {
        self.shards.extend(tag.map(|tag| (R::TABLE, tag)));
        let name = self.names.of::<R>(tag, !locks);
        self.elsewhere.are_locked |= locks && name == R::TABLE;
        self.elsewhere.are_read |= name == R::TABLE;
        name
    }

    fn add_query(&mut self, text: String, params: Vec<Param<'a>>, handler: RowHandler<'a>) {
        self.queries.push(Query { text, params });
        self.handlers.push(handler);
    }

    /// Rows by their whole key, one statement for each tag.
    fn add_by_key<R: MappedRow>(&mut self, keys: &'a [R::Key], locks: bool, of: TableAccessor<R>) {
        if keys.is_empty() {
            return;
        }
        // An id whose tag is not the row's is unknown.
        let named = |row: &R| keys.binary_search(&row.key()).is_ok();
        let tag_of = |key: &R::Key| key.shard_tag().filter(|_| statements::names_shard::<R>(locks));
        for (tag, keys) in group_by_key(keys.iter().map(|key| (tag_of(key), key))) {
            let mut arrays: Vec<Vec<Cell<'static>>> = Vec::new();
            for key in keys {
                let mut cells = Vec::with_capacity(2);
                key.write(&mut cells);
                arrays.resize(cells.len(), Vec::new());
                arrays.iter_mut().zip(cells).for_each(|(array, cell)| array.push(cell.into_owned()));
            }
            let params = tag.map(tag_param).into_iter().chain(arrays.into_iter().map(Param::Many)).collect();
            let text = statements::by_key::<R>(&self.table::<R>(tag, locks), locks);
            self.add_query(text, params, load_rows_where(named, of));
        }
    }

    /// Vacant tickets of a set without seats behind its cursor, then from the start. The set's lock is theirs.
    fn add_vacant_tickets(&mut self, set: SetId, count: u32) {
        let args = vec![tag_param(set.tag()), Param::one(set.key()), Param::one(i64::from(count))];
        let take = move |rows: &[Row], view: &mut View| {
            let mut offered: Vec<(i64, TicketId)> = Vec::with_capacity(rows.len());
            for_each_row(rows, |ticket: Ticket, version, rest| {
                offered.push((rest.int()?, ticket.id));
                view.tickets.load(ticket, version);
                Ok(())
            })?;
            offered.sort_unstable();
            view.offer_vacant(set, offered.into_iter().map(|(_, ticket)| ticket).collect());
            Ok(())
        };
        let text = vacant_from_cursor(
            &self.table::<Ticket>(Some(set.tag()), true),
            &self.table::<TicketSet>(Some(set.tag()), true),
        );
        self.add_query(text, args, Box::new(take));
    }
}

impl<'a> SelectorVisitor<'a> for LoadPlan<'a> {
    type Error = Infallible;

    fn by_key<R: MappedRow>(
        &mut self,
        selector: &'static Selector,
        keys: &'a [R::Key],
        of: TableAccessor<R>,
    ) -> Result<(), Infallible> {
        self.needs_second_round |= R::TABLE == Ticket::TABLE && !keys.is_empty();
        self.add_by_key(keys, self.locks && selector.access == Access::Lock, of);
        Ok(())
    }

    fn by_columns<R: MappedRow, K: SelectorKey>(
        &mut self,
        selector: &'static Selector,
        keys: &'a [K],
        of: TableAccessor<R>,
    ) -> Result<(), Infallible> {
        if keys.is_empty() {
            return Ok(());
        }
        self.needs_second_round |= R::TABLE == Ticket::TABLE;
        let locks = self.locks && selector.access == Access::Lock;
        for lookup in selector.lookups {
            for (tag, params) in lookup_params(lookup, is_tagged::<R>(lookup), keys) {
                let table = self.table::<R>(tag, locks);
                let events = if locks { Cow::Borrowed(Event::TABLE) } else { self.names.of_copy(Event::TABLE) };
                let text = lookup_text::<R>(&table, &events, lookup, locks);
                self.add_query(text, params, load_rows_where(|_: &R| true, of));
            }
        }
        Ok(())
    }

    fn by_seat(
        &mut self,
        _: &'static Selector,
        seats: &'a [SeatSelector],
        _: TableAccessor<Ticket>,
    ) -> Result<(), Infallible> {
        self.needs_second_round |= !seats.is_empty();
        self.add_seat_ranges(seats);
        Ok(())
    }

    fn vacant(
        &mut self,
        _: &'static Selector,
        _: &'a [(SetId, u32)],
        _: TableAccessor<Ticket>,
    ) -> Result<(), Infallible> {
        for request in std::mem::take(&mut self.vacancy_requests) {
            self.needs_second_round = true;
            self.add_vacant_tickets(request.set, request.max_tickets);
        }
        Ok(())
    }
}

/// Rows by a look-up. Parameters: the tag, where there is one, and one for each column; that of the last is an array
/// of its values, unless rows are limited for each key.
fn lookup_text<R: MappedRow>(table: &str, events: &str, lookup: &Lookup, locks: bool) -> String {
    let tagged = is_tagged::<R>(lookup);
    let mut conditions = if tagged { vec!["t.tag = $1".to_owned()] } else { Vec::new() };
    let last = lookup.columns.len();
    for (at, column) in (1..).zip(lookup.columns) {
        let param = at + usize::from(tagged);
        conditions.push(match lookup.named_by_event {
            Some(named) => format!("t.{column} IN (SELECT e.{named} FROM {events} AS e WHERE e.id = ANY(${param}))"),
            None if at == last && lookup.limit.is_none() => format!("t.{column} = ANY(${param})"),
            None => format!("t.{column} = ${param}"),
        });
    }
    conditions.extend(lookup.conditions.iter().map(|condition| condition_sql(condition, "t.")));
    let condition = conditions.join(" AND ");
    let Some(limit) = lookup.limit else { return select::<R>(table, &condition, locks) };
    let order = lookup.descending.map(|column| format!(" ORDER BY t.{column} DESC")).unwrap_or_default();
    format!("SELECT {} FROM {table} AS t WHERE {condition}{order} LIMIT {limit}", qualified_columns::<R>())
}

/// The tag and the parameters of each statement of a look-up: keys that differ in the last part only have one together.
fn lookup_params<'a, K: SelectorKey>(
    lookup: &Lookup,
    tagged: bool,
    keys: &'a [K],
) -> Vec<(Option<ShardTag>, Vec<Param<'a>>)> {
    let known = keys.iter().filter(|key| key.is_consistent(tagged));
    let parts = known.map(|key| (key.tag().filter(|_| tagged), key.cells()));
    if lookup.limit.is_some() {
        return parts
            .map(|(tag, cells)| {
                (tag, tag.map(tag_param).into_iter().chain(cells.into_iter().map(Param::One)).collect())
            })
            .collect();
    }
    let parts = parts.filter_map(|(tag, mut cells)| {
        let last = cells.pop()?;
        Some(((tag, cells), last))
    });
    let mut statements = Vec::new();
    for ((tag, cells), last) in group_by_key(parts) {
        let mut params: Vec<Param<'a>> = tag.map(tag_param).into_iter().collect();
        params.extend(cells.into_iter().map(Param::One));
        params.push(Param::Many(last));
        statements.push((tag, params));
    }
    statements
}

/// Seats as rows of the statement: one for each span.
const IN_SEAT_RANGES: &str = " JOIN UNNEST($3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::bigint[]) \
    AS u(its_set, its_sector, its_row, low, high) ON t.set_id = u.its_set AND t.sector = u.its_sector \
    AND t.row_order = u.its_row AND t.seat_number BETWEEN u.low AND u.high";

fn seat_range_params<'a>(tag: ShardTag, event: i64, seats: &[&'a SeatSelector]) -> Vec<Param<'a>> {
    vec![
        tag_param(tag),
        Param::one(event),
        Param::many(seats.iter().map(|seats| seats.set.key())),
        Param::many(seats.iter().map(|seats| seats.sector.as_str())),
        Param::many(seats.iter().map(|seats| seats.row.sort_key())),
        Param::many(seats.iter().map(|seats| i64::from(seats.range.from))),
        Param::many(seats.iter().map(|seats| i64::from(seats.range.to))),
    ]
}

/// The second half is not read where the first gives enough.
fn vacant_from_cursor(tickets: &str, sets: &str) -> String {
    let columns = qualified_columns::<Ticket>();
    let part = |compare: &str, turn: u8| {
        let cursor =
            format!("(SELECT s.pick_cursor FROM {sets} AS s WHERE s.tag = $1 AND s.id = $2 AND s.seat_layout IS NULL)");
        format!(
            "(SELECT {columns}, {turn}::bigint AS turn FROM {tickets} AS t WHERE t.tag = $1 AND t.set_id = $2 \
             AND t.state = 0 AND t.id {compare} {cursor} ORDER BY t.id LIMIT $3)"
        )
    };
    format!("{} UNION ALL {} LIMIT $3", part(">", 0), part("<=", 1))
}

pub(super) fn tag_param(tag: ShardTag) -> Param<'static> {
    Param::one(tag.to_i64())
}

fn group_by_key<K: Ord, V>(pairs: impl Iterator<Item = (K, V)>) -> BTreeMap<K, Vec<V>> {
    let mut groups: BTreeMap<K, Vec<V>> = BTreeMap::new();
    for (key, value) in pairs {
        groups.entry(key).or_default().push(value);
    }
    groups
}

/// Loads the rows that are its own.
fn load_rows_where<'a, R: MappedRow>(own: impl Fn(&R) -> bool + Send + 'a, of: TableAccessor<R>) -> RowHandler<'a> {
    Box::new(move |rows, view| {
        for_each_row(rows, |row: R, version, _| {
            if own(&row) {
                of(view).load(row, version);
            }
            Ok(())
        })
    })
}

/// Rows with their versions, and what comes behind these.
pub(super) fn for_each_row<R: MappedRow>(
    rows: &[Row],
    mut give: impl FnMut(R, i64, &mut dyn RowReader) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    for row in rows {
        let source: &mut dyn RowReader = &mut PostgresRowReader::new(row);
        let (row, version) = read_with_version(source)?;
        give(row, version, source)?;
    }
    Ok(())
}
