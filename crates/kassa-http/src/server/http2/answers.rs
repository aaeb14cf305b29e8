//! Answers that share a connection: a client takes each of them, and all of them fast enough. By HTTP/1 that is seen where
//! bytes are written; here a client may read all that is written, and leave answers where they are.

use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use parking_lot::Mutex;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::super::write_timeout::BYTES_PER_SECOND_MIN;

/// So much of an answer is handed over at a time, in bytes: what is handed over waits for the client outside of all budgets.
const PIECE_BYTES: usize = 16 * 1024;
/// How often it is looked at.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// Instead of a time: nothing waits for the client.
const NOT_WAITING: u64 = u64::MAX;

/// The answers of a connection.
pub(in super::super) struct SharedAnswers {
    start: Instant,
    stall_max: Duration,
    /// What was taken of all of them.
    bytes: AtomicU64,
    answers: Mutex<Vec<Weak<WaitingAnswer>>>,
}

/// Since when the next piece of an answer has waited, in milliseconds from the start of its connection.
struct WaitingAnswer(AtomicU64);

impl SharedAnswers {
    pub(in super::super) fn new(stall_max: Duration) -> Arc<Self> {
        Arc::new(Self { start: Instant::now(), stall_max, bytes: AtomicU64::default(), answers: Mutex::default() })
    }

    /// Watches an answer from now on.
    pub(in super::super) fn watch(self: &Arc<Self>, body: Body) -> Body {
        if body.is_end_stream() {
            return body;
        }
        let waiting = Arc::new(WaitingAnswer(AtomicU64::new(self.now_ms())));
        let mut answers = self.answers.lock();
        answers.retain(|answer| answer.strong_count() > 0);
        answers.push(Arc::downgrade(&waiting));
        drop(answers);
        Body::new(PacedBody { body, rest: Bytes::new(), waiting, shared: Arc::clone(self) })
    }

    /// Ready when the client has taken nothing of one of them for too long, or too little of all.
    pub(in super::super) async fn stalled(&self) {
        let mut looks = interval(LOOK_INTERVAL);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut patience, mut looked_at, mut bytes) = (self.stall_max, Instant::now(), 0);
        loop {
            let now = looks.tick().await;
            let taken = self.bytes.load(Ordering::Relaxed);
            let gained = Duration::from_millis((taken - bytes) * 1_000 / u64::from(BYTES_PER_SECOND_MIN));
            let longest = self.longest_wait();
            if longest > Duration::ZERO {
                patience = patience.saturating_sub(now - looked_at);
            }
            patience = (patience + gained).min(self.stall_max);
            (looked_at, bytes) = (now, taken);
            if longest > self.stall_max || patience.is_zero() {
                return;
            }
        }
    }

    fn longest_wait(&self) -> Duration {
        let now_ms = self.now_ms();
        let answers = self.answers.lock();
        let since = answers.iter().filter_map(|answer| Some(answer.upgrade()?.0.load(Ordering::Relaxed))).min();
        // None waits for the client: what is made, or waits for an event, is not late.
        Duration::from_millis(since.map_or(0, |since| now_ms.saturating_sub(since)))
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX - 1)
    }
}

/// An answer in pieces, each of which waits until the client has room for it.
struct PacedBody {
    body: Body,
    /// Of the last piece, what is not handed over yet.
    rest: Bytes,
    waiting: Arc<WaitingAnswer>,
    shared: Arc<SharedAnswers>,
}

impl HttpBody for PacedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            match Pin::new(&mut self.body).poll_frame(cx) {
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(bytes) => self.rest = bytes,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
                other @ (Poll::Ready(_) | Poll::Pending) => {
                    self.waiting.0.store(NOT_WAITING, Ordering::Relaxed);
                    return other;
                }
            }
        }
        let length = self.rest.len().min(PIECE_BYTES);
        let piece = self.rest.split_to(length);
        self.shared.bytes.fetch_add(length as u64, Ordering::Relaxed);
        self.waiting.0.store(self.shared.now_ms(), Ordering::Relaxed);
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let mut hint = self.body.size_hint();
        let rest = self.rest.len() as u64;
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper + rest);
        }
        hint.set_lower(hint.lower() + rest);
        hint
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;

    use super::*;

    const STALL_MAX: Duration = Duration::from_secs(30);

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_nobody_takes_ends_its_connection() {
        let answers = SharedAnswers::new(STALL_MAX);
        let body = answers.watch(Body::from(vec![0; 1024 * 1024]));
        let start = Instant::now();
        answers.stalled().await;
        assert!((29..=32).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
        drop(body);
    }

    #[tokio::test(start_paused = true)]
    async fn who_takes_a_little_of_one_answer_now_and_then_is_too_slow() {
        let answers = SharedAnswers::new(STALL_MAX);
        let left = answers.watch(Body::from(vec![0; 1024 * 1024]));
        let mut taken = answers.watch(Body::from(vec![0; 1024 * 1024]));
        let start = Instant::now();
        let take = async {
            loop {
                tokio::time::sleep(Duration::from_secs(10)).await;
                let frame = taken.frame().await.unwrap().unwrap();
                assert_eq!(frame.into_data().unwrap().len(), PIECE_BYTES);
            }
        };
        tokio::select! {
            () = answers.stalled() => {}
            () = take => {}
        }
        assert!((29..=33).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
        drop(left);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_not_made_yet_is_not_late() {
        let answers = SharedAnswers::new(STALL_MAX);
        let never = Body::from_stream(futures_util::stream::pending::<Result<Bytes, std::io::Error>>());
        let mut never = answers.watch(never);
        let mut whole = answers.watch(Body::from(vec![7; 40_000]));
        assert_eq!(whole.size_hint().exact(), Some(40_000));
        let mut lengths = Vec::new();
        while let Some(frame) = whole.frame().await {
            lengths.push(frame.unwrap().into_data().unwrap().len());
        }
        assert_eq!(lengths, [16_384, 16_384, 7_232]);
        drop(whole);
        tokio::select! {
            () = answers.stalled() => panic!("it waits for what happens"),
            _ = never.frame() => panic!("nothing happens"),
            () = tokio::time::sleep(Duration::from_hours(1)) => {}
        }
    }
}
