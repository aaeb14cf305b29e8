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

/// So much of an answer is handed over at a time, in bytes.
const PIECE_BYTES: usize = 16 * 1024;
/// How often it is looked at.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// The answers of a connection.
pub(in super::super) struct SharedAnswers {
    start: Instant,
    stall_max: Duration,
    /// What was taken of all of them, in bytes.
    taken: AtomicU64,
    answers: Mutex<Vec<Weak<HeldAnswer>>>,
}

/// An answer with all that it keeps, until the last of its bytes is written. A client that gives no room for it has it held
/// by the protocol, where its body alone would be gone.
struct HeldAnswer {
    body: Mutex<Body>,
    pieces: Mutex<HeldPieces>,
    shared: Arc<SharedAnswers>,
}

/// Pieces that were handed over and are not written yet.
#[derive(Default)]
struct HeldPieces {
    count: usize,
    /// When the first of them was handed over, or one of them was written: in milliseconds from the start of the connection.
    since_ms: u64,
}

impl SharedAnswers {
    pub(in super::super) fn new(stall_max: Duration) -> Arc<Self> {
        Arc::new(Self { start: Instant::now(), stall_max, taken: AtomicU64::default(), answers: Mutex::default() })
    }

    /// Watches an answer from now on.
    pub(in super::super) fn watch(self: &Arc<Self>, body: Body) -> Body {
        if body.is_end_stream() {
            return body;
        }
        let (body, pieces, shared) = (Mutex::new(body), Mutex::default(), Arc::clone(self));
        let answer = Arc::new(HeldAnswer { body, pieces, shared });
        let mut answers = self.answers.lock();
        answers.retain(|answer| answer.strong_count() > 0);
        answers.push(Arc::downgrade(&answer));
        drop(answers);
        Body::new(PacedBody { answer, rest: Bytes::new() })
    }

    /// Ready when the client has taken nothing of one of them for too long, or too little of all.
    pub(in super::super) async fn stalled(&self) {
        let mut looks = interval(LOOK_INTERVAL);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut patience, mut looked_at, mut bytes) = (self.stall_max, Instant::now(), 0);
        loop {
            let now = looks.tick().await;
            let taken = self.taken.load(Ordering::Relaxed);
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
        // Its last holder may be gone by the time it is dropped here, which has no lock of this list then.
        let answers: Vec<_> = self.answers.lock().iter().filter_map(Weak::upgrade).collect();
        // One of which nothing is held is made, or waits for an event: it is not late.
        let since = answers.iter().filter_map(|answer| answer.waiting_since_ms()).min();
        Duration::from_millis(since.map_or(0, |since| now_ms.saturating_sub(since)))
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl HeldAnswer {
    fn waiting_since_ms(&self) -> Option<u64> {
        let pieces = self.pieces.lock();
        (pieces.count > 0).then_some(pieces.since_ms)
    }

    fn hand_over(self: &Arc<Self>, bytes: Bytes) -> Bytes {
        let mut pieces = self.pieces.lock();
        if pieces.count == 0 {
            pieces.since_ms = self.shared.now_ms();
        }
        pieces.count += 1;
        drop(pieces);
        Bytes::from_owner(HeldPiece { bytes, answer: Arc::clone(self) })
    }
}

/// A piece of an answer, from when it is handed over until it is written.
struct HeldPiece {
    bytes: Bytes,
    answer: Arc<HeldAnswer>,
}

impl AsRef<[u8]> for HeldPiece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for HeldPiece {
    fn drop(&mut self) {
        let shared = &self.answer.shared;
        shared.taken.fetch_add(self.bytes.len() as u64, Ordering::Relaxed);
        let mut pieces = self.answer.pieces.lock();
        pieces.count -= 1;
        pieces.since_ms = shared.now_ms();
    }
}

/// An answer in pieces.
struct PacedBody {
    answer: Arc<HeldAnswer>,
    /// Of what its body has given last, what is not handed over yet.
    rest: Bytes,
}

impl HttpBody for PacedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            let polled = Pin::new(&mut *self.answer.body.lock()).poll_frame(cx);
            match polled {
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(bytes) => self.rest = bytes,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
                other @ (Poll::Ready(_) | Poll::Pending) => return other,
            }
        }
        let length = self.rest.len().min(PIECE_BYTES);
        let piece = self.rest.split_to(length);
        Poll::Ready(Some(Ok(Frame::data(self.answer.hand_over(piece)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.answer.body.lock().is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let mut hint = self.answer.body.lock().size_hint();
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

    async fn next_piece(body: &mut Body) -> Bytes {
        body.frame().await.unwrap().unwrap().into_data().unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_nobody_takes_ends_its_connection() {
        let answers = SharedAnswers::new(STALL_MAX);
        // All of it is handed over, and the body is gone: what is not written keeps it.
        let mut body = answers.watch(Body::from("short"));
        let piece = next_piece(&mut body).await;
        drop(body);
        let start = Instant::now();
        answers.stalled().await;
        assert!((29..=32).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
        assert_eq!(piece, "short");
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_is_kept_until_all_of_it_is_written() {
        let answers = SharedAnswers::new(STALL_MAX);
        let kept = Arc::new(());
        let own = Arc::clone(&kept);
        let source = futures_util::stream::once(async move { Ok::<_, std::io::Error>(Bytes::from_owner(Keeps(own))) });
        let mut body = answers.watch(Body::from_stream(source));
        let piece = next_piece(&mut body).await;
        drop(body);
        assert_eq!(Arc::strong_count(&kept), 2);
        drop(piece);
        assert_eq!((Arc::strong_count(&kept), answers.longest_wait()), (1, Duration::ZERO));
    }

    struct Keeps(#[expect(dead_code, reason = "it is counted")] Arc<()>);

    impl AsRef<[u8]> for Keeps {
        fn as_ref(&self) -> &[u8] {
            b"all of it"
        }
    }

    #[tokio::test(start_paused = true)]
    async fn who_takes_a_little_of_one_answer_now_and_then_is_too_slow() {
        let answers = SharedAnswers::new(STALL_MAX);
        let mut left = answers.watch(Body::from(vec![0; 1024 * 1024]));
        let mut taken = answers.watch(Body::from(vec![0; 1024 * 1024]));
        let _left = next_piece(&mut left).await;
        let start = Instant::now();
        let take = async {
            loop {
                tokio::time::sleep(Duration::from_secs(10)).await;
                assert_eq!(next_piece(&mut taken).await.len(), PIECE_BYTES);
            }
        };
        tokio::select! {
            () = answers.stalled() => {}
            () = take => {}
        }
        assert!((29..=33).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
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
