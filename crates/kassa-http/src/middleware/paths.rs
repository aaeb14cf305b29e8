//! Paths: as clients write them, repeated and trailing slashes mean nothing.

use axum::extract::Request;
use axum::http::Uri;
use axum::http::uri::PathAndQuery;

/// The request with its slashes made plain.
pub(crate) fn normalize_slashes(mut request: Request) -> Request {
    let path = request.uri().path();
    if path.contains("//") || (path.len() > 1 && path.ends_with('/')) {
        let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
        let mut text = format!("/{}", segments.join("/"));
        if let Some(query) = request.uri().query() {
            text.push('?');
            text.push_str(query);
        }
        // It was a well-formed path, and only lost some slashes.
        if let Ok(path_and_query) = text.parse::<PathAndQuery>() {
            let mut parts = std::mem::take(request.uri_mut()).into_parts();
            parts.path_and_query = Some(path_and_query);
            let uri = Uri::from_parts(parts);
            debug_assert!(uri.is_ok(), "it was a URI with another path");
            *request.uri_mut() = uri.unwrap_or_default();
        }
    }
    request
}
