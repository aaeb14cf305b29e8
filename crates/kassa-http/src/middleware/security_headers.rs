//! What answers tell browsers, besides what other origins may do with them.

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;

/// Answers are no pages: if one is shown as a page all the same, it loads nothing, and nobody frames it. What is meant
/// to be shown says so itself.
const DEFAULT_CONTENT_POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
/// What these say holds for every answer: its type is the one that it names, and no page frames it.
const FIXED_HEADERS: [(HeaderName, HeaderValue); 2] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
];

/// No other site hears of the url of an answer. Pages say so in another way, so that forms name where they come from.
const REFERRER_POLICY: HeaderValue = HeaderValue::from_static("no-referrer");

/// Takes from an answer what a browser could be talked into doing with it.
pub(crate) fn apply(response: &mut Response) {
    let headers = response.headers_mut();
    for (name, value) in FIXED_HEADERS {
        headers.insert(name, value);
    }
    headers.entry(header::REFERRER_POLICY).or_insert(REFERRER_POLICY);
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(DEFAULT_CONTENT_POLICY);
}
