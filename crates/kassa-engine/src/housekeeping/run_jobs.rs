//! Steps of jobs: rows for work that is longer than one command.
//!
//! Organizers take turns, and within an organizer its jobs do: neither one with large sets nor a job that fails holds up
//! the others. A step runs on the account of its organizer, as its requests do, so that what is heavy waits its turn in
//! the lanes, too. Each time a step ends, or a job is created, whose turn it is is looked for anew.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use kassa_domain::ReadSet;
use kassa_domain::job::{Job, JobId, JobKind, JobProgress};
use kassa_domain::set::AdvanceSetResize;
use kassa_store::PageWindow;
use kassa_store::queries::JobsFilter;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::periodic_job::PeriodicJob;
use crate::caller::CallerRef;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::tenant::Tenant;

/// Steps that are under way at the same time, one of each organizer: there may be several lanes.
const STEPS_MAX: usize = 16;
/// Jobs of an organizer that are read at a time.
const PAGE_JOBS: u32 = 32;
/// How long a round takes at most, about: what it came to is told after it, and what is left is for the next.
const ROUND_MAX: Duration = Duration::from_secs(10);
/// How long a job that could not be worked on is left alone.
const REST: Duration = Duration::from_secs(2);

pub(super) struct RunJobs;

impl PeriodicJob for RunJobs {
    const NAME: &'static str = "run_jobs";
    /// Jobs of a server that was killed are found by looking, others are signalled by the batch that creates them.
    const INTERVAL: Duration = Duration::from_secs(2);

    fn signal(engine: &Engine) -> Option<&Notify> {
        Some(&engine.inner.shared.signals.jobs)
    }

    async fn round(&self, engine: &Engine) -> Result<u64, Failure> {
        engine.run_jobs_for(ROUND_MAX).await
    }
}

/// Whose turn it is, and which of its jobs is next.
struct JobTurns {
    /// The turn of the last job that was taken; -1 is before all.
    last_turn: i64,
    /// The key of the last job that was taken of each organizer, by their turns.
    last_keys: BTreeMap<i64, i64>,
    /// The turns of the jobs that are being worked on.
    running: BTreeSet<i64>,
    /// Until when jobs are left alone.
    resting: BTreeMap<JobId, Instant>,
}

impl JobTurns {
    fn new() -> Self {
        let (last_keys, running, resting) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
        Self { last_turn: -1, last_keys, running, resting }
    }

    /// The next job of the next organizer, if there is one that can be worked on.
    async fn take(&mut self, engine: &Engine) -> Result<Option<Job>, Failure> {
        let now = Instant::now();
        self.resting.retain(|_, until| *until > now);
        // Behind the last turn, then from the first on.
        for (first, last) in [(self.last_turn, i64::MAX), (-1, self.last_turn)] {
            let mut turn = first;
            while let Some(job) = jobs_behind(engine, (turn, i64::MAX), 1).await?.pop() {
                turn = job.turn();
                if turn > last {
                    break;
                }
                if self.running.contains(&turn) {
                    continue;
                }
                if let Some(job) = self.take_of(turn, engine).await? {
                    self.last_turn = turn;
                    self.last_keys.insert(turn, job.id.key());
                    self.running.insert(turn);
                    return Ok(Some(job));
                }
            }
        }
        Ok(None)
    }

    /// The next job of an organizer that does not rest.
    async fn take_of(&self, turn: i64, engine: &Engine) -> Result<Option<Job>, Failure> {
        let last_key = self.last_keys.get(&turn).copied().unwrap_or(i64::MAX);
        for (first, last) in [(last_key, i64::MAX), (i64::MIN, last_key)] {
            let mut key = first;
            loop {
                let page = jobs_behind(engine, (turn, key), PAGE_JOBS).await?;
                let own = || page.iter().filter(|job| job.turn() == turn && job.id.key() <= last);
                if let Some(job) = own().find(|job| !self.resting.contains_key(&job.id)) {
                    return Ok(Some(job.clone()));
                }
                match own().next_back().filter(|_| own().count() == PAGE_JOBS as usize) {
                    Some(last) => key = last.id.key(),
                    None => break,
                }
            }
        }
        Ok(None)
    }

    /// A step has ended. A job without progress is left alone for a while.
    fn record(&mut self, job: &Job, has_progress: bool) {
        self.running.remove(&job.turn());
        if !has_progress {
            self.resting.insert(job.id, Instant::now() + REST);
        }
    }
}

/// Jobs behind a turn and a key.
async fn jobs_behind(engine: &Engine, (after_turn, after_key): (i64, i64), limit: u32) -> Result<Vec<Job>, Failure> {
    Ok(engine.page(JobsFilter { after_turn, after_key }, PageWindow::first(limit)).await?.rows)
}

impl Engine {
    /// Works on jobs until there is none that this server may work on, and returns the number of steps.
    pub async fn run_jobs(&self) -> Result<u64, Failure> {
        self.run_jobs_for(Duration::MAX).await
    }

    async fn run_jobs_for(&self, time_max: Duration) -> Result<u64, Failure> {
        let started_at = Instant::now();
        let (mut turns, mut running) = (JobTurns::new(), FuturesUnordered::new());
        let (mut steps, mut failed) = (0, None);
        loop {
            let is_late = started_at.elapsed() > time_max;
            while running.len() < STEPS_MAX
                && !is_late
                && let Some(job) = turns.take(self).await?
            {
                running.push(async move { (self.run_job_step(&job).await, job) });
            }
            if running.is_empty() {
                if is_late {
                    self.inner.shared.signals.jobs.notify_one();
                }
                return failed.map_or(Ok(steps), Err);
            }
            let (progress, job) = tokio::select! {
                biased;
                Some(ended) = running.next() => ended,
                () = self.inner.shared.signals.jobs.notified(), if !is_late => continue,
            };
            let has_progress = matches!(progress, Ok(JobProgress::HasMore | JobProgress::Done));
            turns.record(&job, has_progress);
            steps += u64::from(has_progress);
            // An organizer whose own requests fill the queue waits for them.
            if let Err(failure) = progress
                && !matches!(failure, Failure::Busy | Failure::TooManyHeavy)
            {
                failed = Some(failure);
            }
        }
    }

    async fn run_job_step(&self, job: &Job) -> Result<JobProgress, Failure> {
        let by = CallerRef::system_for(job.organizer.map_or(Tenant::System, Tenant::Partner));
        match job.kind {
            JobKind::Resize { event, set } => {
                let view = self.view(&ReadSet { sets_of: vec![event], ..ReadSet::default() }).await?;
                let command = AdvanceSetResize::from_view(job.id, event, set, &view);
                self.execute(by, command, |_, progress| *progress).await
            }
            // Its row says how far it has come.
            JobKind::Refund { .. } => self.refund_next_orders(by, job.id).await,
        }
    }
}
