//! How the rows of a selector are found. An attribute has the name of its column.

/// What a batch does with the rows of a selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Locks them until its end.
    Lock,
    /// Only reads them: they do not change, or whoever changes them locks others that the batch locks, too. A change of
    /// an event, of a deal or of a promotion locks the sets of the event, which are its mutex. Whether an actor or an
    /// organizer is suspended is read, too: a batch that has loaded it before the suspension counts as one before it.
    Read,
}

/// A selector: its name, and how its rows are found.
#[derive(Debug)]
pub struct Selector {
    /// The field of [`ReadSet`](super::ReadSet).
    pub name: &'static str,
    /// Whether its rows are locked.
    pub access: Access,
    /// For each key all of these are done; none where rows are found by their own key, or in a way of their own.
    pub lookups: &'static [Lookup],
}

/// Rows whose attributes are the parts of a key.
#[derive(Debug)]
pub struct Lookup {
    /// One for each part of the key.
    pub columns: &'static [&'static str],
    /// The attribute of the key's event that names the row, where `columns` are not the row's own.
    pub named_by_event: Option<&'static str>,
    /// What else must be so.
    pub conditions: &'static [Condition],
    /// The attribute by which rows come, from the largest value down.
    pub descending: Option<&'static str>,
    /// At most so many rows of each key.
    pub limit: Option<u32>,
    /// Whether rows of a table with tags are of several events.
    pub across_events: bool,
}

/// A constant condition on an attribute.
#[derive(Clone, Copy, Debug)]
pub enum Condition {
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
    /// Rows whose attributes are the parts of the key.
    pub const fn by(columns: &'static [&'static str]) -> Self {
        Self { columns, named_by_event: None, conditions: &[], descending: None, limit: None, across_events: false }
    }

    /// The row whose id is an attribute of the event.
    pub const fn named_by_event(column: &'static str) -> Self {
        Self { named_by_event: Some(column), ..Self::by(&["id"]) }
    }

    /// Those of them for which all conditions hold.
    #[must_use]
    pub const fn only(self, conditions: &'static [Condition]) -> Self {
        Self { conditions, ..self }
    }

    /// For each key, those with the largest values.
    #[must_use]
    pub const fn largest(self, column: &'static str, count: u32) -> Self {
        Self { descending: Some(column), limit: Some(count), ..self }
    }

    /// For each key, any so many.
    #[must_use]
    pub const fn at_most(self, count: u32) -> Self {
        Self { limit: Some(count), ..self }
    }

    /// Rows of several events.
    #[must_use]
    pub const fn across_events(self) -> Self {
        Self { across_events: true, ..self }
    }
}

impl Condition {
    /// A deal that was accepted.
    pub const ACCEPTED: Self = Self::OneOf("status", &["accepted"]);
    /// A deal that waits for an answer.
    pub const PROPOSED: Self = Self::OneOf("status", &["new"]);
    /// A deal that its organizer has ended.
    pub const ENDED_BY_ORGANIZER: Self = Self::Number("ended_by_organizer", 1);
    /// An order that holds tickets and is not paid.
    pub const UNPAID: Self = Self::OneOf("status", &["executed", "in_progress"]);
    /// An order that a visitor of a shop has made, while it is not paid or over.
    pub const OF_VISITOR: Self = Self::NotNull("network");
    /// A public event.
    pub const PUBLIC: Self = Self::OneOf("status", &["public"]);
    /// An event that was taken off sale after tickets of it had been in orders.
    pub const WITHDRAWN: Self = Self::Number("withdrawn", 1);
    /// A row that was not removed.
    pub const NOT_REMOVED: Self = Self::Number("removed", 0);

    /// The attribute.
    pub const fn column(&self) -> &'static str {
        match self {
            Self::Number(column, _)
            | Self::OneOf(column, _)
            | Self::Not(column, _)
            | Self::Null(column)
            | Self::NotNull(column) => column,
        }
    }
}
