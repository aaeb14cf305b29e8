//! Server-sent events (HTML, section 9.2): answers that go on until one side ends them.

use std::fmt::Display;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};

/// Something is sent at least so often: who hears nothing for longer may take the connection for lost.
pub(crate) const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// The first line: clients that were cut off come back after so many milliseconds.
pub(crate) const RETRY_LINE: &str = "retry: 2000\n";
/// Whatever takes it for the end of an event would hand on an empty one, so no empty line follows.
pub(crate) const COMMENT: &str = ":\n";

const EVENT_STREAM: HeaderValue = HeaderValue::from_static("text/event-stream");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
/// By this, proxies hand on what comes at once.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// An event. JSON has no line breaks, and neither have ids and kinds.
pub(crate) fn event_text(id: impl Display, kind: &str, json: &str) -> String {
    format!("id: {id}\nevent: {kind}\ndata: {json}\n\n")
}

/// An answer of these events. What they take of others the body says, not this.
pub(crate) fn event_stream(body: Body) -> Response {
    let head = [
        (header::CONTENT_TYPE, EVENT_STREAM),
        (header::CACHE_CONTROL, NO_STORE),
        (X_ACCEL_BUFFERING, HeaderValue::from_static("no")),
    ];
    (head, body).into_response()
}
