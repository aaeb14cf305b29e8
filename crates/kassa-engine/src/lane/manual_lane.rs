//! A lane without a thread, for simulation: it does nothing until the test runs its next batch. Batches run as they do
//! on every lane.

use std::task::{Context, Poll};

use super::{Lane, TaskQueue};

/// A lane that runs a batch on request; see [`crate::Engine::start_manual`].
pub struct ManualLane {
    lane: Lane,
    queue: TaskQueue,
}

impl ManualLane {
    pub(crate) fn new(lane: Lane, queue: TaskQueue) -> Self {
        Self { lane, queue }
    }

    /// Ready when a command waits for it.
    pub fn poll_waiting(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.queue.poll_any(cx)
    }

    /// How many commands wait for it.
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Runs one batch of what waits now, if anything does; whoever is in it has its answer then. Heavy commands make no
    /// pauses: what happens does not depend on how long anything takes.
    pub async fn run_batch(&mut self) {
        let Some(batch) = self.queue.take_batch() else { return };
        self.lane.serve_batch(batch, &mut self.queue).await;
        self.lane.wait_for_replies().await;
    }

    /// Simulates a pause of the program: commands that are waiting now are late.
    pub fn simulate_pause(&self) {
        self.lane.shared.pause_detector.record_pause();
    }

    /// Releases its number and ends.
    pub async fn close(mut self) {
        self.lane.release_number().await;
    }
}
