//! What passes the filters of queries/jobs.rs, and in which order.

use std::cmp::Ordering;

use crate::memory_tables::{FilterInMemory, MemoryTables};
use crate::queries::JobsFilter;
use kassa_domain::job::Job;

impl FilterInMemory<Job> for JobsFilter {
    fn matches(&self, _: &Job, _: &MemoryTables) -> bool {
        true
    }

    fn compare(&self, one: &Job, other: &Job) -> Ordering {
        one.id.cmp(&other.id)
    }
}
