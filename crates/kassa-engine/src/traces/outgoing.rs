//! Requests to other programs, which can go on with the trace.

use reqwest::RequestBuilder;

use super::context::TRACEPARENT;
use super::span::TraceSpan;

/// Traces a request to another program, if it is to be: whoever gets it can go on with the trace.
pub(crate) fn trace_request(request: RequestBuilder, method: &'static str) -> (RequestBuilder, Option<TraceSpan>) {
    match TraceSpan::of_outgoing_request(method) {
        // Where it goes may be a secret of whoever gets it.
        Some(span) => (request.header(TRACEPARENT, span.traceparent()), Some(span)),
        None => (request, None),
    }
}

/// Notes what was answered.
pub(crate) fn trace_answer(span: Option<&mut TraceSpan>, status: u16) {
    if let Some(span) = span {
        span.set("http.response.status_code", i64::from(status));
        if status >= 400 {
            span.fail();
        }
    }
}
