//! Selectors as statements: all of a batch's are known before the first is sent.

use std::collections::BTreeMap;

use kassa_domain::bench::BenchId;
use kassa_domain::deal::Deal;
use kassa_domain::event::Event;
use kassa_domain::hall::HallMap;
use kassa_domain::partner::{Manager, Partner};
use kassa_domain::promotion::Promotion;
use kassa_domain::set::{Chairs, Set, SetId};
use kassa_domain::ticket::{Ticket, TicketId};
use kassa_domain::user::Email;
use kassa_domain::view::{EVENTS_AT_MAX, Table};
use kassa_domain::{Id, Needs, Tag, View};
use tokio_postgres::Row;

use super::cells::{Param, RowSource};
use super::connection::{Answer, Ask, Connection, Frame};
use super::errors::Trouble;
use super::hall;
use super::statements::{self, columns, is_tagged, select, select_from};
use crate::cell::{Cell, Source};
use crate::error::StoreError;
use crate::rows::{Key as _, Mapped, versioned};

/// Puts what a statement has given into the view.
type Take<'a> = Box<dyn FnOnce(&[Row], &mut View) -> Result<(), StoreError> + Send + 'a>;
/// Where the rows of a kind are in a view.
type Of<R> = fn(&mut View) -> &mut Table<R>;

/// The statements that load what is named, in the order of locks.
pub(super) struct Load<'a> {
    pub(super) asks: Vec<Ask<'a>>,
    takes: Vec<Take<'a>>,
    locks: bool,
    /// Whether what is found may lead to further rows: tickets are on benches, and seats are picked by these.
    pub(super) leads_on: bool,
}

/// Rows as they are at one moment, without a lock.
pub(super) async fn read(connection: &mut Connection, needs: &Needs) -> Result<View, Trouble> {
    let (load, mut view) = (Load::of(needs, false), View::default());
    // One statement sees one moment by itself.
    let frame = match load.asks.as_slice() {
        _ if load.leads_on => Frame::BeginSnapshot,
        [_] => Frame::Bare,
        _ => Frame::Snapshot,
    };
    let answers = connection.run(frame, &load.asks).await?;
    load.put_into(&mut view, &answers)?;
    if matches!(frame, Frame::BeginSnapshot) {
        hall::complete(connection, needs, &mut view, false).await?;
        connection.execute("COMMIT").await?;
    }
    Ok(view)
}

impl<'a> Load<'a> {
    /// Nothing yet.
    pub(super) fn new(locks: bool) -> Self {
        Self { asks: Vec::new(), takes: Vec::new(), locks, leads_on: false }
    }

    /// Of needs that are sorted: all that is known of them beforehand.
    pub(super) fn of(needs: &'a Needs, locks: bool) -> Self {
        let mut load = Self::new(locks);
        load.leads_on = !(needs.benches.is_empty() && needs.benches_of.is_empty());
        load.house_and_accounts(needs);
        load.sales(needs);
        load.catalogue(needs);
        load
    }

    /// Puts what was answered into a view.
    pub(super) fn put_into(self, view: &mut View, answers: &[Answer]) -> Result<(), StoreError> {
        for (take, answer) in self.takes.into_iter().zip(answers) {
            take(&answer.rows, view)?;
        }
        Ok(())
    }

    /// Benches that are named, and these, by id.
    pub(super) fn benches(&mut self, needs: &'a Needs, others: &'a [BenchId]) {
        self.keyed(&needs.benches, |view| &mut view.benches);
        for (its, sets) in grouped(needs.benches_of.iter().map(|set| (set.tag(), set.key()))) {
            let args = vec![tag(its), Param::many(sets)];
            self.found("t.tag = $1 AND t.set_id = ANY($2)", args, |_| true, |view| &mut view.benches);
        }
        self.keyed(others, |view| &mut view.benches);
    }

    /// Tickets by their chairs.
    pub(super) fn chairs(&mut self, chairs: &'a [Chairs]) {
        let places = chairs.iter().map(|chairs| ((chairs.set.tag(), chairs.event), chairs));
        for ((its, event), chairs) in grouped(places) {
            let named = move |ticket: &Ticket| ticket.event == event;
            let text = select_from::<Ticket>(IN_CHAIRS, "t.tag = $1 AND t.event = $2", self.locks);
            self.push(text, chairs_args(its, event.key(), &chairs), taking(named, |view| &mut view.tickets));
        }
    }

    fn house_and_accounts(&mut self, needs: &'a Needs) {
        self.keyed(&needs.nodes, |view| &mut view.nodes);
        self.keyed(&needs.counters, |view| &mut view.counters);
        self.keyed(&needs.facts, |view| &mut view.facts);
        self.keyed(&needs.answers, |view| &mut view.answers);
        self.keyed(&needs.users, |view| &mut view.users);
        let emails = needs.emails.iter().map(Email::as_str);
        self.one_of("t.email = ANY($1)", emails, |_| true, |view| &mut view.users);
        self.keyed(&needs.sessions, |view| &mut view.sessions);
        self.keyed(&needs.partners, |view| &mut view.partners);
        // An event's tag is its own: one that is not is of nothing.
        let events = needs.organizers_of.iter().filter(|event| **event == Id::root(event.key()));
        let by_event = "t.id IN (SELECT events.org FROM events WHERE events.id = ANY($1))";
        self.unlocked(|load| {
            let events = events.map(|event| event.key());
            load.one_of(by_event, events, |_: &Partner| true, |view| &mut view.partners);
        });
        self.keyed(&needs.managers, |view| &mut view.managers);
        let own = |manager: &Manager| needs.managers_of.contains(&manager.partner);
        self.one_of("t.partner = ANY($1)", keys(&needs.managers_of), own, |view| &mut view.managers);
        let own = |manager: &Manager| needs.partners_of.contains(&manager.user);
        self.one_of("t.user_id = ANY($1)", keys(&needs.partners_of), own, |view| &mut view.managers);
        self.keyed(&needs.keys, |view| &mut view.keys);
        let hashes = needs.key_hashes.iter().map(<[u8; 32]>::as_slice);
        self.one_of("t.hash = ANY($1)", hashes, |_| true, |view| &mut view.keys);
        self.keyed(&needs.attachments, |view| &mut view.attachments);
        let tokens = needs.attachment_tokens.iter().map(ToString::to_string);
        self.one_of("t.token = ANY($1)", tokens, |_| true, |view| &mut view.attachments);
    }

    fn sales(&mut self, needs: &'a Needs) {
        self.keyed(&needs.orders, |view| &mut view.orders);
        self.keyed(&needs.refunds, |view| &mut view.refunds);
        for (its, orders) in grouped(needs.refunds_of.iter().map(|order| (order.tag(), order.key()))) {
            let args = vec![tag(its), Param::many(orders)];
            self.found("t.tag = $1 AND t.order_id = ANY($2)", args, |_| true, |view| &mut view.refunds);
        }
        for (its, orders) in grouped(needs.open_refunds_of.iter().map(|order| (order.tag(), order.key()))) {
            let args = vec![tag(its), Param::many(orders)];
            // Spelled as in the partial index.
            let condition = "t.tag = $1 AND t.order_id = ANY($2) AND t.status IN ('new', 'in_progress')";
            self.found(condition, args, |_| true, |view| &mut view.refunds);
        }
        self.keyed(&needs.promocodes, |view| &mut view.promocodes);
        for (event, codes) in grouped(needs.codes.iter().map(|(event, code)| (*event, code.folded()))) {
            let args = vec![tag(event.tag()), Param::one(event.key()), Param::many(codes)];
            let condition = "t.tag = $1 AND t.event = $2 AND t.folded_code = ANY($3)";
            self.found(condition, args, |_| true, |view| &mut view.promocodes);
        }
        for event in &needs.sets_of {
            let args = vec![tag(event.tag()), Param::one(event.key())];
            self.found("t.tag = $1 AND t.event = $2", args, |_: &Set| true, |view| &mut view.sets);
        }
        // These come after all locks of sets.
        self.unlocked(|load| load.keyed(&needs.sets, |view| &mut view.sets));
        let before = self.asks.len();
        self.tickets(needs);
        self.leads_on |= self.asks.len() > before;
    }

    fn tickets(&mut self, needs: &'a Needs) {
        self.keyed(&needs.tickets, |view| &mut view.tickets);
        for (its, holders) in grouped(needs.held_by.iter().map(|order| (order.tag(), order.key()))) {
            let args = vec![tag(its), Param::many(holders)];
            self.found("t.tag = $1 AND t.holder = ANY($2)", args, |_| true, |view| &mut view.tickets);
        }
        for (its, sets) in grouped(needs.blocked_in.iter().map(|set| (set.tag(), set.key()))) {
            let args = vec![tag(its), Param::many(sets)];
            let condition = "t.tag = $1 AND t.set_id = ANY($2) AND t.state = 3";
            self.found(condition, args, |_| true, |view| &mut view.tickets);
        }
        self.chairs(&needs.chairs);
        for wishes in needs.wishes() {
            self.vacant(wishes.set, wishes.most);
        }
    }

    fn catalogue(&mut self, needs: &'a Needs) {
        self.keyed(&needs.venues, |view| &mut view.venues);
        self.keyed(&needs.maps, |view| &mut view.maps);
        // An event's tag is its own: one that is not is of nothing.
        let events = needs.map_of.iter().filter(|event| **event == Id::root(event.key())).map(|event| event.key());
        let by_event = "t.id IN (SELECT events.map FROM events WHERE events.id = ANY($1))";
        self.unlocked(|load| load.one_of(by_event, events, |_: &HallMap| true, |view| &mut view.maps));
        self.keyed(&needs.events, |view| &mut view.events);
        self.keyed(&needs.deals, |view| &mut view.deals);
        for (event, agents) in grouped(needs.deals_of.iter().copied()) {
            let args = vec![tag(event.tag()), Param::one(event.key()), Param::many(keys(&agents))];
            let own = move |deal: &Deal| agents.contains(&deal.subj);
            self.found("t.tag = $1 AND t.event = $2 AND t.subj = ANY($3)", args, own, |view| &mut view.deals);
        }
        for pair in &needs.dealt {
            let args = vec![Param::one(pair.0.key()), Param::one(pair.1.key())];
            let own = |deal: &Deal| (deal.subj, deal.obj) == *pair;
            self.push(dealt(), args, taking(own, |view| &mut view.deals));
        }
        for venue in &needs.events_at {
            for text in [endless_at(), last_at()] {
                let args = vec![Param::one(venue.key()), Param::one(i64::from(EVENTS_AT_MAX))];
                let own = |event: &Event| event.venue == Some(*venue);
                self.push(text, args, taking(own, |view| &mut view.events));
            }
        }
        self.keyed(&needs.promotions, |view| &mut view.promotions);
        for event in &needs.promotions_of {
            let args = vec![tag(event.tag()), Param::one(event.key())];
            let condition = "t.tag = $1 AND t.event = $2 AND t.removed = 0";
            self.found(condition, args, |_: &Promotion| true, |view| &mut view.promotions);
        }
        self.keyed(&needs.jobs, |view| &mut view.jobs);
        self.keyed(&needs.mails, |view| &mut view.mails);
    }

    /// What is for reading only.
    fn unlocked(&mut self, add: impl FnOnce(&mut Self)) {
        let locks = std::mem::replace(&mut self.locks, false);
        add(self);
        self.locks = locks;
    }

    fn push(&mut self, text: String, params: Vec<Param<'a>>, take: Take<'a>) {
        self.asks.push(Ask { text, params });
        self.takes.push(take);
    }

    /// Rows by their whole key, one statement for each tag.
    fn keyed<R: Mapped>(&mut self, keys: &'a [R::Key], of: Of<R>) {
        if keys.is_empty() {
            return;
        }
        // An id whose tag is not the row's is unknown.
        let named = |row: &R| keys.binary_search(&row.key()).is_ok();
        let tag_of = |key: &R::Key| key.shard().filter(|_| is_tagged::<R>());
        for (its, keys) in grouped(keys.iter().map(|key| (tag_of(key), key))) {
            let mut arrays: Vec<Vec<Cell<'static>>> = Vec::new();
            for key in keys {
                let mut cells = Vec::with_capacity(2);
                key.write(&mut cells);
                arrays.resize(cells.len(), Vec::new());
                arrays.iter_mut().zip(cells).for_each(|(array, cell)| array.push(cell.into_owned()));
            }
            let params = its.map(tag).into_iter().chain(arrays.into_iter().map(Param::Many)).collect();
            self.push(statements::by_key::<R>(self.locks), params, taking(named, of));
        }
    }

    /// Rows by one of these values of a column that is not their key. An id says more than its key: rows of
    /// another id that shares it are left out by `own`.
    fn one_of<R: Mapped, C: Into<Cell<'a>>>(
        &mut self,
        condition: &str,
        values: impl Iterator<Item = C>,
        own: impl Fn(&R) -> bool + Send + 'a,
        of: Of<R>,
    ) {
        let mut values = values.peekable();
        if values.peek().is_some() {
            self.found(condition, vec![Param::many(values)], own, of);
        }
    }

    fn found<R: Mapped>(
        &mut self,
        condition: &str,
        params: Vec<Param<'a>>,
        own: impl Fn(&R) -> bool + Send + 'a,
        of: Of<R>,
    ) {
        self.push(select::<R>(condition, self.locks), params, taking(own, of));
    }

    /// Vacant tickets of a set without seats behind its cursor, then from the start. The set's lock is theirs.
    fn vacant(&mut self, set: SetId, count: u32) {
        let args = vec![tag(set.tag()), Param::one(set.key()), Param::one(i64::from(count))];
        let take = move |rows: &[Row], view: &mut View| {
            let mut offered: Vec<(i64, TicketId)> = Vec::with_capacity(rows.len());
            each(rows, |ticket: Ticket, version, rest| {
                offered.push((rest.int()?, ticket.id));
                view.tickets.load(ticket, version);
                Ok(())
            })?;
            offered.sort_unstable();
            view.offer_vacant(set, offered.into_iter().map(|(_, ticket)| ticket).collect());
            Ok(())
        };
        self.push(vacant_from_cursor(), args, Box::new(take));
    }
}

/// Chairs as rows of the statement: one for each span.
const IN_CHAIRS: &str = " JOIN UNNEST($3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::bigint[]) \
    AS u(its_set, its_sector, its_row, low, high) ON t.set_id = u.its_set AND t.sector = u.its_sector \
    AND t.row_order = u.its_row AND t.seat_number BETWEEN u.low AND u.high";

fn chairs_args<'a>(its: Tag, event: i64, chairs: &[&'a Chairs]) -> Vec<Param<'a>> {
    vec![
        tag(its),
        Param::one(event),
        Param::many(chairs.iter().map(|chairs| chairs.set.key())),
        Param::many(chairs.iter().map(|chairs| chairs.sector.as_str())),
        Param::many(chairs.iter().map(|chairs| chairs.row.order())),
        Param::many(chairs.iter().map(|chairs| i64::from(chairs.span.from))),
        Param::many(chairs.iter().map(|chairs| i64::from(chairs.span.to))),
    ]
}

/// The second half is not read where the first gives enough.
fn vacant_from_cursor() -> String {
    let columns = columns::<Ticket>();
    let part = |compare: &str, turn: u8| {
        let cursor = "(SELECT s.pick_cursor FROM sets AS s WHERE s.tag = $1 AND s.id = $2 AND s.seats IS NULL)";
        format!(
            "(SELECT {columns}, {turn}::bigint AS turn FROM tickets AS t WHERE t.tag = $1 AND t.set_id = $2 \
             AND t.state = 0 AND t.id {compare} {cursor} ORDER BY t.id LIMIT $3)"
        )
    };
    format!("{} UNION ALL {} LIMIT $3", part(">", 0), part("<=", 1))
}

// From here on the conditions are spelled as in partial indexes.

fn dealt() -> String {
    let columns = columns::<Deal>();
    format!(
        "SELECT {columns} FROM deals AS t WHERE t.subj = $1 AND t.obj = $2 AND t.status = 'accepted' \
         ORDER BY t.id DESC LIMIT 1"
    )
}

fn endless_at() -> String {
    format!("{} AND t.ends_at IS NULL LIMIT $2", events_at())
}

fn last_at() -> String {
    format!("{} AND t.ends_at IS NOT NULL ORDER BY t.ends_at DESC LIMIT $2", events_at())
}

fn events_at() -> String {
    let columns = columns::<Event>();
    format!("SELECT {columns} FROM events AS t WHERE t.venue = $1 AND t.removed = 0 AND t.status <> 'canceled'")
}

pub(super) fn tag(tag: Tag) -> Param<'static> {
    Param::one(tag.to_i64())
}

fn keys<K>(ids: &[Id<K>]) -> impl Iterator<Item = i64> {
    ids.iter().map(|id| id.key())
}

fn grouped<K: Ord, V>(pairs: impl Iterator<Item = (K, V)>) -> BTreeMap<K, Vec<V>> {
    let mut groups: BTreeMap<K, Vec<V>> = BTreeMap::new();
    for (key, value) in pairs {
        groups.entry(key).or_default().push(value);
    }
    groups
}

/// Loads the rows that are its own.
fn taking<'a, R: Mapped>(own: impl Fn(&R) -> bool + Send + 'a, of: Of<R>) -> Take<'a> {
    Box::new(move |rows, view| {
        each(rows, |row: R, version, _| {
            if own(&row) {
                of(view).load(row, version);
            }
            Ok(())
        })
    })
}

/// Rows with their versions, and what comes behind these.
pub(super) fn each<R: Mapped>(
    rows: &[Row],
    mut give: impl FnMut(R, i64, &mut dyn Source) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    for row in rows {
        let source: &mut dyn Source = &mut RowSource::new(row);
        let (row, version) = versioned(source)?;
        give(row, version, source)?;
    }
    Ok(())
}
