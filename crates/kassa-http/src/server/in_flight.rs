//! Requests that are being answered: what a server that stops waits for.

use std::convert::Infallible;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::response::Response;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use kassa_store::memory_budget::MemoryGrant;
use tokio::sync::Notify;

use super::connections::BusyConnection;

/// What a request takes until its answer is sent: its connection, and room for its head where others share that.
pub(crate) type TakenByRequest = (Option<BusyConnection>, Option<MemoryGrant>);

/// Counts requests from their whole head to the end of their answer. Clones count together.
#[derive(Clone, Default)]
pub(crate) struct InFlight(Arc<Count>);

#[derive(Default)]
struct Count {
    under_way: AtomicUsize,
    /// None is under way any more.
    idle: Notify,
}

impl InFlight {
    /// Counts a request while it is being answered, and keeps with it what it takes.
    pub(crate) fn track<F>(
        &self,
        answer: F,
        takes: TakenByRequest,
    ) -> impl Future<Output = Result<Response, Infallible>> + use<F>
    where
        F: Future<Output = Result<Response, Infallible>>,
    {
        let place = (InFlightGuard::enter(&self.0), takes);
        async move { answer.await.map(|response| response.map(|body| Body::new(CountedBody { body, _place: place }))) }
    }

    /// Counts something else while it is there.
    pub(crate) fn enter(&self) -> InFlightGuard {
        InFlightGuard::enter(&self.0)
    }

    /// Ready when none is under way.
    pub(crate) async fn wait_until_idle(&self) {
        loop {
            let mut idle = pin!(self.0.idle.notified());
            // What ends after one has looked is not missed.
            idle.as_mut().enable();
            if self.0.under_way.load(Ordering::Acquire) == 0 {
                return;
            }
            idle.await;
        }
    }
}

pub(crate) struct InFlightGuard(Arc<Count>);

impl InFlightGuard {
    fn enter(count: &Arc<Count>) -> Self {
        count.under_way.fetch_add(1, Ordering::AcqRel);
        Self(Arc::clone(count))
    }
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        if self.0.under_way.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.0.idle.notify_waiters();
        }
    }
}

/// A body that keeps its request's place until it is sent.
struct CountedBody {
    body: Body,
    _place: (InFlightGuard, TakenByRequest),
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
