//! Steps of a schema: numbered from 1 on, with the same numbers for all databases, each applied once.

use std::fmt;

use crate::error::StoreError;

macro_rules! migrations {
    ($($number:literal $description:literal,)*) => {
        /// Every step of SQLite, in order.
        pub(crate) const SQLITE_MIGRATIONS: &[SchemaMigration] = &[$(SchemaMigration {
            number: $number,
            description: $description,
            sql: include_str!(concat!("sqlite/schema/", $number, ".sql")),
        },)*];

        /// Every step of PostgreSQL, in order. Each statement runs by itself and may run again: `IF NOT EXISTS` and its
        /// like. One with `CONCURRENTLY` comes behind a `DROP INDEX CONCURRENTLY IF EXISTS` of the same name: where it
        /// was interrupted, it has left an index that is of no use.
        pub(crate) const POSTGRES_MIGRATIONS: &[SchemaMigration] = &[$(SchemaMigration {
            number: $number,
            description: $description,
            sql: include_str!(concat!("postgres/schema/", $number, ".sql")),
        },)*];
    };
}

// A step that was released is never changed.
migrations! {
    1 "the tables",
    2 "leases of the numbers of writers",
    3 "answers kept under idempotency keys",
    4 "fair shares, quotas, accounts and deals",
    5 "the log of changes",
    6 "webhooks",
    7 "events that occupy their venue",
    8 "scopes of API keys",
    9 "payments of orders",
    10 "where unpaid orders of visitors are from",
    11 "sums of sales, and what orders are found by",
    12 "roles of managers",
    13 "operators of the platform",
    14 "orders that agents sold, apart from those of organizers",
    15 "money that vendors give back",
}

/// A step of a schema. One that was released is never changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SchemaMigration {
    /// Its place among the steps.
    pub number: i64,
    /// What it brings.
    pub description: &'static str,
    /// Its statements.
    pub(crate) sql: &'static str,
}

impl fmt::Display for SchemaMigration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.number, self.description)
    }
}

/// The number of the newest step that this program knows.
pub(crate) fn latest_number(steps: &[SchemaMigration]) -> i64 {
    steps.last().map_or(0, |step| step.number)
}

/// Refuses a schema that has a step which this program does not know.
pub(crate) fn reject_newer_schema(steps: &[SchemaMigration], found: i64) -> Result<(), StoreError> {
    let known = latest_number(steps);
    if found > known { Err(StoreError::NewerSchema { found, known }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_are_numbered_from_one_on() {
        for steps in [SQLITE_MIGRATIONS, POSTGRES_MIGRATIONS] {
            assert!(steps.iter().map(|step| step.number).eq((1..).take(steps.len())), "{steps:?}");
            assert_eq!(latest_number(steps), i64::try_from(steps.len()).unwrap());
        }
    }
}
