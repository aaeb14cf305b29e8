//! Marks: what of the tables a read depends on, and what of them a batch has written. Both name the same marks, so that
//! whoever has kept what was read learns that it may be another now. See [`ReadSet::marks`] and [`View::written_marks`].
//!
//! A row has three marks: its own, that of all rows of its table that belong to its event, and that of its table. A
//! selector names the narrowest that a row which it would find, now or later, moves.

use std::hash::{Hash, Hasher as _};

use rustc_hash::FxHasher;

use super::selectors::{Condition, Lookup};
use super::{EVENTS_AT_MAX, PROPOSALS_MAX, ReadSet, Row, SESSIONS_SHOWN_MAX, Table, UNPAID_ORDERS_MAX, View};
use crate::model::row::RowKey;
use crate::model::ticket::TicketState;
use crate::values::email::Email;
use crate::values::hex128::Hex128;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{EventId, OrderId, PartnerId, SetId, UserId, VenueId};
use crate::values::time::Timestamp;

/// Something that reads depend on and batches move: a number, which others may share by chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mark(u64);

/// Tables that no list shows which is kept: what is written to these alone moves no [`Mark::LISTS`].
const UNLISTED: [&str; 15] = [
    "nodes",
    "counters",
    "feed_heads",
    "installation_settings",
    "idempotency_records",
    "sessions",
    "indexed_orders",
    "daily_sales",
    "jobs",
    "mails",
    "webhooks",
    "webhook_deliveries",
    "webhook_attempts",
    "change_batches",
    "audience_entries",
];

impl Mark {
    /// Of whatever lists show.
    pub const LISTS: Self = Self(0);

    /// The mark as a number that is as good as random.
    pub const fn number(self) -> u64 {
        self.0
    }

    fn of(table: &'static str, part: impl Hash) -> Self {
        let mut hasher = FxHasher::default();
        table.hash(&mut hasher);
        part.hash(&mut hasher);
        Self(hasher.finish())
    }

    fn of_table(table: &'static str) -> Self {
        Self::of(table, ())
    }

    fn of_event(table: &'static str, tag: ShardTag) -> Self {
        Self::of(table, (0_u8, tag))
    }

    fn of_row(table: &'static str, key: impl RowKey) -> Self {
        Self::of(table, (1_u8, key))
    }
}

/// A key of a selector.
trait SelectorKey {
    /// The shard of what it names, or belongs to, if it is or belongs to an event.
    fn event_tag(&self) -> Option<ShardTag> {
        None
    }
}

macro_rules! keys_with_tags {
    ($($key:ty),*) => {
        $(impl SelectorKey for $key {
            fn event_tag(&self) -> Option<ShardTag> {
                Some(self.tag())
            }
        })*
    };
}

keys_with_tags!(EventId, OrderId, SetId);

impl<T> SelectorKey for (EventId, T) {
    fn event_tag(&self) -> Option<ShardTag> {
        Some(self.0.tag())
    }
}

// What they find belongs to any event, or to none.
impl SelectorKey for PartnerId {}
impl SelectorKey for (PartnerId, PartnerId) {}
impl SelectorKey for UserId {}
impl SelectorKey for VenueId {}
impl SelectorKey for Email {}
impl SelectorKey for Hex128 {}
impl SelectorKey for [u8; 32] {}
impl SelectorKey for i64 {}

/// Names the marks of rows that are found by columns. What belongs to an event has its tag, unless the event itself says
/// which row it is.
fn note_found<R: Row>(table: &'static str, keys: &[impl SelectorKey], lookups: &[Lookup], note: &mut impl FnMut(Mark)) {
    let is_of_event =
        R::Key::HAS_TAG && lookups.iter().all(|lookup| lookup.named_by_event.is_none() && !lookup.across_events);
    for key in keys {
        match key.event_tag().filter(|_| is_of_event) {
            Some(tag) => note(Mark::of_event(table, tag)),
            None => note(Mark::of_table(table)),
        }
        // The event says which row: it may name another one.
        if lookups.iter().any(|lookup| lookup.named_by_event.is_some()) {
            note(Mark::of_table("events"));
        }
    }
}

macro_rules! note_selector {
    (by_key $row:ty, $table:ident, $keys:expr, $note:ident) => {
        $keys.iter().for_each(|key| $note(Mark::of_row(stringify!($table), *key)))
    };
    (by_columns $row:ty, $table:ident, $keys:expr, $note:ident, $($lookups:tt)*) => {
        note_found::<$row>(stringify!($table), &$keys, &[$($lookups)*], $note)
    };
    (held_by $($rest:tt)*) => {
        note_selector!(by_columns $($rest)*)
    };
    // Which seats or vacant tickets it will be, nobody knows before.
    ($how:ident $row:ty, $table:ident, $keys:expr, $note:ident) => {
        if !$keys.is_empty() {
            $note(Mark::of_table(stringify!($table)));
        }
    };
}

macro_rules! define_marks {
    ($($table:ident: $row:ty, $phase:ident {
        $($(#[$doc:meta])* $access:ident $field:ident $how:ident $(($key:ty))? $([$($lookups:tt)*])?;)*
    })*) => {
        impl ReadSet {
            /// Names the marks that some row has which this finds, or would find if it were there.
            pub fn marks(&self, note: &mut impl FnMut(Mark)) {
                $($(note_selector!($how $row, $table, self.$field, note $(, $($lookups)*)?);)*)*
            }
        }

        impl View {
            /// Names the marks of all rows that were changed.
            pub fn written_marks(&self, note: &mut impl FnMut(Mark)) {
                $(note_written(stringify!($table), &self.$table, note);)*
            }

            /// Names the moments of all rows: see [`Row::moments`].
            pub fn moments(&self, note: &mut dyn FnMut(Timestamp)) {
                $(self.$table.rows().for_each(|row| row.moments(note));)*
            }
        }
    };
}
crate::every_selector!(define_marks);

fn note_written<R: Row>(table: &'static str, rows: &Table<R>, note: &mut impl FnMut(Mark)) {
    let mut is_written = false;
    for key in rows.touched() {
        is_written = true;
        note(Mark::of_row(table, key));
        key.shard_tag().into_iter().for_each(|tag| note(Mark::of_event(table, tag)));
    }
    if is_written {
        note(Mark::of_table(table));
        if !UNLISTED.contains(&table) {
            note(Mark::LISTS);
        }
    }
}
