//! Jobs.

use kassa_domain::job::Job;

use super::{Conditions, Filter};

/// All jobs, oldest first.
#[derive(Clone, Copy, Debug)]
pub struct JobsFilter;

impl Filter for JobsFilter {
    type Row = Job;
    const ORDER: &'static str = "id";

    fn conditions(&self, _: &mut Conditions) {}
}
