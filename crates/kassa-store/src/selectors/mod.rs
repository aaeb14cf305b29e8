//! The selectors of a [`ReadSet`]: each is declared here once, and every driver follows the declaration.

use kassa_domain::attachment::Hex128;
use kassa_domain::promocode::PromocodeText;
use kassa_domain::set::{SeatSelector, SetId};
use kassa_domain::ticket::Ticket;
use kassa_domain::user::Email;
use kassa_domain::view::{EVENTS_AT_MAX, Table};
use kassa_domain::{Id, ReadSet, ShardTag, View};

use crate::cell::Cell;
use crate::rows::MappedRow;
use crate::rows::catalogue::STATE_BLOCKED;

#[cfg(test)]
mod samples;

/// Where the rows of a kind are in a view.
pub(crate) type TableAccessor<R> = fn(&mut View) -> &mut Table<R>;

/// What a batch does with the rows of a selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Locks them until its end.
    Lock,
    /// Only reads them: they do not change, or whoever changes them locks others that the batch locks, too. A change of
    /// an event, of a deal or of a promotion locks the sets of the event, which are its mutex.
    Read,
}

/// A selector: its name, and how its rows are found.
#[derive(Debug)]
pub(crate) struct Selector {
    /// The field of [`ReadSet`].
    pub(crate) name: &'static str,
    pub(crate) access: Access,
    /// For each key all of these are done; none where rows are found by their own key, or in a way of their own.
    pub(crate) lookups: &'static [Lookup],
}

/// Rows whose columns hold the parts of a key.
#[derive(Debug)]
pub(crate) struct Lookup {
    /// One for each part of the key.
    pub(crate) columns: &'static [&'static str],
    /// The column of the key's event that names the row, where `columns` are not the row's own.
    pub(crate) named_by_event: Option<&'static str>,
    /// What else must be so. The texts are spelled as in partial indexes.
    pub(crate) conditions: &'static [Condition],
    /// The column by which rows come, from the largest value down.
    pub(crate) descending: Option<&'static str>,
    /// At most so many rows of each key.
    pub(crate) limit: Option<u32>,
    /// Whether rows of a tagged table are of several events.
    pub(crate) across_events: bool,
}

/// A constant condition on a column.
#[derive(Debug)]
pub(crate) enum Condition {
    /// It has this number.
    Number(&'static str, i64),
    /// It has one of these texts.
    OneOf(&'static str, &'static [&'static str]),
    /// It has another text.
    Not(&'static str, &'static str),
    /// It is empty.
    Null(&'static str),
    /// It is not empty.
    NotNull(&'static str),
}

impl Lookup {
    const fn by(columns: &'static [&'static str]) -> Self {
        Self { columns, named_by_event: None, conditions: &[], descending: None, limit: None, across_events: false }
    }

    /// The row whose id is in a column of the event.
    const fn named_by_event(column: &'static str) -> Self {
        Self { named_by_event: Some(column), ..Self::by(&["id"]) }
    }

    const fn only(self, conditions: &'static [Condition]) -> Self {
        Self { conditions, ..self }
    }

    const fn largest(self, column: &'static str, count: u32) -> Self {
        Self { descending: Some(column), limit: Some(count), ..self }
    }

    const fn at_most(self, count: u32) -> Self {
        Self { limit: Some(count), ..self }
    }

    const fn across_events(self) -> Self {
        Self { across_events: true, ..self }
    }

    /// Whether the first id of a key says the tag of the rows.
    pub(crate) fn is_tagged<R: MappedRow>(&self) -> bool {
        !self.across_events && R::is_tagged()
    }
}

impl Condition {
    /// The column.
    pub(crate) fn column(&self) -> &'static str {
        match self {
            Self::Number(column, _)
            | Self::OneOf(column, _)
            | Self::Not(column, _)
            | Self::Null(column)
            | Self::NotNull(column) => column,
        }
    }

    /// As SQL, with the name of the table before the column, if it needs one.
    pub(crate) fn sql(&self, table: &str) -> String {
        let column = self.column();
        match self {
            Self::Number(_, value) => format!("{table}{column} = {value}"),
            Self::OneOf(_, [value]) => format!("{table}{column} = '{value}'"),
            Self::OneOf(_, values) => format!("{table}{column} IN ('{}')", values.join("', '")),
            Self::Not(_, value) => format!("{table}{column} <> '{value}'"),
            Self::Null(_) => format!("{table}{column} IS NULL"),
            Self::NotNull(_) => format!("{table}{column} IS NOT NULL"),
        }
    }

    /// Whether it holds for what is in the column.
    #[cfg(feature = "test-drivers")]
    pub(crate) fn holds(&self, found: &Cell<'_>) -> bool {
        match self {
            Self::Number(_, value) => *found == Cell::Int(*value),
            Self::OneOf(_, values) => values.iter().any(|value| *found == Cell::from(*value)),
            Self::Not(_, value) => *found != Cell::Null && *found != Cell::from(*value),
            Self::Null(_) => *found == Cell::Null,
            Self::NotNull(_) => *found != Cell::Null,
        }
    }
}

const ACCEPTED: Condition = Condition::OneOf("status", &["accepted"]);
const NOT_REMOVED: Condition = Condition::Number("removed", 0);
const NOT_CANCELED: Condition = Condition::Not("status", "canceled");

/// Applies a macro to every selector, in the order of locks: those whose rows can be named at once, and
/// then those of row inventories, to which tickets and the pick of seats lead, too.
///
/// Each line has what is done with the rows, the field of [`ReadSet`], the table of [`View`], how keys find rows (see
/// [`SelectorVisitor`]), and the look-ups for each key.
macro_rules! every_selector {
    ($apply:ident) => {
        $apply! {
            named {
                Lock nodes: nodes by_key;
                Lock counters: counters by_key;
                Read installation_settings: installation_settings by_key;
                Lock idempotency_records: idempotency_records by_key;
                Lock users: users by_key;
                Lock users_by_email: users by_columns [Lookup::by(&["email"])];
                Lock sessions: sessions by_key;
                Lock partners: partners by_key;
                Read organizers_of: partners by_columns [Lookup::named_by_event("organizer")];
                Lock managers: managers by_key;
                Lock managers_of: managers by_columns [Lookup::by(&["partner"])];
                Lock partners_of: managers by_columns [Lookup::by(&["user_id"])];
                Lock keys: keys by_key;
                Lock keys_by_hash: keys by_columns [Lookup::by(&["hash"])];
                Lock attachments: attachments by_key;
                Lock attachments_by_token: attachments by_columns [Lookup::by(&["token"])];
                Lock orders: orders by_key;
                Lock refunds: refunds by_key;
                Lock refunds_of: refunds by_columns [Lookup::by(&["order_id"])];
                Lock open_refunds_of: refunds by_columns [
                    Lookup::by(&["order_id"]).only(&[Condition::OneOf("status", &["new", "in_progress"])])
                ];
                Lock promocodes: promocodes by_key;
                Lock promocodes_by_text: promocodes by_columns [Lookup::by(&["event", "folded_code"])];
                Lock sets_of: sets by_columns [Lookup::by(&["event"])];
                Read sets: sets by_key;
                Lock tickets: tickets by_key;
                Lock tickets_held_by: tickets by_columns [Lookup::by(&["holder"])];
                Lock blocked_tickets_of: tickets by_columns [
                    Lookup::by(&["set_id"]).only(&[Condition::Number("state", STATE_BLOCKED)])
                ];
                Lock seats: tickets by_seat;
                Read vacant: tickets vacant;
                Lock venues: venues by_key;
                Lock hall_maps: hall_maps by_key;
                Read hall_map_of: hall_maps by_columns [Lookup::named_by_event("map")];
                Read events: events by_key;
                Read deals: deals by_key;
                Read deals_of: deals by_columns [Lookup::by(&["event", "agent"])];
                Read deals_between: deals by_columns [
                    Lookup::by(&["agent", "organizer"]).across_events().only(&[ACCEPTED]).largest("id", 1)
                ];
                Read events_at: events by_columns [
                    Lookup::by(&["venue"]).only(&[NOT_REMOVED, NOT_CANCELED, Condition::Null("ends_at")])
                        .at_most(EVENTS_AT_MAX),
                    Lookup::by(&["venue"]).only(&[NOT_REMOVED, NOT_CANCELED, Condition::NotNull("ends_at")])
                        .largest("ends_at", EVENTS_AT_MAX)
                ];
                Read promotions: promotions by_key;
                Read promotions_of: promotions by_columns [Lookup::by(&["event"]).only(&[NOT_REMOVED])];
                Lock jobs: jobs by_key;
                Lock mails: mails by_key;
            }
            row_inventories {
                Lock seat_row_inventories: seat_row_inventories by_key;
                Lock seat_row_inventories_of: seat_row_inventories by_columns [Lookup::by(&["set_id"])];
            }
        }
    };
}

/// What a driver does with the keys of each selector, which may be none.
pub(crate) trait SelectorVisitor<'a> {
    /// Why it stops.
    type Error;

    /// Rows by their whole key.
    fn by_key<R: MappedRow>(
        &mut self,
        selector: &'static Selector,
        keys: &'a [R::Key],
        of: TableAccessor<R>,
    ) -> Result<(), Self::Error>;

    /// Rows by what is in their columns: the look-ups of the selector.
    fn by_columns<R: MappedRow, K: SelectorKey>(
        &mut self,
        selector: &'static Selector,
        keys: &'a [K],
        of: TableAccessor<R>,
    ) -> Result<(), Self::Error>;

    /// Tickets of a set by their seats.
    fn by_seat(
        &mut self,
        selector: &'static Selector,
        seats: &'a [SeatSelector],
        of: TableAccessor<Ticket>,
    ) -> Result<(), Self::Error>;

    /// Any vacant tickets of a set; their lock is the set's.
    fn vacant(
        &mut self,
        selector: &'static Selector,
        wanted: &'a [(SetId, u32)],
        of: TableAccessor<Ticket>,
    ) -> Result<(), Self::Error>;
}

macro_rules! define_visits {
    (
        named { $($access:ident $field:ident: $table:ident $how:ident $([$($lookup:expr),+])?;)* }
        row_inventories {
            $($later_access:ident $later:ident: $later_table:ident $later_how:ident $([$($later_lookup:expr),+])?;)*
        }
    ) => {
        /// Every selector whose rows can be named at once, in the order of locks.
        pub(crate) fn visit_named<'a, V: SelectorVisitor<'a>>(
            read_set: &'a ReadSet,
            visitor: &mut V,
        ) -> Result<(), V::Error> {
            let ReadSet { $($field,)* $($later: _,)* } = read_set;
            $(visit_one!(visitor, $access $field $table $how [$($($lookup),+)?]);)*
            Ok(())
        }

        /// The selectors of row inventories, which come behind whatever else leads to some.
        pub(crate) fn visit_row_inventories<'a, V: SelectorVisitor<'a>>(
            read_set: &'a ReadSet,
            visitor: &mut V,
        ) -> Result<(), V::Error> {
            let ReadSet { $($field: _,)* $($later,)* } = read_set;
            $(visit_one!(visitor, $later_access $later $later_table $later_how [$($($later_lookup),+)?]);)*
            Ok(())
        }

        /// One key for each selector: for looking at the statements.
        #[cfg(test)]
        pub(crate) fn full_read_set() -> ReadSet {
            use crate::selectors::samples::SampleKey as _;
            ReadSet { $($field: vec![<_>::sample()],)* $($later: vec![<_>::sample()],)* }
        }
    };
}

macro_rules! visit_one {
    ($visitor:ident, $access:ident $field:ident $table:ident $how:ident [$($lookup:expr),*]) => {{
        static SELECTOR: Selector =
            Selector { name: stringify!($field), access: Access::$access, lookups: &[$($lookup),*] };
        $visitor.$how(&SELECTOR, $field, |view| &mut view.$table)?;
    }};
}
every_selector!(define_visits);

/// What a selector's look-ups find rows by.
pub(crate) trait SelectorKey: Ord + Send + Sync {
    /// Its parts, one for each column.
    fn cells(&self) -> Vec<Cell<'_>>;

    /// The tag of its first id: that of the rows, where they hang on an event.
    fn tag(&self) -> Option<ShardTag> {
        None
    }

    /// Whether all ids but that which says the tag of rows have their own. One that has not names nothing.
    fn is_consistent(&self, _tagged: bool) -> bool {
        true
    }
}

impl SelectorKey for Email {
    fn cells(&self) -> Vec<Cell<'_>> {
        vec![self.as_str().into()]
    }
}

impl SelectorKey for [u8; 32] {
    fn cells(&self) -> Vec<Cell<'_>> {
        vec![self.as_slice().into()]
    }
}

impl SelectorKey for Hex128 {
    fn cells(&self) -> Vec<Cell<'_>> {
        vec![self.to_string().into()]
    }
}

impl<K: 'static> SelectorKey for Id<K> {
    fn cells(&self) -> Vec<Cell<'_>> {
        vec![self.key().into()]
    }

    fn tag(&self) -> Option<ShardTag> {
        Some(Id::tag(*self))
    }

    fn is_consistent(&self, tagged: bool) -> bool {
        tagged || has_own_tag(*self)
    }
}

impl<K: 'static, L: 'static> SelectorKey for (Id<K>, Id<L>) {
    fn cells(&self) -> Vec<Cell<'_>> {
        vec![self.0.key().into(), self.1.key().into()]
    }

    fn tag(&self) -> Option<ShardTag> {
        Some(self.0.tag())
    }

    fn is_consistent(&self, tagged: bool) -> bool {
        (tagged || has_own_tag(self.0)) && has_own_tag(self.1)
    }
}

impl<K: 'static> SelectorKey for (Id<K>, PromocodeText) {
    fn cells(&self) -> Vec<Cell<'_>> {
        vec![self.0.key().into(), self.1.folded().into()]
    }

    fn tag(&self) -> Option<ShardTag> {
        Some(self.0.tag())
    }
}

fn has_own_tag<K>(id: Id<K>) -> bool {
    id == Id::root(id.key())
}
