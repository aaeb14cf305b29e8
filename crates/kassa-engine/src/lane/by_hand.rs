//! A lane that is moved by hand, for simulation: it has no thread, and so nothing happens between two steps but what
//! whoever moves it lets happen. What it does with a batch is what every lane does.

use std::task::{Context, Poll};

use super::{Lane, Queue};
use crate::task::Task;

/// A lane that works when it is told to; see [`crate::Engine::start_by_hand`].
pub struct LaneByHand {
    lane: Lane,
    queue: Queue,
    next: Option<Box<dyn Task>>,
}

impl LaneByHand {
    pub(crate) fn new(lane: Lane, queue: Queue) -> Self {
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
    pub async fn work(&mut self) {
        let Some(first) = self.next.take().or_else(|| self.queue.try_recv().ok()) else { return };
        self.lane.round(first, &mut self.next, &mut self.queue).await;
        self.lane.all_answered().await;
    }

    /// The program stands still now, as far as the lane can tell: what waits is late.
    pub fn stand_still(&self) {
        self.lane.common.pulse.stand_still();
    }

    /// Gives its number back, as the last thing that it does.
    pub async fn end(mut self) {
        self.lane.give_back().await;
    }
}
