//! Pages of other sites may use the interface with a key, never with a cookie.

use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

const ALLOWED_METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
const ALLOWED_HEADERS: HeaderValue = HeaderValue::from_static(
    "Authorization, Content-Type, Accept, X-Partner, Idempotency-Key, If-Match, If-None-Match",
);
const EXPOSED_HEADERS: HeaderValue = HeaderValue::from_static(
    "ETag, TOTAL, X-Partner, Retry-After, Idempotent-Replayed, Warning, Deprecation, Sunset, Link",
);
const PREFLIGHT_MAX_AGE: HeaderValue = HeaderValue::from_static("86400");

/// The answer to OPTIONS, on every path: on one that takes these methods beside it.
pub(crate) fn preflight(methods: Option<&HeaderValue>) -> Response {
    let methods = methods.and_then(|methods| methods.to_str().ok()).into_iter();
    let allowed: Vec<&str> = methods.chain([Method::OPTIONS.as_str()]).collect();
    let headers = [
        // Names of methods are always a valid header.
        (header::ALLOW, HeaderValue::try_from(allowed.join(",")).unwrap_or(ALLOWED_METHODS)),
        (header::ACCESS_CONTROL_ALLOW_METHODS, ALLOWED_METHODS),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED_HEADERS),
        (header::ACCESS_CONTROL_MAX_AGE, PREFLIGHT_MAX_AGE),
    ];
    (StatusCode::OK, headers).into_response()
}

/// Opens an answer to all origins.
pub(crate) fn allow_all_origins(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_HEADERS);
}
