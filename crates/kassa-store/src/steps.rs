//! Steps of a schema: numbered from 1 on, with the same numbers for all databases, each applied once.

use std::fmt;

use crate::error::StoreError;

/// A step of a schema. One that was released is never changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// Its place among the steps.
    pub number: i64,
    /// What it brings.
    pub about: &'static str,
    /// Its statements.
    pub(crate) text: &'static str,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.number, self.about)
    }
}

/// The number of the newest step that this program knows.
pub(crate) fn newest(steps: &[Step]) -> i64 {
    steps.last().map_or(0, |step| step.number)
}

/// Refuses a schema that has a step which this program does not know.
pub(crate) fn refuse_newer(steps: &[Step], found: i64) -> Result<(), StoreError> {
    let known = newest(steps);
    if found > known { Err(StoreError::NewerSchema { found, known }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_databases_have_the_same_steps() {
        fn names(steps: &[Step]) -> Vec<(i64, &'static str)> {
            steps.iter().map(|step| (step.number, step.about)).collect()
        }
        let sqlite = names(crate::sqlite::STEPS);
        assert_eq!(sqlite, names(crate::postgres::STEPS));
        assert!(sqlite.iter().map(|(number, _)| *number).eq((1..).take(sqlite.len())), "{sqlite:?}");
        assert_eq!(newest(crate::sqlite::STEPS), i64::try_from(sqlite.len()).unwrap());
    }
}
