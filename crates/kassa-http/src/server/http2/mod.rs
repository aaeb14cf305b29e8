//! What HTTP/2 needs besides: many requests share a connection, and what holds for a connection of HTTP/1 holds for all
//! of them together.

mod answers;

pub(super) use answers::SharedAnswers;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::http::uri::{PathAndQuery, Uri};
use axum::http::{HeaderMap, HeaderValue, header};
use hyper::server::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioTimer};

use super::connections::ConnectionPlace;

/// Requests of a connection at a time.
const STREAMS_MAX: u32 = 32;
/// The longest head of a request, in bytes, as the protocol counts them.
const HEAD_BYTES_MAX: u32 = 16 * 1024;
/// How much of one body, and of all of a connection, may be on its way without being asked for, in bytes.
const STREAM_WINDOW_BYTES: u32 = 64 * 1024;
const CONNECTION_WINDOW_BYTES: u32 = 128 * 1024;
/// What is written at a time of an answer, in bytes, before the client takes it.
const SEND_BUFFER_BYTES: usize = 64 * 1024;
/// Requests that were taken back by the client as soon as they were sent, until which it is disconnected: 20 before we look
/// at them, and those that were begun by [`ConnectionPlace::record_reset`].
const PENDING_RESETS_MAX: usize = 20;
/// Mistakes of the protocol on one connection that are forgiven.
const ERRORS_MAX: usize = 64;
/// A client that does not answer within this is gone.
const PING_INTERVAL: Duration = Duration::from_secs(30);
const PING_TIMEOUT: Duration = Duration::from_secs(20);
/// What each header takes besides its letters (RFC 9113, section 6.5.2).
const HEADER_OVERHEAD_BYTES: usize = 32;
/// What a request counts as at least, in bytes.
const REQUEST_BYTES_MIN: usize = 1024;

/// How connections are served.
pub(super) fn builder() -> http2::Builder<TokioExecutor> {
    let mut http = http2::Builder::new(TokioExecutor::new());
    http.timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS_MAX)
        .max_header_list_size(HEAD_BYTES_MAX)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .max_send_buf_size(SEND_BUFFER_BYTES)
        .max_pending_accept_reset_streams(PENDING_RESETS_MAX)
        .max_local_error_reset_streams(ERRORS_MAX)
        .keep_alive_interval(PING_INTERVAL)
        .keep_alive_timeout(PING_TIMEOUT);
    http
}

/// Gives a request the form that it has in HTTP/1: the host is a header, and the address a path.
pub(super) fn normalize(request: &mut Request) {
    let authority = request.uri().authority().map(|authority| HeaderValue::from_str(authority.as_str()));
    if let Some(Ok(host)) = authority {
        request.headers_mut().insert(header::HOST, host);
    }
    let path = request.uri().path_and_query().cloned();
    *request.uri_mut() = Uri::from(path.unwrap_or_else(|| PathAndQuery::from_static("/")));
    join_cookies(request.headers_mut());
}

/// Clients may send each cookie by itself (RFC 9113, section 8.2.3).
fn join_cookies(headers: &mut HeaderMap) {
    let cookies: Vec<&[u8]> = headers.get_all(header::COOKIE).iter().map(HeaderValue::as_bytes).collect();
    if cookies.len() > 1
        && let Ok(joined) = HeaderValue::from_bytes(&cookies.join(&b"; "[..]))
    {
        headers.insert(header::COOKIE, joined);
    }
}

/// What the head of a request takes in memory, about, while it is answered.
pub(super) fn head_bytes(request: &Request) -> usize {
    let headers = request.headers().iter();
    let headers: usize = headers.map(|(name, value)| name.as_str().len() + value.len() + HEADER_OVERHEAD_BYTES).sum();
    let path = request.uri().path_and_query().map_or(0, |path| path.as_str().len());
    (headers + path).max(REQUEST_BYTES_MIN)
}

/// A request that is begun. Whoever takes back what was begun, again and again, has others work for nothing.
pub(super) struct BegunRequest {
    place: Arc<ConnectionPlace>,
    is_answered: bool,
}

impl BegunRequest {
    pub(super) fn new(place: Arc<ConnectionPlace>) -> Self {
        Self { place, is_answered: false }
    }

    pub(super) fn answered(mut self) {
        self.is_answered = true;
        self.place.record_answer();
    }
}

impl Drop for BegunRequest {
    fn drop(&mut self) {
        if !self.is_answered {
            self.place.record_reset();
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[test]
    fn a_request_looks_as_in_http_1() {
        let mut request = Request::builder()
            .uri("https://tickets.example.org:8443/v1/resources/events?status=public")
            .header("host", "elsewhere.example.org")
            .header("cookie", "a=1")
            .header("cookie", "b=2")
            .body(Body::empty())
            .unwrap();
        normalize(&mut request);
        assert_eq!(request.uri(), "/v1/resources/events?status=public");
        assert_eq!(request.headers()["host"], "tickets.example.org:8443");
        let cookies: Vec<_> = request.headers().get_all("cookie").iter().collect();
        assert_eq!(cookies, ["a=1; b=2"]);
        assert_eq!(head_bytes(&request), REQUEST_BYTES_MIN);
        request.headers_mut().insert("x-long", HeaderValue::from_bytes(&[b'a'; 5_000]).unwrap());
        assert!((5_100..5_300).contains(&head_bytes(&request)), "{}", head_bytes(&request));
    }
}
