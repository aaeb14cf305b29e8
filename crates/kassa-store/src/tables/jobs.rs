//! Jobs.

use kassa_domain::Id;
use kassa_domain::job::Job;

use crate::cell::json_cell;
use crate::lists::{Conditions, Filter, SortKey};
use crate::rows::{read_tag, read_time, table};

table! { Job, "jobs", |row, source| {
    Key Int "id": key = source.int()?, row.id.key();
    Tag Int "tag": tag = read_tag(source)?, row.id.tag().to_i64();
    Mutable Json "kind": kind = source.json()?, json_cell(&row.kind);
    Mutable Int "lease_node": lease_node = source.int_or_null()?, row.lease_node.map(i64::from);
    Mutable Int "lease_till": lease_till = read_time(source)?, row.lease_till.ms();
} => Job {
    id: Id::with_tag(tag, key),
    kind,
    lease_node: lease_node.and_then(|node| u16::try_from(node).ok()),
    lease_till,
} }

/// All jobs, oldest first.
#[derive(Clone, Copy, Debug)]
pub struct JobsFilter;

impl Filter for JobsFilter {
    type Row = Job;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Ascending("id")]
    }

    fn conditions(&self, _: &mut Conditions) {}
}
