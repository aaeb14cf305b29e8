//! Bodies that an answer did not wait for. A client that is still sending when its answer comes hears
//! a broken connection in place of it: so what is left of a body is read and dropped first.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use http_body_util::BodyExt;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use parking_lot::Mutex;

/// The most that is dropped, in bytes; beyond it the connection is closed.
const DRAINED_BYTES_MAX: usize = 64 * 1024 * 1024;
/// How long that may take: the answer waits for it.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a client may stall.
const STALL_TIMEOUT: Duration = Duration::from_secs(10);

/// A request whose body can still be read when its handler has dropped it; a request without a body has no rest.
pub(crate) fn keep_drainable(request: Request) -> (Request, Option<BodyRemainder>) {
    if request.body().is_end_stream() {
        return (request, None);
    }
    let (parts, body) = request.into_parts();
    let shared = SharedBody::new(body);
    let rest = BodyRemainder(shared.clone());
    (Request::from_parts(parts, Body::new(shared)), Some(rest))
}

/// What a handler has left of a body.
pub(crate) struct BodyRemainder(SharedBody);

impl BodyRemainder {
    /// Reads and drops it, as far as it comes in time.
    pub(crate) async fn drain(self) {
        if self.0.is_end_stream() {
            return;
        }
        // Long, and not for every request. What comes later is no reason to keep the answer back.
        let _ = Box::pin(tokio::time::timeout(DRAIN_TIMEOUT, self.discard())).await;
    }

    async fn discard(mut self) {
        let mut dropped = 0;
        while dropped <= DRAINED_BYTES_MAX && !self.0.is_end_stream() {
            match tokio::time::timeout(STALL_TIMEOUT, self.0.frame()).await {
                Ok(Some(Ok(frame))) => dropped += frame.data_ref().map_or(0, Bytes::len),
                // It has ended, or broken, or stalls: there is nothing more to wait for.
                Ok(Some(Err(_)) | None) | Err(_) => break,
            }
        }
    }
}

/// A body that can still be read when the one who was given it has dropped it.
#[derive(Clone)]
struct SharedBody(Arc<Mutex<BodyState>>);

/// A body, and whether it has ended or broken: then it must not be asked again.
struct BodyState {
    body: Body,
    is_finished: bool,
}

impl SharedBody {
    fn new(body: Body) -> Self {
        Self(Arc::new(Mutex::new(BodyState { body, is_finished: false })))
    }
}

impl HttpBody for SharedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let mut watched = self.0.lock();
        let polled = Pin::new(&mut watched.body).poll_frame(cx);
        watched.is_finished |= matches!(polled, Poll::Ready(None | Some(Err(_))));
        polled
    }

    fn is_end_stream(&self) -> bool {
        let watched = self.0.lock();
        watched.is_finished || watched.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.lock().body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use axum::http::Request;
    use futures_util::StreamExt as _;
    use tokio::time::{Instant, sleep};

    use super::*;

    /// How long a body is waited for of which so many bytes come every `every`, `count` times.
    async fn drained(every: Duration, bytes: usize, count: usize) -> Duration {
        let piece = Bytes::from(vec![b' '; bytes]);
        let pieces = futures_util::stream::iter(0..count).then(move |_| {
            let piece = piece.clone();
            async move {
                sleep(every).await;
                Ok::<_, Infallible>(piece)
            }
        });
        let (request, rest) = keep_drainable(Request::new(Body::from_stream(pieces)));
        drop(request);
        let begun = Instant::now();
        rest.unwrap().drain().await;
        begun.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn draining_is_bounded_in_time_and_bytes() {
        let (second, ms) = (Duration::from_secs(1), Duration::from_millis(1));
        assert_eq!(drained(second, 1, 3).await, 3 * second, "all of it came");
        assert_eq!(drained(9 * second, 1, 1_000_000).await, DRAIN_TIMEOUT);
        assert_eq!(drained(11 * second, 1, 1_000_000).await, STALL_TIMEOUT);
        assert_eq!(drained(ms, 1024 * 1024, 1_000_000).await, 65 * ms, "it is too long");
    }
}
