//! Moves lanes by hand while callers wait for them.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use kassa_engine::ManualLane;

/// Tasks of the runtime that are given up need so many looks at it until all have noticed: it runs 61 at a time.
const YIELDS: u32 = 16;

/// Works off what somebody has asked for who is gone by now.
pub(crate) async fn drain_lanes(lanes: &mut [ManualLane]) {
    for lane in lanes {
        for _ in 0..YIELDS {
            tokio::task::yield_now().await;
        }
        while poll_fn(|cx| Poll::Ready(lane.poll_waiting(cx).is_ready())).await {
            lane.run_batch().await;
        }
    }
}

/// Callers that wait at the same time, in the order in which they came.
pub(crate) struct ConcurrentCalls<'a, T> {
    waiting: Vec<PendingCall<'a, T>>,
}

struct PendingCall<'a, T> {
    call: Pin<Box<dyn Future<Output = T> + 'a>>,
    answer: Option<T>,
    /// Whether it has given a command to a lane, and not just looked something up.
    has_sent_command: bool,
}

impl<'a, T> ConcurrentCalls<'a, T> {
    /// These calls, of which none has begun.
    pub(crate) fn new<F: Future<Output = T> + 'a>(calls: impl IntoIterator<Item = F>) -> Self {
        let waiting =
            calls.into_iter().map(|call| PendingCall { call: Box::pin(call), answer: None, has_sent_command: false });
        Self { waiting: waiting.collect() }
    }

    /// Lets all go on until each has its answer or waits for a lane; then the lanes work, and so on. Stops before the
    /// lanes have worked more than `rounds` times.
    pub(crate) async fn advance(&mut self, lanes: &mut [ManualLane], mut rounds: u32) {
        while self.poll_until_blocked(lanes).await && rounds > 0 {
            rounds -= 1;
            for lane in &mut *lanes {
                lane.run_batch().await;
            }
        }
    }

    /// Lets all go on as far as they get without a lane. Whether one of them waits for a lane then.
    async fn poll_until_blocked(&mut self, lanes: &mut [ManualLane]) -> bool {
        poll_fn(|cx| {
            for caller in self.waiting.iter_mut().filter(|caller| caller.answer.is_none()) {
                let waiting = commands_waiting(lanes);
                if let Poll::Ready(answer) = caller.call.as_mut().poll(cx) {
                    caller.answer = Some(answer);
                }
                caller.has_sent_command |= commands_waiting(lanes) > waiting;
            }
            if self.waiting.iter().all(|caller| caller.answer.is_some()) {
                return Poll::Ready(false);
            }
            // All are asked, so that whichever gets something wakes this.
            let mut is_waited_for = false;
            for lane in &mut *lanes {
                is_waited_for |= lane.poll_waiting(cx).is_ready();
            }
            if is_waited_for { Poll::Ready(true) } else { Poll::Pending }
        })
        .await
    }

    /// Which of them have sent a command and have no answer yet. Others still look something up: on SQLite, a thread
    /// does that meanwhile.
    pub(crate) fn in_queue(&self) -> Vec<bool> {
        self.waiting.iter().map(|caller| caller.has_sent_command && caller.answer.is_none()).collect()
    }

    /// What they were answered, as far as they were.
    pub(crate) fn answers(self) -> Vec<Option<T>> {
        self.waiting.into_iter().map(|caller| caller.answer).collect()
    }
}

fn commands_waiting(lanes: &[ManualLane]) -> usize {
    lanes.iter().map(ManualLane::waiting).sum()
}
