//! Requests to other programs, which can go on with the trace.

use reqwest::RequestBuilder;

use super::context::TRACEPARENT;
use super::span::TraceSpan;

/// A request to another program, if it is traced. It has failed unless it is taken.
pub(crate) struct OutgoingSpan {
    span: Option<TraceSpan>,
    is_taken: bool,
}

/// Traces a request to another program, if it is to be: whoever gets it can go on with the trace. Where it goes is not told:
/// that may be a secret of whoever gets it.
pub(crate) fn trace_request(request: RequestBuilder, method: &'static str) -> (RequestBuilder, OutgoingSpan) {
    let span = TraceSpan::of_outgoing_request(method);
    let request = match &span {
        Some(span) => request.header(TRACEPARENT, span.traceparent()),
        None => request,
    };
    (request, OutgoingSpan { span, is_taken: false })
}

impl OutgoingSpan {
    /// Notes what was answered.
    pub(crate) fn answer(&mut self, status: u16) {
        self.is_taken = status < 400;
        if let Some(span) = &mut self.span {
            span.set("http.response.status_code", i64::from(status));
        }
    }
}

impl Drop for OutgoingSpan {
    fn drop(&mut self) {
        if let Some(span) = self.span.as_mut().filter(|_| !self.is_taken) {
            span.fail();
        }
    }
}
