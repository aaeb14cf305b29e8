//! The house's own lists.

use std::cmp::Ordering;

use kassa_domain::job::Job;

use super::{Conditions, Filter};
use crate::memory::MemoryTables;

/// All jobs, oldest first.
#[derive(Clone, Copy, Debug)]
pub struct JobsFilter;

impl Filter for JobsFilter {
    type Row = Job;
    const ORDER: &'static str = "id";

    fn conditions(&self, _: &mut Conditions) {}

    fn matches(&self, _: &Job, _: &MemoryTables) -> bool {
        true
    }

    fn compare(&self, one: &Job, other: &Job) -> Ordering {
        one.id.cmp(&other.id)
    }
}
