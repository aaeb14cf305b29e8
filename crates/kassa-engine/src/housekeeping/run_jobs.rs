//! Steps of jobs: rows for work that is longer than one command.

use std::time::Duration;

use kassa_domain::job::{Job, JobKind, JobProgress};
use kassa_domain::set::AdvanceSetResize;
use kassa_domain::{Actor, ReadSet};
use kassa_store::PageWindow;
use kassa_store::queries::JobsFilter;
use tokio::sync::Notify;

use super::periodic_job::PeriodicJob;
use crate::engine::Engine;
use crate::failure::Failure;

/// Jobs that are read at a time, and worked on in one round.
const PAGE_JOBS: u32 = 1_000;
const ROUND_JOBS_MAX: usize = 100_000;

pub(super) struct RunJobs;

impl PeriodicJob for RunJobs {
    const NAME: &'static str = "run_jobs";
    /// Jobs of a server that was killed are found by looking, others are signalled by the batch that creates them.
    const INTERVAL: Duration = Duration::from_secs(2);

    fn signal(engine: &Engine) -> Option<&Notify> {
        Some(&engine.inner.shared.signals.jobs)
    }

    async fn round(&self, engine: &Engine) -> Result<u64, Failure> {
        engine.run_jobs().await
    }
}

impl Engine {
    /// Works on all jobs until none is left that this server may work on, and returns the number of steps. Each job in
    /// turn does a step, so that neither a long one nor one that fails holds up the others.
    pub async fn run_jobs(&self) -> Result<u64, Failure> {
        let (mut steps, mut failed) = (0, None);
        let mut jobs = self.pending_jobs().await?;
        while !jobs.is_empty() {
            let mut unfinished = Vec::new();
            for job in jobs {
                let progress = self.run_job_step(&job).await;
                steps += u64::from(matches!(progress, Ok(JobProgress::HasMore | JobProgress::Done)));
                match progress {
                    Ok(JobProgress::HasMore) => unfinished.push(job),
                    Ok(JobProgress::Done | JobProgress::LeasedElsewhere) => {}
                    Err(failure) => failed = Some(failure),
                }
            }
            jobs = unfinished;
        }
        failed.map_or(Ok(steps), Err)
    }

    async fn pending_jobs(&self) -> Result<Vec<Job>, Failure> {
        let mut jobs = Vec::new();
        loop {
            let window = PageWindow { limit: PAGE_JOBS, offset: jobs.len() as u64, with_total: false };
            let page = self.page(JobsFilter, window).await?;
            let is_last = page.rows.len() < PAGE_JOBS as usize;
            jobs.extend(page.rows);
            if is_last || jobs.len() >= ROUND_JOBS_MAX {
                return Ok(jobs);
            }
        }
    }

    async fn run_job_step(&self, job: &Job) -> Result<JobProgress, Failure> {
        match job.kind {
            JobKind::Resize { event, set } => {
                let view = self.view(&ReadSet { sets_of: vec![event], ..ReadSet::default() }).await?;
                let command = AdvanceSetResize::from_view(job.id, event, set, &view);
                self.execute(&Actor::System, command, |_, progress| *progress).await
            }
            // Its row says how far it has come.
            JobKind::Refund { .. } => self.refund_next_orders(job.id).await,
        }
    }
}
