//! The body of an upload: bytes of any kind, handed on piece by piece.

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use kassa_domain::attachment::MediaType;
use kassa_engine::files::Upload;

use crate::error::ApiError;
use crate::input::{BodyChunks, body_too_large, exceeds_discard_limit};

/// What the file is, as the request must say.
pub(super) fn content_type(headers: &HeaderMap) -> Result<MediaType, ApiError> {
    let said = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    said.and_then(|text| text.parse().ok()).ok_or_else(|| {
        let reason = "Content-Type must say what the file is, as image/png";
        ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", reason)
    })
}

/// Reads the body to its end into `upload`, if there is one. What is beyond `body_bytes_max` is read and
/// dropped, so that the client hears the answer. Order of refusals: 413, 400.
pub(super) async fn read(
    body: Body,
    headers: &HeaderMap,
    bytes_max: usize,
    mut upload: Option<&mut Upload>,
) -> Result<(), ApiError> {
    let mut pieces = BodyChunks::of(body);
    let mut length: usize = 0;
    while let Some(data) = pieces.next().await? {
        length = length.saturating_add(data.len());
        if exceeds_discard_limit(length, bytes_max) {
            break;
        }
        if length > bytes_max {
            continue;
        }
        if let Some(upload) = &mut upload {
            upload.write(data).await?;
        }
    }
    if length > bytes_max {
        return Err(body_too_large(bytes_max));
    }
    check_length(length, headers)
}

/// The body must be as long as it says, and not empty.
fn check_length(length: usize, headers: &HeaderMap) -> Result<(), ApiError> {
    if let Some(said) = headers.get(header::CONTENT_LENGTH) {
        let said = said.to_str().unwrap_or_default();
        if said.parse() != Ok(length) {
            let reason = format!("Content-Length says {said:?}, but {length} bytes came");
            return Err(ApiError::new(StatusCode::BAD_REQUEST, "length_mismatch", reason));
        }
    }
    if length == 0 {
        return Err(ApiError::new(StatusCode::BAD_REQUEST, "empty_body", "The body is empty; it must be the file"));
    }
    Ok(())
}
