//! The body of an upload: bytes of any kind, handed on piece by piece.

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use kassa_domain::attachment::MediaType;
use kassa_engine::files::Upload;

use super::multipart::{self, unsupported_media_type};
use crate::error::ApiError;
use crate::input::{BodyChunks, body_too_large, exceeds_discard_limit};

/// How the file stands in the body.
pub(super) enum UploadForm {
    /// The body is the file, which is this.
    Raw(MediaType),
    /// The file is a part of a form.
    Multipart {
        /// What stands between the parts.
        boundary: String,
    },
}

impl UploadForm {
    /// As Content-Type must say.
    pub(super) fn of(headers: &HeaderMap) -> Result<Self, ApiError> {
        let said = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let is_multipart = said.trim_start().get(..10).is_some_and(|start| start.eq_ignore_ascii_case("multipart/"));
        if is_multipart {
            let boundary = multer::parse_boundary(said).map_err(|_| unsupported_media_type())?;
            Ok(Self::Multipart { boundary })
        } else {
            said.parse().map(Self::Raw).map_err(|_| unsupported_media_type())
        }
    }

    /// Reads the file into `upload`, if there is one, and says what it is.
    pub(super) async fn read(
        self,
        body: Body,
        headers: &HeaderMap,
        bytes_max: usize,
        upload: Option<&mut Upload>,
    ) -> Result<MediaType, ApiError> {
        match self {
            Self::Raw(content_type) => read_raw(body, headers, bytes_max, upload).await.map(|()| content_type),
            Self::Multipart { boundary } => multipart::read(body, boundary, bytes_max, upload).await,
        }
    }
}

/// Reads the body to its end into `upload`, if there is one. What is beyond `bytes_max` is read and
/// dropped, so that the client hears the answer. Order of refusals: 413, 400.
async fn read_raw(
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
