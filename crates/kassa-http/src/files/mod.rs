//! `GET /files/{token}`: the bytes of an attachment, for whoever has the url. No credential is
//! looked at. Files are what strangers uploaded: a browser may draw the safe ones and run none.

mod range;

use axum::body::Body;
use axum::extract::State;
use axum::http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kassa_domain::attachment::{Attachment, Hex128};
use kassa_domain::{ReadSet, permission};

use crate::app::AppState;
use crate::error::ApiError;
use crate::input::PathText;
use crate::peer;
use crate::response::entity_tags;
use crate::route::{Access, Route};
use range::RequestedRange;

/// Where files are. A token is looked up as it is: it opens this file and nothing else, and finding 128 random bits by
/// how long an index takes is out of reach over a network.
pub(crate) const PATH: &str = "/files/{token}";

/// Files are what they are: none is compressed.
pub(crate) static ROUTE: Route = Route::new().access(Access::Public).uncompressed();

pub(crate) const SANDBOX_CONTENT_POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; sandbox");
const ATTACHMENT_DISPOSITION: HeaderValue = HeaderValue::from_static("attachment");
/// The bytes behind a url never change.
const CACHE_FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const BYTE_RANGES: HeaderValue = HeaderValue::from_static("bytes");

pub(crate) async fn handle(
    State(app): State<AppState>,
    method: Method,
    extensions: Extensions,
    token: Result<PathText, ApiError>,
    asked: HeaderMap,
) -> Result<Response, ApiError> {
    let not_found = || ApiError::not_found("file");
    let token: Hex128 = token.ok().and_then(|PathText(text)| text.parse().ok()).ok_or_else(not_found)?;
    let view = app.engine.view(&ReadSet { attachments_by_token: vec![token], ..ReadSet::default() }).await?;
    let file = view.attachments.rows().find(|file| permission::is_downloadable(file)).ok_or_else(not_found)?;
    let length = u64::try_from(file.length);
    debug_assert!(length.is_ok(), "a length is not below zero");
    let length = length.unwrap_or(0);
    let etag = format!("\"{}\"", file.md5);
    let mut headers = headers_of(file, &etag);
    if entity_tags::matches_if_none_match(&asked, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let part =
        if method == Method::GET { range::requested_range(&asked, &etag, length) } else { RequestedRange::Whole };
    let (status, range) = match part {
        RequestedRange::Whole => (StatusCode::OK, 0..length),
        RequestedRange::Bytes(range) => (StatusCode::PARTIAL_CONTENT, range),
        RequestedRange::Unsatisfiable => {
            let error = ApiError::new(StatusCode::RANGE_NOT_SATISFIABLE, "range", "The file ends before this range");
            return Ok(([(header::CONTENT_RANGE, format!("bytes */{length}"))], error).into_response());
        }
    };
    if status == StatusCode::PARTIAL_CONTENT {
        let text = format!("bytes {}-{}/{length}", range.start, range.end - 1);
        headers.extend(HeaderValue::from_str(&text).ok().map(|value| (header::CONTENT_RANGE, value)));
    }
    headers.insert(header::CONTENT_LENGTH, (range.end - range.start).into());
    let body = if method == Method::HEAD {
        Body::empty()
    } else {
        let network = peer::client_network(&extensions, &asked, app.config.trusted_proxies);
        let download = app.downloads.begin(network).await?;
        download.into_body(app.engine.files().read(token, length, range).await?)
    };
    Ok((status, headers, body).into_response())
}

fn headers_of(file: &Attachment, etag: &str) -> HeaderMap {
    let mut headers = HeaderMap::from_iter([
        (header::CONTENT_SECURITY_POLICY, SANDBOX_CONTENT_POLICY),
        (header::CACHE_CONTROL, CACHE_FOREVER),
        (header::ACCEPT_RANGES, BYTE_RANGES),
    ]);
    // Both are printable ASCII by their types.
    headers.extend(HeaderValue::from_str(file.content_type.as_str()).ok().map(|value| (header::CONTENT_TYPE, value)));
    headers.extend(HeaderValue::from_str(etag).ok().map(|value| (header::ETAG, value)));
    if !file.content_type.is_safe_image() {
        headers.insert(header::CONTENT_DISPOSITION, ATTACHMENT_DISPOSITION);
    }
    headers
}
