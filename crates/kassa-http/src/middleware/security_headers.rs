//! What answers tell browsers, besides what other origins may do with them.

use axum::http::{HeaderValue, header};
use axum::response::Response;

/// Answers are no pages: if one is shown as a page all the same, it loads nothing, and nobody frames it. What is meant
/// to be shown says so itself.
const DEFAULT_CONTENT_POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
/// What this says holds for every answer: its type is the one that it names.
const NO_SNIFFING: HeaderValue = HeaderValue::from_static("nosniff");
/// No page frames it, unless its policy names who may: this header can name nobody.
const NO_FRAMES: HeaderValue = HeaderValue::from_static("DENY");

/// No other site hears of the url of an answer. Pages say so in another way, so that forms name where they come from.
const REFERRER_POLICY: HeaderValue = HeaderValue::from_static("no-referrer");

/// Whether a policy names somebody who may frame the answer.
fn names_ancestors(policy: &HeaderValue) -> bool {
    let parts = policy.to_str().unwrap_or_default().split(';');
    let mut named = parts.filter_map(|part| part.trim().strip_prefix("frame-ancestors "));
    named.next().is_some_and(|names| names != "'none'")
}

/// Takes from an answer what a browser could be talked into doing with it.
pub(crate) fn apply(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, NO_SNIFFING);
    headers.entry(header::REFERRER_POLICY).or_insert(REFERRER_POLICY);
    let policy = headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(DEFAULT_CONTENT_POLICY);
    if !names_ancestors(policy) {
        headers.insert(header::X_FRAME_OPTIONS, NO_FRAMES);
    }
}
