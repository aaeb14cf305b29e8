//! Traces of requests: the span of a request is around all that is done for it, its answer names it, and so do the lines of
//! the log that it gives rise to.

use std::convert::Infallible;

use axum::extract::Request;
use axum::http::HeaderValue;
use axum::http::header::HeaderName;
use axum::response::Response;
use kassa_engine::traces::{TRACEPARENT, TraceSpan, is_on};
use tracing::Instrument as _;

use crate::request_metrics::PAGES;
use crate::route::{METHODS, RouteTable};

/// Names the trace to whoever asked (<https://w3c.github.io/trace-context/#traceresponse-header>).
const TRACERESPONSE: HeaderName = HeaderName::from_static("traceresponse");

/// Begins the span of a request, if it is traced. It has no more of the path than its template: the rest may be a secret.
pub(super) fn begin(routes: &RouteTable, is_page: bool, request: &Request) -> Option<TraceSpan> {
    if !is_on() {
        return None;
    }
    let traceparent = request.headers().get(TRACEPARENT).and_then(|header| header.to_str().ok());
    let found = routes.find(request.method(), request.uri().path());
    let method = METHODS[found.method];
    let template = match found.path {
        _ if is_page => Some(PAGES),
        Some(path) => routes.templates().nth(path),
        None => None,
    };
    let name = || template.map_or_else(|| method.to_owned(), |template| format!("{method} {template}"));
    let mut span = TraceSpan::of_request(traceparent, name)?;
    span.set("http.request.method", method);
    if let Some(template) = template {
        span.set("http.route", template.to_owned());
    }
    Some(span)
}

/// Answers a request in its span.
pub(super) async fn follow(
    mut span: TraceSpan,
    answer: impl Future<Output = Result<Response, Infallible>>,
) -> Result<Response, Infallible> {
    // Whatever is logged at all is logged with it.
    let lines = tracing::error_span!("request", trace_id = span.trace_id());
    let Ok(mut response) = span.scope(answer).instrument(lines).await;
    span.set("http.response.status_code", i64::from(response.status().as_u16()));
    if response.status().is_server_error() {
        span.fail();
    }
    if let Ok(named) = HeaderValue::try_from(span.traceparent()) {
        response.headers_mut().insert(TRACERESPONSE, named);
    }
    Ok(response)
}
