//! What periodic jobs have done.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::{Counter, MetricsText};

/// The counters of all periodic jobs, by their names.
#[derive(Default)]
pub(super) struct PeriodicJobs(Mutex<BTreeMap<&'static str, Arc<PeriodicJobMetrics>>>);

/// The counters of one periodic job.
#[derive(Default)]
pub(crate) struct PeriodicJobMetrics {
    rows: Counter,
    failures: Counter,
}

impl PeriodicJobMetrics {
    /// Counts a round: the rows that it has done, or its failure.
    pub(crate) fn record<E>(&self, round: &Result<u64, E>) {
        match round {
            Ok(rows) => self.rows.add(*rows),
            Err(_) => self.failures.add(1),
        }
    }
}

impl PeriodicJobs {
    /// The counters of a job; jobs of one name share theirs.
    pub(super) fn get(&self, name: &'static str) -> Arc<PeriodicJobMetrics> {
        Arc::clone(self.0.lock().entry(name).or_default())
    }

    pub(super) fn write(&self, text: &mut MetricsText) {
        let jobs = self.0.lock();
        text.counter(
            "kassa_periodic_job_rows_total",
            "Rows that a periodic job has handled since the server started, in rounds that did not fail.",
        );
        for (name, job) in &*jobs {
            text.sample("kassa_periodic_job_rows_total", &[("job", name)], job.rows.get());
        }
        text.counter(
            "kassa_periodic_job_failures_total",
            "Rounds of a periodic job that failed since the server started.",
        );
        for (name, job) in &*jobs {
            text.sample("kassa_periodic_job_failures_total", &[("job", name)], job.failures.get());
        }
    }
}
