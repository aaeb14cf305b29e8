//! Steps of a schema: numbered from 1 on, with the same numbers for all databases, each applied once.

use std::fmt;

use crate::error::StoreError;

macro_rules! migrations {
    (@oldest $database:ident $number:literal) => { $number };
    (@oldest $database:ident $number:literal $oldest:literal) => { $oldest };
    (@oldest postgres $number:literal $oldest:literal postgres) => { $oldest };
    (@oldest sqlite $number:literal $oldest:literal postgres) => { $number };
    ($($number:literal $description:literal $(beside $oldest:literal $(on $only:ident)?)?,)*) => {
        /// Every step of SQLite, in order.
        pub(crate) const SQLITE_MIGRATIONS: &[SchemaMigration] = &[$(SchemaMigration {
            number: $number,
            description: $description,
            oldest_program: migrations!(@oldest sqlite $number $($oldest $($only)?)?),
            sql: include_str!(concat!("sqlite/schema/", $number, ".sql")),
        },)*];

        /// Every step of PostgreSQL, in order. Each statement runs by itself and may run again: `IF NOT EXISTS` and its
        /// like. One with `CONCURRENTLY` comes behind a `DROP INDEX CONCURRENTLY IF EXISTS` of the same name: where it
        /// was interrupted, it has left an index that is of no use.
        pub(crate) const POSTGRES_MIGRATIONS: &[SchemaMigration] = &[$(SchemaMigration {
            number: $number,
            description: $description,
            oldest_program: migrations!(@oldest postgres $number $($oldest $($only)?)?),
            sql: include_str!(concat!("postgres/schema/", $number, ".sql")),
        },)*];
    };
}

// A step that was released is never changed. `beside` names the newest step that the oldest program knows which may work
// on the schema from this step on: CONTRIBUTING.md says when that is so. Without it, every older program is refused, and the
// step waits until none is at work; so it is on SQLite, too, with `on postgres`. The first fourteen are of a time when
// programs refused whatever was newer.
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
    15 "money that vendors give back" beside 14,
    16 "shorter indexes on SQLite" beside 15,
    17 "fewer pages for a sale on SQLite" beside 16 on postgres,
}

/// A step of a schema. One that was released is never changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SchemaMigration {
    /// Its place among the steps.
    pub number: i64,
    /// What it brings.
    pub description: &'static str,
    /// The newest step that the oldest program knows which may work with what this step leaves. It is noted in the
    /// database with the step, where programs look that do not know the step.
    pub(crate) oldest_program: i64,
    /// Its statements.
    pub(crate) sql: &'static str,
}

impl SchemaMigration {
    /// Whether no older program may meet it: it is applied while none is at work.
    pub(crate) fn wants_no_other(&self) -> bool {
        self.number > 1 && self.oldest_program == self.number
    }
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

/// What is noted of the steps of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotedSchema {
    /// The newest step; 0 where there is none.
    pub(crate) number: i64,
    /// The step that a program must know which works with it. Steps that older programs have noted name none: then it is
    /// the step itself.
    pub(crate) oldest_program: i64,
}

impl NotedSchema {
    /// Refuses a schema that is too new for a program with these steps. One that is newer, and has no step which would be
    /// harmed by this program or would harm it, is fine.
    pub(crate) fn require_usable(self, steps: &[SchemaMigration]) -> Result<(), StoreError> {
        self.require_known(steps, self.oldest_program)
    }

    /// Refuses a schema with a step that these do not have: what is in it would be left out.
    pub(crate) fn require_all_known(self, steps: &[SchemaMigration]) -> Result<(), StoreError> {
        self.require_known(steps, self.number)
    }

    fn require_known(self, steps: &[SchemaMigration], needed: i64) -> Result<(), StoreError> {
        let known = latest_number(steps);
        if needed > known { Err(StoreError::NewerSchema { found: self.number, needed, known }) } else { Ok(()) }
    }
}

/// A step of a later release, which adds to the schema and lets programs of this one go on.
#[cfg(any(test, feature = "scratch"))]
pub(crate) fn next_step(steps: &[SchemaMigration], sql: &'static str) -> SchemaMigration {
    let latest = latest_number(steps);
    SchemaMigration { number: latest + 1, description: "of a test", oldest_program: latest, sql }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_are_numbered_from_one_on() {
        for steps in [SQLITE_MIGRATIONS, POSTGRES_MIGRATIONS] {
            assert!(steps.iter().map(|step| step.number).eq((1..).take(steps.len())), "{steps:?}");
            assert_eq!(latest_number(steps), i64::try_from(steps.len()).unwrap());
            assert!(steps.iter().all(|step| (1..=step.number).contains(&step.oldest_program)), "{steps:?}");
        }
    }

    #[test]
    fn a_step_may_stop_older_programs_on_sqlite_alone() {
        let oldest = |steps: &[SchemaMigration]| steps.iter().find(|step| step.number == 17).unwrap().oldest_program;
        assert_eq!([oldest(SQLITE_MIGRATIONS), oldest(POSTGRES_MIGRATIONS)], [17, 16]);
    }

    #[test]
    fn a_program_works_with_newer_steps_that_let_it() {
        let steps = &SQLITE_MIGRATIONS[..3];
        let usable = |number, oldest_program| NotedSchema { number, oldest_program }.require_usable(steps);
        let refused = |found, needed| Err(StoreError::NewerSchema { found, needed, known: 3 });
        assert_eq!([usable(0, 0), usable(3, 3), usable(4, 3), usable(9, 1)], [Ok(()), Ok(()), Ok(()), Ok(())]);
        assert_eq!([usable(4, 4), usable(9, 5)], [refused(4, 4), refused(9, 5)]);
        let known = |number| NotedSchema { number, oldest_program: 1 }.require_all_known(steps);
        assert_eq!([known(3), known(4)], [Ok(()), refused(4, 4)]);
    }
}
