//! Steps of a schema: numbered from 1 on, with the same numbers for all databases, each applied once.

use std::fmt;

use crate::error::StoreError;

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
    fn both_databases_have_the_same_migrations() {
        fn names(steps: &[SchemaMigration]) -> Vec<(i64, &'static str)> {
            steps.iter().map(|step| (step.number, step.description)).collect()
        }
        let sqlite = names(crate::sqlite::MIGRATIONS);
        assert_eq!(sqlite, names(crate::postgres::MIGRATIONS));
        assert!(sqlite.iter().map(|(number, _)| *number).eq((1..).take(sqlite.len())), "{sqlite:?}");
        assert_eq!(latest_number(crate::sqlite::MIGRATIONS), i64::try_from(sqlite.len()).unwrap());
    }
}
