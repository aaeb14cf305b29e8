//! Selectors as statements: all of a batch's are known before the first is sent.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use kassa_domain::event::{Event, EventId};
use kassa_domain::seat_row_inventory::SeatRowInventoryId;
use kassa_domain::set::{SeatSelector, SetId, TicketSet};
use kassa_domain::ticket::{Ticket, TicketId};
use kassa_domain::view::{Access, Lookup, Selector, VacancyRequest};
use kassa_domain::{ReadSet, ShardTag, View};
use tokio_postgres::Row;

use super::batch_statements::RowArrays;
use super::lookup_statements::{IN_SEAT_RANGES, lookup_text, lookup_text_of_tags, vacant_from_cursor, vacant_of_sets};
use super::params::{Param, PostgresRowReader};
use super::pipeline::{Query, QueryResult};
use super::shards::{Place, TableNames, TableRef};
use super::statements::{self, select_from};
use crate::cell::{Cell, RowReader};
use crate::error::StoreError;
use crate::rows::{MappedRow, RowKey as _, read_tag, read_with_version};
use crate::selectors::{SelectorKey, SelectorVisitor, TableAccessor, is_tagged, visit_named, visit_row_inventories};

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
        if locks {
            load.add_check_of_sets(&read_set.sets_of);
        }
        load
    }

    /// A view of what was answered. A [`StoreError::Conflict`] says that a set was made meanwhile: what is locked is locked, so
    /// whoever loads the same again finds it, and waits for nobody who makes others.
    pub(super) fn into_view(self, answers: &[QueryResult]) -> Result<View, StoreError> {
        let mut view = View::default();
        self.load_into(&mut view, answers)?;
        Ok(view)
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
            let table = self.table_of_tag::<Ticket>(Some(tag), self.locks);
            let text = select_from::<Ticket>(&table, IN_SEAT_RANGES, "t.tag = $1 AND t.event = $2", self.locks);
            self.add_query(
                text,
                seat_range_params(tag, event.key(), &seats),
                load_rows_where(named, |view| &mut view.tickets),
            );
        }
    }

    /// How a statement calls a table. One of a reader is about one tag: its planner does not know that rows of many are few.
    fn table<R: MappedRow>(&mut self, tag: Option<ShardTag>, locks: bool) -> TableRef {
        self.shards.extend(tag.map(|tag| (R::TABLE, tag)));
        let mut table = self.names.of::<R>(tag, !locks);
        self.elsewhere.are_locked |= locks && table.name == R::TABLE;
        self.elsewhere.are_read |= table.name == R::TABLE;
        table.spans_tags &= self.locks;
        table
    }

    /// The same for a statement that is about one tag in any case.
    fn table_of_tag<R: MappedRow>(&mut self, tag: Option<ShardTag>, locks: bool) -> TableRef {
        TableRef { spans_tags: false, ..self.table::<R>(tag, locks) }
    }

    /// Keys of rows with their tags, by the places of the rows.
    fn group_by_place<R: MappedRow, K>(
        &mut self,
        keys: impl Iterator<Item = (Option<ShardTag>, K)>,
        locks: bool,
        may_span_tags: bool,
    ) -> BTreeMap<Place, Vec<(Option<ShardTag>, K)>> {
        let placed = keys.map(|(tag, key)| {
            let mut table = self.table::<R>(tag, locks);
            table.spans_tags &= may_span_tags;
            (self.names.place(table, tag), (tag, key))
        });
        group_by_key(placed)
    }

    fn add_query(&mut self, text: String, params: Vec<Param<'a>>, handler: RowHandler<'a>) {
        self.queries.push(Query { text, params });
        self.handlers.push(handler);
    }

    /// Rows by their whole key.
    fn add_by_key<R: MappedRow>(&mut self, keys: &'a [R::Key], locks: bool, of: TableAccessor<R>) {
        // An id whose tag is not the row's is unknown.
        let named = |row: &R| keys.binary_search(&row.key()).is_ok();
        let tag_of = |key: &R::Key| key.shard_tag().filter(|_| statements::names_shard::<R>(locks));
        let tagged = keys.iter().map(|key| (tag_of(key), key));
        for (place, keys) in self.group_by_place::<R, _>(tagged, locks, true) {
            let names_tags = place.table.spans_tags && R::is_tagged();
            let rows = keys.into_iter().map(|(tag, key)| {
                let mut cells = Vec::with_capacity(3);
                cells.extend(tag.filter(|_| names_tags).map(|tag| Cell::from(tag.to_i64())));
                key.write(&mut cells);
                cells.into_iter().map(Cell::into_owned).collect()
            });
            let params = place.named_tag().map(tag_param).into_iter().chain(array_params(rows)).collect();
            self.add_query(statements::by_key::<R>(&place.table, locks), params, load_rows_where(named, of));
        }
    }

    /// Rows of a look-up that one statement finds for keys of several tags.
    fn add_lookup_of_tags<R: MappedRow, K: SelectorKey>(
        &mut self,
        lookup: &'static Lookup,
        table: &TableRef,
        keys: &[(Option<ShardTag>, &'a K)],
        locks: bool,
        of: TableAccessor<R>,
    ) {
        let rows = keys.iter().map(|(tag, key)| {
            let tag = tag.map(|tag| Cell::from(tag.to_i64()));
            tag.into_iter().chain(key.cells()).collect()
        });
        let text = lookup_text_of_tags::<R>(table, lookup, locks);
        self.add_query(text, array_params(rows), load_rows_where(|_: &R| true, of));
    }

    /// The sets of events once more, behind all that locks or is read: their locks are the mutex of an event. A statement finds what
    /// was there when it began, and waits then: a set that was made meanwhile would be missing, of this event or of another one.
    /// One that is made later changes its event, too, which is written only as it was loaded.
    fn add_check_of_sets(&mut self, events: &'a [EventId]) {
        let tagged = events.iter().map(|event| (event.tag(), event));
        for (place, events) in self.group_by_place::<TicketSet, _>(tagged, false, true) {
            let of_table = format!("SELECT t.tag, t.id FROM {} AS t", place.table.name);
            let (text, params) = if let Some(tag) = place.named_tag() {
                let keys = events.into_iter().flat_map(|(_, event)| event.cells()).collect();
                (format!("{of_table} WHERE t.tag = $1 AND t.event = ANY($2)"), vec![tag_param(tag), Param::Many(keys)])
            } else {
                let rows = events.into_iter().map(|(tag, event)| {
                    let tag = tag.map(|tag| Cell::from(tag.to_i64()));
                    tag.into_iter().chain(event.cells()).collect()
                });
                let pairs = "UNNEST($1::bigint[], $2::bigint[]) AS u(tag, event)";
                (format!("{of_table}, {pairs} WHERE t.tag = u.tag AND t.event = u.event"), array_params(rows))
            };
            self.add_query(text, params, Box::new(refuse_other_sets));
        }
    }

    /// Vacant tickets of sets without seats behind their cursors, then from the start. The sets' locks are theirs.
    fn add_vacant_tickets(&mut self, requests: Vec<VacancyRequest>) {
        let requests = requests.into_iter().map(|request| {
            let tag = request.set.tag();
            ((self.table::<Ticket>(Some(tag), true), self.table::<TicketSet>(Some(tag), true)), request)
        });
        for ((tickets, sets), requests) in group_by_key(requests) {
            if tickets.spans_tags && sets.spans_tags {
                let rows = requests.iter().map(|request| {
                    let set = request.set;
                    vec![set.tag().to_i64().into(), set.key().into(), i64::from(request.max_tickets).into()]
                });
                let params = array_params(rows);
                self.add_query(vacant_of_sets(&tickets, &sets), params, offer_vacant_tickets(requests));
                continue;
            }
            for request in requests {
                let (set, most) = (request.set, i64::from(request.max_tickets));
                let params = vec![tag_param(set.tag()), Param::one(set.key()), Param::one(most)];
                let text = vacant_from_cursor(&tickets, &sets, ["$1", "$2", "$3"]);
                self.add_query(text, params, offer_vacant_tickets(vec![request]));
            }
        }
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
            let is_tagged = is_tagged::<R>(lookup);
            let known = keys.iter().filter(|key| key.is_consistent(is_tagged));
            let tagged = known.map(|key| (key.tag().filter(|_| is_tagged), key));
            // Of an index of those of which a condition holds, a planner that finds it small reads all.
            let may_span_tags = !locks || lookup.conditions.is_empty();
            for (place, keys) in self.group_by_place::<R, _>(tagged, locks, may_span_tags) {
                let table = &place.table;
                if is_tagged && table.spans_tags {
                    self.add_lookup_of_tags(lookup, table, &keys, locks, of);
                    continue;
                }
                let events = if locks { Cow::Borrowed(Event::TABLE) } else { self.names.of_copy(Event::TABLE) };
                for params in lookup_params(lookup, place.named_tag(), keys.into_iter().map(|(_, key)| key)) {
                    let text = lookup_text::<R>(table, &events, lookup, locks);
                    self.add_query(text, params, load_rows_where(|_: &R| true, of));
                }
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
        let requests = std::mem::take(&mut self.vacancy_requests);
        self.needs_second_round |= !requests.is_empty();
        self.add_vacant_tickets(requests);
        Ok(())
    }
}

/// The parameters of each statement of a look-up: keys that differ in the last part only have one together.
fn lookup_params<'a, K: SelectorKey + 'a>(
    lookup: &Lookup,
    shard: Option<ShardTag>,
    keys: impl Iterator<Item = &'a K>,
) -> Vec<Vec<Param<'a>>> {
    let with_shard = |params: Vec<Param<'a>>| shard.map(tag_param).into_iter().chain(params).collect();
    if lookup.limit.is_some() {
        return keys.map(|key| with_shard(key.cells().into_iter().map(Param::One).collect())).collect();
    }
    let parts = keys.filter_map(|key| {
        let mut cells = key.cells();
        let last = cells.pop()?;
        Some((cells, last))
    });
    let statement = |(cells, last): (Vec<Cell<'a>>, Vec<Cell<'a>>)| {
        with_shard(cells.into_iter().map(Param::One).chain([Param::Many(last)]).collect())
    };
    group_by_key(parts).into_iter().map(statement).collect()
}

/// An array for each column of rows.
fn array_params<'a>(rows: impl Iterator<Item = Vec<Cell<'a>>>) -> Vec<Param<'a>> {
    let mut arrays = RowArrays::default();
    rows.for_each(|row| arrays.add(row.into_iter()));
    arrays.arrays.into_iter().map(Param::Many).collect()
}

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

/// Offers the vacant tickets of sets in the turn in which they were found.
fn offer_vacant_tickets<'a>(requests: Vec<VacancyRequest>) -> RowHandler<'a> {
    Box::new(move |rows, view| {
        let mut offered: BTreeMap<SetId, Vec<(i64, TicketId)>> = BTreeMap::new();
        offered.extend(requests.into_iter().map(|request| (request.set, Vec::new())));
        for_each_row(rows, |ticket: Ticket, version, rest| {
            offered.entry(ticket.set).or_default().push((rest.int()?, ticket.id));
            view.tickets.load(ticket, version);
            Ok(())
        })?;
        for (set, mut tickets) in offered {
            tickets.sort_unstable();
            view.offer_vacant(set, tickets.into_iter().map(|(_, ticket)| ticket).collect());
        }
        Ok(())
    })
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

/// Refuses sets that are not in the view: they were made while it was loaded.
fn refuse_other_sets(rows: &[Row], view: &mut View) -> Result<(), StoreError> {
    for row in rows {
        let source: &mut dyn RowReader = &mut PostgresRowReader::new(row);
        let set = SetId::with_tag(read_tag(source)?, source.int()?);
        if view.sets.get(set).is_none() {
            return Err(StoreError::Conflict("a set was made while a batch was loaded".to_owned()));
        }
    }
    Ok(())
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
