//! How drivers follow the selectors of a [`ReadSet`], which [`every_selector!`] declares.

use kassa_domain::attachment::Hex128;
use kassa_domain::order::{NetworkMark, OrderId};
use kassa_domain::promocode::PromocodeText;
use kassa_domain::set::{SeatSelector, SetId};
use kassa_domain::ticket::{Ticket, TicketState};
use kassa_domain::user::Email;
use kassa_domain::view::{
    Access, Condition, EVENTS_AT_MAX, Lookup, PROPOSALS_MAX, SESSIONS_SHOWN_MAX, Selector, Table, UNPAID_ORDERS_MAX,
};
use kassa_domain::{Id, ReadSet, ShardTag, View, every_selector};

use crate::cell::Cell;
use crate::rows::MappedRow;

#[cfg(test)]
mod samples;

/// Where the rows of a kind are in a view.
pub(crate) type TableAccessor<R> = fn(&mut View) -> &mut Table<R>;

/// Whether the first id of a key says the tag of the rows.
pub(crate) fn is_tagged<R: MappedRow>(lookup: &Lookup) -> bool {
    !lookup.across_events && R::is_tagged()
}

/// A constant condition as SQL, with the name of the table before the column, if it needs one. It is spelled as in
/// partial indexes.
pub(crate) fn condition_sql(condition: &Condition, table: &str) -> String {
    let column = condition.column();
    match condition {
        Condition::Number(_, value) => format!("{table}{column} = {value}"),
        Condition::OneOf(_, [value]) => format!("{table}{column} = '{value}'"),
        Condition::OneOf(_, values) => format!("{table}{column} IN ('{}')", values.join("', '")),
        Condition::Not(_, value) => format!("{table}{column} <> '{value}'"),
        Condition::Null(_) => format!("{table}{column} IS NULL"),
        Condition::NotNull(_) => format!("{table}{column} IS NOT NULL"),
    }
}

/// Whether a constant condition holds for what is in its column.
#[cfg(feature = "test-drivers")]
pub(crate) fn condition_holds(condition: &Condition, found: &Cell<'_>) -> bool {
    match condition {
        Condition::Number(_, value) => *found == Cell::Int(*value),
        Condition::OneOf(_, values) => values.iter().any(|value| *found == Cell::from(*value)),
        Condition::Not(_, value) => *found != Cell::Null && *found != Cell::from(*value),
        Condition::Null(_) => *found == Cell::Null,
        Condition::NotNull(_) => *found != Cell::Null,
    }
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

    /// Tickets by the order that holds them. The lines of an order name them, too: a driver that finds them so needs no
    /// index.
    fn held_by(
        &mut self,
        selector: &'static Selector,
        orders: &'a [OrderId],
        of: TableAccessor<Ticket>,
    ) -> Result<(), Self::Error> {
        self.by_columns(selector, orders, of)
    }

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
    ($($table:ident: $row:ty, $phase:ident {
        $($(#[$doc:meta])* $access:ident $field:ident $how:ident $(($key:ty))? $([$($lookup:expr),+])?;)*
    })*) => {
        /// Every selector whose rows can be named at once, in the order of locks.
        pub(crate) fn visit_named<'a, V: SelectorVisitor<'a>>(
            read_set: &'a ReadSet,
            visitor: &mut V,
        ) -> Result<(), V::Error> {
            $($(visit_in!(named, $phase, visitor, read_set, $access $field $table $how [$($($lookup),+)?]);)*)*
            Ok(())
        }

        /// The selectors of row inventories, which come behind whatever else leads to some.
        pub(crate) fn visit_row_inventories<'a, V: SelectorVisitor<'a>>(
            read_set: &'a ReadSet,
            visitor: &mut V,
        ) -> Result<(), V::Error> {
            $($(visit_in!(
                row_inventories, $phase, visitor, read_set, $access $field $table $how [$($($lookup),+)?]
            );)*)*
            Ok(())
        }

        /// One key for each selector: for looking at the statements.
        #[cfg(test)]
        pub(crate) fn full_read_set() -> ReadSet {
            use crate::selectors::samples::SampleKey as _;
            ReadSet { $($($field: vec![<_>::sample()],)*)* }
        }
    };
}

/// Visits a selector in its own phase only.
macro_rules! visit_in {
    (named, named, $($selector:tt)*) => { visit_one!($($selector)*) };
    (row_inventories, row_inventories, $($selector:tt)*) => { visit_one!($($selector)*) };
    ($current:ident, $phase:ident, $($selector:tt)*) => {};
}

macro_rules! visit_one {
    ($visitor:ident, $read_set:ident, $access:ident $field:ident $table:ident $how:ident [$($lookup:expr),*]) => {{
        static SELECTOR: Selector =
            Selector { name: stringify!($field), access: Access::$access, lookups: &[$($lookup),*] };
        $visitor.$how(&SELECTOR, &$read_set.$field, |view| &mut view.$table)?;
    }};
}
every_selector!(define_visits);

/// What a selector's look-ups find rows by.
pub(crate) trait SelectorKey: Ord + Send + Sync {
    /// Its parts, one for each column.
    fn cells(&self) -> Vec<Cell<'_>>;

    /// The tag of its first id: that of the rows, where they belong to an event.
    fn tag(&self) -> Option<ShardTag> {
        None
    }

    /// Whether all ids but that which says the tag of rows have their own. One that has not names nothing.
    fn is_consistent(&self, _tagged: bool) -> bool {
        true
    }
}

/// A number.
impl SelectorKey for i64 {
    fn cells(&self) -> Vec<Cell<'_>> {
        vec![(*self).into()]
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

impl<K: 'static> SelectorKey for (Id<K>, Email) {
    fn cells(&self) -> Vec<Cell<'_>> {
        vec![self.0.key().into(), self.1.as_str().into()]
    }

    fn tag(&self) -> Option<ShardTag> {
        Some(self.0.tag())
    }
}

impl<K: 'static> SelectorKey for (Id<K>, NetworkMark) {
    fn cells(&self) -> Vec<Cell<'_>> {
        vec![self.0.key().into(), self.1.number().into()]
    }

    fn tag(&self) -> Option<ShardTag> {
        Some(self.0.tag())
    }
}

fn has_own_tag<K>(id: Id<K>) -> bool {
    id == Id::root(id.key())
}
