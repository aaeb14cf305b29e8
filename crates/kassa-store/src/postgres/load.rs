//! Selectors as statements: all of a batch's are known before the first is sent.

use std::collections::BTreeMap;

use kassa_domain::deal::Deal;
use kassa_domain::event::Event;
use kassa_domain::hall_map::HallMap;
use kassa_domain::partner::{Partner, PartnerManager};
use kassa_domain::promotion::Promotion;
use kassa_domain::seat_row_inventory::SeatRowInventoryId;
use kassa_domain::set::{SeatSelector, SetId, TicketSet};
use kassa_domain::ticket::{Ticket, TicketId};
use kassa_domain::user::Email;
use kassa_domain::view::{EVENTS_AT_MAX, Table};
use kassa_domain::{Id, ReadSet, ShardTag, View};
use tokio_postgres::Row;

use super::connection::{Connection, Query, QueryResult, TransactionFrame};
use super::errors::TransactionFailure;
use super::params::{Param, PostgresRowReader};
use super::seat_picking;
use super::statements::{self, is_tagged, qualified_columns, select, select_from};
use crate::cell::{Cell, RowReader};
use crate::error::StoreError;
use crate::rows::{MappedRow, RowKey as _, read_with_version};

/// Puts what a statement has given into the view.
type RowHandler<'a> = Box<dyn FnOnce(&[Row], &mut View) -> Result<(), StoreError> + Send + 'a>;
/// Where the rows of a kind are in a view.
type TableAccessor<R> = fn(&mut View) -> &mut Table<R>;

/// The statements that load what is named, in the order of locks.
pub(super) struct LoadPlan<'a> {
    pub(super) queries: Vec<Query<'a>>,
    handlers: Vec<RowHandler<'a>>,
    locks: bool,
    /// Whether what is found may lead to further rows: tickets are on row inventories, and seats are picked by these.
    pub(super) needs_second_round: bool,
}

/// Rows as they are at one moment, without a lock.
pub(super) async fn load_snapshot(connection: &mut Connection, read_set: &ReadSet) -> Result<View, TransactionFailure> {
    let (load, mut view) = (LoadPlan::for_read_set(read_set, false), View::default());
    // One statement sees one moment by itself.
    let frame = match load.queries.as_slice() {
        _ if load.needs_second_round => TransactionFrame::BeginSnapshot,
        [_] => TransactionFrame::None,
        _ => TransactionFrame::WholeSnapshot,
    };
    let answers = connection.run_pipeline(frame, &load.queries).await?;
    load.load_into(&mut view, &answers)?;
    if matches!(frame, TransactionFrame::BeginSnapshot) {
        seat_picking::load_row_inventories_and_tickets(connection, read_set, &mut view, false).await?;
        connection.execute("COMMIT").await?;
    }
    Ok(view)
}

impl<'a> LoadPlan<'a> {
    /// Nothing yet.
    pub(super) fn new(locks: bool) -> Self {
        Self { queries: Vec::new(), handlers: Vec::new(), locks, needs_second_round: false }
    }

    /// Of needs that are sorted: all that is known of them beforehand.
    pub(super) fn for_read_set(read_set: &'a ReadSet, locks: bool) -> Self {
        let mut load = Self::new(locks);
        load.needs_second_round =
            !(read_set.seat_row_inventories.is_empty() && read_set.seat_row_inventories_of.is_empty());
        load.add_system_and_accounts(read_set);
        load.add_sales(read_set);
        load.add_catalogue(read_set);
        load
    }

    /// Puts what was answered into a view.
    pub(super) fn load_into(self, view: &mut View, answers: &[QueryResult]) -> Result<(), StoreError> {
        for (take, answer) in self.handlers.into_iter().zip(answers) {
            take(&answer.rows, view)?;
        }
        Ok(())
    }

    /// Row inventories that are named, and these, by id.
    pub(super) fn add_row_inventories(&mut self, read_set: &'a ReadSet, others: &'a [SeatRowInventoryId]) {
        self.add_by_key(&read_set.seat_row_inventories, |view| &mut view.seat_row_inventories);
        for (its, sets) in group_by_key(read_set.seat_row_inventories_of.iter().map(|set| (set.tag(), set.key()))) {
            let args = vec![tag_param(its), Param::many(sets)];
            self.add_by_condition(
                "t.tag = $1 AND t.set_id = ANY($2)",
                args,
                |_| true,
                |view| &mut view.seat_row_inventories,
            );
        }
        self.add_by_key(others, |view| &mut view.seat_row_inventories);
    }

    /// Tickets by their seats.
    pub(super) fn add_seat_ranges(&mut self, chairs: &'a [SeatSelector]) {
        let places = chairs.iter().map(|chairs| ((chairs.set.tag(), chairs.event), chairs));
        for ((its, event), chairs) in group_by_key(places) {
            let named = move |ticket: &Ticket| ticket.event == event;
            let text = select_from::<Ticket>(IN_SEAT_RANGES, "t.tag = $1 AND t.event = $2", self.locks);
            self.add_query(
                text,
                seat_range_params(its, event.key(), &chairs),
                load_rows_where(named, |view| &mut view.tickets),
            );
        }
    }

    fn add_system_and_accounts(&mut self, read_set: &'a ReadSet) {
        self.add_by_key(&read_set.nodes, |view| &mut view.nodes);
        self.add_by_key(&read_set.counters, |view| &mut view.counters);
        self.add_by_key(&read_set.installation_settings, |view| &mut view.installation_settings);
        self.add_by_key(&read_set.idempotency_records, |view| &mut view.idempotency_records);
        self.add_by_key(&read_set.users, |view| &mut view.users);
        let emails = read_set.users_by_email.iter().map(Email::as_str);
        self.add_by_values("t.email = ANY($1)", emails, |_| true, |view| &mut view.users);
        self.add_by_key(&read_set.sessions, |view| &mut view.sessions);
        self.add_by_key(&read_set.partners, |view| &mut view.partners);
        // An event's tag is its own: one that is not is of nothing.
        let events = read_set.organizers_of.iter().filter(|event| **event == Id::root(event.key()));
        let by_event = "t.id IN (SELECT events.organizer FROM events WHERE events.id = ANY($1))";
        self.without_locks(|load| {
            let events = events.map(|event| event.key());
            load.add_by_values(by_event, events, |_: &Partner| true, |view| &mut view.partners);
        });
        self.add_by_key(&read_set.managers, |view| &mut view.managers);
        let own = |manager: &PartnerManager| read_set.managers_of.contains(&manager.partner);
        self.add_by_values("t.partner = ANY($1)", keys(&read_set.managers_of), own, |view| &mut view.managers);
        let own = |manager: &PartnerManager| read_set.partners_of.contains(&manager.user);
        self.add_by_values("t.user_id = ANY($1)", keys(&read_set.partners_of), own, |view| &mut view.managers);
        self.add_by_key(&read_set.keys, |view| &mut view.keys);
        let hashes = read_set.keys_by_hash.iter().map(<[u8; 32]>::as_slice);
        self.add_by_values("t.hash = ANY($1)", hashes, |_| true, |view| &mut view.keys);
        self.add_by_key(&read_set.attachments, |view| &mut view.attachments);
        let tokens = read_set.attachments_by_token.iter().map(ToString::to_string);
        self.add_by_values("t.token = ANY($1)", tokens, |_| true, |view| &mut view.attachments);
    }

    fn add_sales(&mut self, read_set: &'a ReadSet) {
        self.add_by_key(&read_set.orders, |view| &mut view.orders);
        self.add_by_key(&read_set.refunds, |view| &mut view.refunds);
        for (its, orders) in group_by_key(read_set.refunds_of.iter().map(|order| (order.tag(), order.key()))) {
            let args = vec![tag_param(its), Param::many(orders)];
            self.add_by_condition("t.tag = $1 AND t.order_id = ANY($2)", args, |_| true, |view| &mut view.refunds);
        }
        for (its, orders) in group_by_key(read_set.open_refunds_of.iter().map(|order| (order.tag(), order.key()))) {
            let args = vec![tag_param(its), Param::many(orders)];
            // Spelled as in the partial index.
            let condition = "t.tag = $1 AND t.order_id = ANY($2) AND t.status IN ('new', 'in_progress')";
            self.add_by_condition(condition, args, |_| true, |view| &mut view.refunds);
        }
        self.add_by_key(&read_set.promocodes, |view| &mut view.promocodes);
        for (event, codes) in
            group_by_key(read_set.promocodes_by_text.iter().map(|(event, code)| (*event, code.folded())))
        {
            let args = vec![tag_param(event.tag()), Param::one(event.key()), Param::many(codes)];
            let condition = "t.tag = $1 AND t.event = $2 AND t.folded_code = ANY($3)";
            self.add_by_condition(condition, args, |_| true, |view| &mut view.promocodes);
        }
        for event in &read_set.sets_of {
            let args = vec![tag_param(event.tag()), Param::one(event.key())];
            self.add_by_condition("t.tag = $1 AND t.event = $2", args, |_: &TicketSet| true, |view| &mut view.sets);
        }
        // These come after all locks of sets.
        self.without_locks(|load| load.add_by_key(&read_set.sets, |view| &mut view.sets));
        let before = self.queries.len();
        self.add_tickets(read_set);
        self.needs_second_round |= self.queries.len() > before;
    }

    fn add_tickets(&mut self, read_set: &'a ReadSet) {
        self.add_by_key(&read_set.tickets, |view| &mut view.tickets);
        for (its, holders) in group_by_key(read_set.tickets_held_by.iter().map(|order| (order.tag(), order.key()))) {
            let args = vec![tag_param(its), Param::many(holders)];
            self.add_by_condition("t.tag = $1 AND t.holder = ANY($2)", args, |_| true, |view| &mut view.tickets);
        }
        for (its, sets) in group_by_key(read_set.blocked_tickets_of.iter().map(|set| (set.tag(), set.key()))) {
            let args = vec![tag_param(its), Param::many(sets)];
            let condition = "t.tag = $1 AND t.set_id = ANY($2) AND t.state = 3";
            self.add_by_condition(condition, args, |_| true, |view| &mut view.tickets);
        }
        self.add_seat_ranges(&read_set.seats);
        for wishes in read_set.vacancy_requests() {
            self.add_vacant_tickets(wishes.set, wishes.max_tickets);
        }
    }

    fn add_catalogue(&mut self, read_set: &'a ReadSet) {
        self.add_by_key(&read_set.venues, |view| &mut view.venues);
        self.add_by_key(&read_set.hall_maps, |view| &mut view.hall_maps);
        // An event's tag is its own: one that is not is of nothing.
        let events =
            read_set.hall_map_of.iter().filter(|event| **event == Id::root(event.key())).map(|event| event.key());
        let by_event = "t.id IN (SELECT events.map FROM events WHERE events.id = ANY($1))";
        self.without_locks(|load| load.add_by_values(by_event, events, |_: &HallMap| true, |view| &mut view.hall_maps));
        self.add_by_key(&read_set.events, |view| &mut view.events);
        self.add_by_key(&read_set.deals, |view| &mut view.deals);
        for (event, agents) in group_by_key(read_set.deals_of.iter().copied()) {
            let args = vec![tag_param(event.tag()), Param::one(event.key()), Param::many(keys(&agents))];
            let own = move |deal: &Deal| agents.contains(&deal.agent);
            self.add_by_condition("t.tag = $1 AND t.event = $2 AND t.agent = ANY($3)", args, own, |view| {
                &mut view.deals
            });
        }
        for pair in &read_set.deals_between {
            let args = vec![Param::one(pair.0.key()), Param::one(pair.1.key())];
            let own = |deal: &Deal| (deal.agent, deal.organizer) == *pair;
            self.add_query(newest_accepted_deal(), args, load_rows_where(own, |view| &mut view.deals));
        }
        for venue in &read_set.events_at {
            for text in [open_ended_events_at(), last_ending_events_at()] {
                let args = vec![Param::one(venue.key()), Param::one(i64::from(EVENTS_AT_MAX))];
                let own = |event: &Event| event.venue == Some(*venue);
                self.add_query(text, args, load_rows_where(own, |view| &mut view.events));
            }
        }
        self.add_by_key(&read_set.promotions, |view| &mut view.promotions);
        for event in &read_set.promotions_of {
            let args = vec![tag_param(event.tag()), Param::one(event.key())];
            let condition = "t.tag = $1 AND t.event = $2 AND t.removed = 0";
            self.add_by_condition(condition, args, |_: &Promotion| true, |view| &mut view.promotions);
        }
        self.add_by_key(&read_set.jobs, |view| &mut view.jobs);
        self.add_by_key(&read_set.mails, |view| &mut view.mails);
    }

    /// What is for reading only.
    fn without_locks(&mut self, add: impl FnOnce(&mut Self)) {
        let locks = std::mem::replace(&mut self.locks, false);
        add(self);
        self.locks = locks;
    }

    fn add_query(&mut self, text: String, params: Vec<Param<'a>>, take: RowHandler<'a>) {
        self.queries.push(Query { text, params });
        self.handlers.push(take);
    }

    /// Rows by their whole key, one statement for each tag.
    fn add_by_key<R: MappedRow>(&mut self, keys: &'a [R::Key], of: TableAccessor<R>) {
        if keys.is_empty() {
            return;
        }
        // An id whose tag is not the row's is unknown.
        let named = |row: &R| keys.binary_search(&row.key()).is_ok();
        let tag_of = |key: &R::Key| key.shard_tag().filter(|_| is_tagged::<R>());
        for (its, keys) in group_by_key(keys.iter().map(|key| (tag_of(key), key))) {
            let mut arrays: Vec<Vec<Cell<'static>>> = Vec::new();
            for key in keys {
                let mut cells = Vec::with_capacity(2);
                key.write(&mut cells);
                arrays.resize(cells.len(), Vec::new());
                arrays.iter_mut().zip(cells).for_each(|(array, cell)| array.push(cell.into_owned()));
            }
            let params = its.map(tag_param).into_iter().chain(arrays.into_iter().map(Param::Many)).collect();
            self.add_query(statements::by_key::<R>(self.locks), params, load_rows_where(named, of));
        }
    }

    /// Rows by one of these values of a column that is not their key. An id says more than its key: rows of
    /// another id that shares it are left out by `own`.
    fn add_by_values<R: MappedRow, C: Into<Cell<'a>>>(
        &mut self,
        condition: &str,
        values: impl Iterator<Item = C>,
        own: impl Fn(&R) -> bool + Send + 'a,
        of: TableAccessor<R>,
    ) {
        let mut values = values.peekable();
        if values.peek().is_some() {
            self.add_by_condition(condition, vec![Param::many(values)], own, of);
        }
    }

    fn add_by_condition<R: MappedRow>(
        &mut self,
        condition: &str,
        params: Vec<Param<'a>>,
        own: impl Fn(&R) -> bool + Send + 'a,
        of: TableAccessor<R>,
    ) {
        self.add_query(select::<R>(condition, self.locks), params, load_rows_where(own, of));
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
        self.add_query(vacant_from_cursor(), args, Box::new(take));
    }
}

/// Seats as rows of the statement: one for each span.
const IN_SEAT_RANGES: &str = " JOIN UNNEST($3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::bigint[]) \
    AS u(its_set, its_sector, its_row, low, high) ON t.set_id = u.its_set AND t.sector = u.its_sector \
    AND t.row_order = u.its_row AND t.seat_number BETWEEN u.low AND u.high";

fn seat_range_params<'a>(its: ShardTag, event: i64, seats: &[&'a SeatSelector]) -> Vec<Param<'a>> {
    vec![
        tag_param(its),
        Param::one(event),
        Param::many(seats.iter().map(|seats| seats.set.key())),
        Param::many(seats.iter().map(|seats| seats.sector.as_str())),
        Param::many(seats.iter().map(|seats| seats.row.sort_key())),
        Param::many(seats.iter().map(|seats| i64::from(seats.range.from))),
        Param::many(seats.iter().map(|seats| i64::from(seats.range.to))),
    ]
}

/// The second half is not read where the first gives enough.
fn vacant_from_cursor() -> String {
    let columns = qualified_columns::<Ticket>();
    let part = |compare: &str, turn: u8| {
        let cursor = "(SELECT s.pick_cursor FROM sets AS s WHERE s.tag = $1 AND s.id = $2 AND s.seat_layout IS NULL)";
        format!(
            "(SELECT {columns}, {turn}::bigint AS turn FROM tickets AS t WHERE t.tag = $1 AND t.set_id = $2 \
             AND t.state = 0 AND t.id {compare} {cursor} ORDER BY t.id LIMIT $3)"
        )
    };
    format!("{} UNION ALL {} LIMIT $3", part(">", 0), part("<=", 1))
}

// From here on the conditions are spelled as in partial indexes.

fn newest_accepted_deal() -> String {
    let columns = qualified_columns::<Deal>();
    format!(
        "SELECT {columns} FROM deals AS t WHERE t.agent = $1 AND t.organizer = $2 AND t.status = 'accepted' \
         ORDER BY t.id DESC LIMIT 1"
    )
}

fn open_ended_events_at() -> String {
    format!("{} AND t.ends_at IS NULL LIMIT $2", events_at())
}

fn last_ending_events_at() -> String {
    format!("{} AND t.ends_at IS NOT NULL ORDER BY t.ends_at DESC LIMIT $2", events_at())
}

fn events_at() -> String {
    let columns = qualified_columns::<Event>();
    format!("SELECT {columns} FROM events AS t WHERE t.venue = $1 AND t.removed = 0 AND t.status <> 'canceled'")
}

pub(super) fn tag_param(tag: ShardTag) -> Param<'static> {
    Param::one(tag.to_i64())
}

fn keys<K>(ids: &[Id<K>]) -> impl Iterator<Item = i64> {
    ids.iter().map(|id| id.key())
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
