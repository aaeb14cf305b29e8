//! Jobs.

use kassa_domain::Id;
use kassa_domain::job::Job;

use crate::cell::json_cell;
use crate::lists::{Conditions, Filter, Predicate, SortKey};
use crate::rows::{read_tag, read_time, table};

table! { Job, "jobs", |row, source| {
    Key Int "id": key = source.int()?, row.id.key();
    Tag Int "tag": tag = read_tag(source)?, row.id.tag().to_i64();
    // Its turn is in the row of its event otherwise, too: so lists find it.
    Immutable Int "organizer": turn = source.int()?, row.turn();
    Mutable Json "kind": kind = source.json()?, json_cell(&row.kind);
    Mutable Int "lease_node": lease_node = source.int_or_null()?, row.lease_node.map(i64::from);
    Mutable Int "lease_till": lease_till = read_time(source)?, row.lease_till.ms();
} => Job {
    id: Id::with_tag(tag, key),
    organizer: (turn != 0).then_some(Id::root(turn)),
    kind,
    lease_node: lease_node.and_then(|node| u16::try_from(node).ok()),
    lease_till,
} }

/// Jobs by the turns of their organizers; of each organizer, the oldest first.
#[derive(Clone, Copy, Debug)]
pub struct JobsFilter {
    /// Only those behind a job of this turn, a [`Job::turn`]; -1 is before all.
    pub after_turn: i64,
    /// The key of that job; the largest that there is stands for all jobs of the turn.
    pub after_key: i64,
}

impl JobsFilter {
    /// All that there are.
    pub const ALL: Self = Self { after_turn: -1, after_key: i64::MAX };
}

impl Filter for JobsFilter {
    type Row = Job;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Ascending("organizer"), SortKey::Ascending("id")]
    }

    fn conditions(&self, conditions: &mut Conditions) {
        let last = vec![self.after_turn.into(), self.after_key.into()];
        conditions.add(Predicate::After(&["organizer", "id"], last));
    }
}
