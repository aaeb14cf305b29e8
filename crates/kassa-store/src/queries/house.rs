//! The house's own lists.

use std::cmp::Ordering;

use kassa_domain::job::Job;

use super::{Conditions, Filter};
use crate::memory::Tables;

/// All jobs, oldest first.
#[derive(Clone, Copy, Debug)]
pub struct JobsFilter;

impl Filter for JobsFilter {
    type Row = Job;
    const ORDER: &'static str = "id";

    fn conditions(&self, _: &mut Conditions) {}

    fn passes(&self, _: &Job, _: &Tables) -> bool {
        true
    }

    fn compare(&self, one: &Job, other: &Job) -> Ordering {
        one.id.cmp(&other.id)
    }
}
