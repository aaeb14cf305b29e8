//! The memory of answers: from the first row that is read for one to the last byte that its client takes.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use axum::response::{IntoResponse as _, Response};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use kassa_engine::Failure;
use kassa_store::memory_budget::MemoryMeter;

use crate::error::ApiError;
use crate::response::ReplayedResponse;

/// How much of an answer is handed to its connection at a time: what is handed over is out of sight.
const FRAME_BYTES_MAX: usize = 64 * 1024;

/// Charges the body of an answer to the meter of its request, in place of the rows that it was made of: those are gone. If
/// there is no room for it, a read is refused, and so is an answer that was kept. But what was `changed` is told, and
/// counted all the same: its caller owes what there was no room for when it was rendered.
pub(super) fn charge(response: Response, changed: bool) -> Response {
    let Some(meter) = MemoryMeter::try_current() else { return response };
    let may_be_refused = may_be_refused(&response, changed);
    // A body that is streamed is charged to meters of its own, with the rows that it is still to be made of.
    let bytes = response.body().size_hint().exact().and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(0);
    // What a command has answered was charged when it was rendered.
    if may_be_refused && let Err(exceeded) = meter.charge(bytes) {
        meter.settle(0);
        return ApiError::from(Failure::from(exceeded)).into_response();
    }
    meter.settle(bytes);
    response
}

/// Takes room for an answer that is made, for as long as its client takes to read it. If there is none, it is refused, unless
/// something was `changed`.
pub(super) fn hold(response: Response, meter: &MemoryMeter, changed: bool) -> Response {
    let length = response.body().size_hint().exact().and_then(|bytes| usize::try_from(bytes).ok());
    // What was not charged is shared with others. A packed body counts unpacked: that is still in memory.
    let bytes = meter.charged().min(length.unwrap_or(usize::MAX));
    match meter.hold(bytes, may_be_refused(&response, changed)) {
        Ok(()) => response,
        Err(exceeded) => {
            meter.settle(0);
            ApiError::from(Failure::from(exceeded)).into_response()
        }
    }
}

/// Whether an answer may be refused: nothing was changed, or it was answered before, and can be asked for again.
fn may_be_refused(response: &Response, changed: bool) -> bool {
    !changed || !response.status().is_success() || response.extensions().get::<ReplayedResponse>().is_some()
}

/// The same response, which keeps what its request has taken until it is sent.
pub(super) fn keep_until_sent(response: Response, meter: Arc<MemoryMeter>) -> Response {
    if !meter.is_covered() {
        return response;
    }
    response.map(|body| Body::new(MeteredBody { body, rest: Bytes::new(), _meter: meter }))
}

/// A body that is handed over in small pieces, with the meter of what it takes.
struct MeteredBody {
    body: Body,
    /// What was taken of the body and not handed over yet.
    rest: Bytes,
    _meter: Arc<MemoryMeter>,
}

impl HttpBody for MeteredBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        while self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_frame(cx)).map(|frame| frame.map(Frame::into_data)) {
                Some(Ok(Ok(data))) => self.rest = data,
                Some(Ok(Err(trailers))) => return Poll::Ready(Some(Ok(trailers))),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
        let length = self.rest.len().min(FRAME_BYTES_MAX);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (rest, body) = (self.rest.len() as u64, self.body.size_hint());
        let mut hint = SizeHint::new();
        hint.set_lower(body.lower() + rest);
        if let Some(upper) = body.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}
