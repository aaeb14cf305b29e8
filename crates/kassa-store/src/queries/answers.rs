//! Answers that are kept.

use std::cmp::Ordering;

use kassa_domain::Timestamp;
use kassa_domain::once::KeptAnswer;

use super::{Conditions, Filter};
use crate::memory::Tables;

/// Answers that have been kept since then or longer, the oldest first.
#[derive(Clone, Copy, Debug)]
pub struct OldAnswers {
    /// Since when.
    pub till: Timestamp,
}

impl Filter for OldAnswers {
    type Row = KeptAnswer;
    const ORDER: &'static str = "kept_at, digest";

    fn conditions(&self, sql: &mut Conditions) {
        sql.add("kept_at <= ?", [self.till.ms().into()]);
    }

    fn passes(&self, answer: &KeptAnswer, _: &Tables) -> bool {
        answer.kept_at <= self.till
    }

    fn compare(&self, one: &KeptAnswer, other: &KeptAnswer) -> Ordering {
        (one.kept_at, one.key.digest).cmp(&(other.kept_at, other.key.digest))
    }
}
