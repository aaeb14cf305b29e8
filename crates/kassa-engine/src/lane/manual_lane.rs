//! A lane without a thread, for simulation: it does nothing until the test runs its next batch. Batches run as they do
//! on every lane.

use std::task::{Context, Poll};

use super::{Lane, TaskQueue};
use crate::task::Task;

/// A lane that runs a batch on request; see [`crate::Engine::start_manual`].
pub struct ManualLane {
    lane: Lane,
    queue: TaskQueue,
    next: Option<Box<dyn Task>>,
}

impl ManualLane {
    pub(crate) fn new(lane: Lane, queue: TaskQueue) -> Self {
        Self { lane, queue, next: None }
    }

    /// Ready when a command waits for it.
    pub fn poll_waiting(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.next.is_none() {
            let Poll::Ready(Some(task)) = self.queue.poll_recv(cx) else { return Poll::Pending };
            self.next = Some(task);
        }
        Poll::Ready(())
    }

    /// Runs one batch of all that waits now, if anything does; whoever waits for it has its answer then.
    pub async fn run_batch(&mut self) {
        let Some(first) = self.next.take().or_else(|| self.queue.try_recv().ok()) else { return };
        self.lane.serve_batch(first, &mut self.next, &mut self.queue).await;
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
