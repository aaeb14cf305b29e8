//! Failures of a background task in the log.

use crate::failure::Failure;

/// Logs the first failure of a task and its recovery, and not every attempt between: while the database is
/// unavailable, each attempt fails.
pub(super) struct FailureLog {
    task: &'static str,
    is_failing: bool,
}

impl FailureLog {
    /// The log of a task, by the name that its lines begin with.
    pub(super) fn new(task: &'static str) -> Self {
        Self { task, is_failing: false }
    }

    /// The value of a success.
    pub(super) fn record<T>(&mut self, result: Result<T, Failure>) -> Option<T> {
        let task = self.task;
        match &result {
            Ok(_) if self.is_failing => tracing::info!("{task} recovered"),
            Err(failure) if self.is_failing => tracing::debug!(%failure, "{task} still failing"),
            Err(failure) => tracing::warn!(%failure, "{task} failed; retrying"),
            Ok(_) => {}
        }
        self.is_failing = result.is_err();
        result.ok()
    }
}
