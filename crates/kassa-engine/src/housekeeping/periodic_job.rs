//! What periodic jobs have in common: the loop around their rounds, and a command for each due row.

use std::time::Duration;

use futures_util::future::join_all;
use kassa_domain::{Actor, Command, Refusal, Timestamp};
use kassa_store::{Filter, PageWindow};
use tokio::sync::{Notify, watch};

use super::failure_log::FailureLog;
use crate::engine::Engine;
use crate::failure::Failure;

/// Due rows that are read at a time.
pub(super) const DUE_ROWS_MAX: u32 = 500;

/// A job that a server does at intervals.
pub(super) trait PeriodicJob: Send + Sync + 'static {
    /// What the log and the metrics call it.
    const NAME: &'static str;
    /// The longest time from the end of one round to the start of the next.
    const INTERVAL: Duration;
    /// Whether the interval is shortened by up to a fifth, at random: servers that start together do not look at the
    /// same rows at the same time.
    const HAS_JITTER: bool = false;

    /// Starts a round at once, before the interval has passed. The first round is then at the start of the server.
    fn signal(engine: &Engine) -> Option<&Notify> {
        let _ = engine;
        None
    }

    /// Does what is due now, and returns how many rows that were, as the log and the metrics tell. It may be dropped at any time, and run on several
    /// servers at once.
    fn round(&self, engine: &Engine) -> impl Future<Output = Result<u64, Failure>> + Send;
}

/// Runs a job until `stopped` changes.
pub(super) async fn run_periodically<J: PeriodicJob>(job: J, engine: Engine, mut stopped: watch::Receiver<bool>) {
    let signal = J::signal(&engine);
    if let Some(signal) = signal {
        signal.notify_one();
    }
    let metrics = engine.inner.shared.metrics.periodic_job(J::NAME);
    let mut failures = FailureLog::new(J::NAME);
    loop {
        tokio::select! {
            () = notified(signal) => {}
            () = tokio::time::sleep(next_interval::<J>(&engine)) => {}
            _ = stopped.changed() => return,
        }
        // There may be much to do, and lanes may be busy.
        let result = tokio::select! {
            result = job.round(&engine) => result,
            _ = stopped.changed() => return,
        };
        metrics.record(&result);
        if let Some(rows @ 1..) = failures.record(result) {
            tracing::debug!(job = J::NAME, rows, "a round of housekeeping ended");
        }
    }
}

/// Ready when the signal is given; without one, never.
async fn notified(signal: Option<&Notify>) {
    match signal {
        Some(signal) => signal.notified().await,
        None => std::future::pending().await,
    }
}

fn next_interval<J: PeriodicJob>(engine: &Engine) -> Duration {
    if !J::HAS_JITTER {
        return J::INTERVAL;
    }
    J::INTERVAL.mul_f64(1.0 - 0.2 * f64::from(engine.random_u32()) / f64::from(u32::MAX))
}

impl Engine {
    /// Executes commands for all rows that are due now, a page of them at a time, until a page is not full. `commands`
    /// makes them from a page; their outcome is a number of rows, and the sum of these is returned. The rows that they
    /// leave are due no more. A command that is refused as stale is left to a later round.
    pub(super) async fn execute_due<F, C, Commands>(
        &self,
        due: impl Fn(Timestamp) -> F + Send,
        commands: impl Fn(Vec<F::Row>) -> Commands + Send,
    ) -> Result<u64, Failure>
    where
        F: Filter,
        C: Command<Outcome: Copy + Into<u64>>,
        Commands: IntoIterator<Item = C>,
    {
        let mut done = 0;
        loop {
            let page = self.page(due(self.now()), PageWindow::first(DUE_ROWS_MAX)).await?.rows;
            let is_full = page.len() == DUE_ROWS_MAX as usize;
            done += self.execute_all(commands(page)).await?;
            if !is_full {
                return Ok(done);
            }
        }
    }

    /// Executes commands of the system, and returns the sum of their outcomes. One that is refused as stale is left to a
    /// later round.
    pub(super) async fn execute_all<C>(&self, commands: impl IntoIterator<Item = C>) -> Result<u64, Failure>
    where
        C: Command<Outcome: Copy + Into<u64>>,
    {
        // All at once, so that they share batches.
        let running = commands.into_iter().map(|command| {
            self.execute(&Actor::System, command, |_, outcome: &C::Outcome| -> u64 { (*outcome).into() })
        });
        let running: Vec<_> = running.collect();
        let mut done = 0;
        for result in join_all(running).await {
            match result {
                Ok(rows) => done += rows,
                Err(Failure::Refused(Refusal::Stale)) => {}
                Err(failure) => return Err(failure),
            }
        }
        Ok(done)
    }
}
