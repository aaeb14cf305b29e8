//! `GET /files/{token}`: the bytes of an attachment, for whoever has the url. No credential is
//! looked at. Files are what strangers uploaded: a browser may draw the safe ones and run none.

mod range;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use kassa_domain::attachment::{Attachment, Bits};
use kassa_domain::{Needs, permission};

use crate::app::App;
use crate::conditions::tags;
use crate::error::ApiError;
use range::Part;

/// Where files are. A token is looked up as it is: it opens this file and nothing else, and finding 128 random bits by how
/// long an index takes is out of reach over a network.
pub(crate) const PLACE: &str = "/files/";

pub(crate) const NO_SCRIPTS: HeaderValue = HeaderValue::from_static("default-src 'none'; sandbox");
const SAVE_AS: HeaderValue = HeaderValue::from_static("attachment");
/// The bytes behind a url never change.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const BYTES: HeaderValue = HeaderValue::from_static("bytes");

pub(crate) async fn handle(
    State(app): State<App>,
    method: Method,
    uri: Uri,
    asked: HeaderMap,
) -> Result<Response, ApiError> {
    let not_found = || ApiError::not_found("file");
    let token: Bits = uri.path().strip_prefix(PLACE).and_then(|text| text.parse().ok()).ok_or_else(not_found)?;
    let view = app.engine.view(&Needs { attachment_tokens: vec![token], ..Needs::default() }).await?;
    let file = view.attachments.rows().find(|file| permission::opens_file(file)).ok_or_else(not_found)?;
    let length = u64::try_from(file.length).unwrap_or(0);
    let etag = format!("\"{}\"", file.md5);
    let mut headers = headers_of(file, &etag);
    if tags::is_known(&asked, &etag) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let part = if method == Method::GET { range::part(&asked, &etag, length) } else { Part::Whole };
    let (status, range) = match part {
        Part::Whole => (StatusCode::OK, 0..length),
        Part::Of(range) => (StatusCode::PARTIAL_CONTENT, range),
        Part::Beyond => {
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
        Body::from_stream(app.engine.files().read(token, length, range).await?)
    };
    Ok((status, headers, body).into_response())
}

fn headers_of(file: &Attachment, etag: &str) -> HeaderMap {
    let mut headers = HeaderMap::from_iter([
        (header::CONTENT_SECURITY_POLICY, NO_SCRIPTS),
        (header::CACHE_CONTROL, FOR_EVER),
        (header::ACCEPT_RANGES, BYTES),
    ]);
    // Both are printable ASCII by their types.
    headers.extend(HeaderValue::from_str(file.content_type.as_str()).ok().map(|value| (header::CONTENT_TYPE, value)));
    headers.extend(HeaderValue::from_str(etag).ok().map(|value| (header::ETAG, value)));
    if !file.content_type.is_safe_image() {
        headers.insert(header::CONTENT_DISPOSITION, SAVE_AS);
    }
    headers
}
