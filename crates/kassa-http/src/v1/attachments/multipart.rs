//! Uploads as HTML forms send them: `multipart/form-data` (RFC 7578) with one file, which is unpacked piece by piece.

use std::io;

use axum::body::{Body, Bytes};
use axum::http::{StatusCode, header};
use futures_util::{Stream, stream};
use kassa_domain::attachment::MediaType;
use kassa_engine::files::Upload;
use multer::{Field, Multipart};

use crate::error::ApiError;
use crate::input::{BodyChunks, body_too_large};

/// What a form may have besides its file, in bytes: other fields and what stands between them.
const FORM_BYTES_MAX: usize = 64 * 1024;
/// Of a file that says nothing else, as RFC 7578 (section 4.4) has it for bytes.
const DEFAULT_TYPE: &str = "application/octet-stream";

/// Nothing says what the file is.
pub(super) fn unsupported_media_type() -> ApiError {
    let reason = "Content-Type must say what the file is, as image/png, or that it is the one file of a \
                  multipart/form-data body";
    ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", reason)
}

/// Reads the file of a form into `upload`, if there is one. A file of more than `bytes_max` bytes is 413, and so is a
/// form that has much besides it; the rest of the body is dropped by whoever has it.
pub(super) async fn read(
    body: Body,
    boundary: String,
    bytes_max: usize,
    mut upload: Option<&mut Upload>,
) -> Result<MediaType, ApiError> {
    let whole_max = bytes_max.saturating_add(FORM_BYTES_MAX);
    let mut form = Multipart::new(chunks(body, whole_max), boundary);
    let mut found = None;
    while let Some(mut field) = form.next_field().await.map_err(|error| form_error(&error, bytes_max))? {
        let is_file = field.file_name().is_some();
        if is_file && found.is_some() {
            return Err(not_one_file("The form has more than one file"));
        }
        let content_type = if is_file { Some(media_type(&field)?) } else { None };
        let mut length: usize = 0;
        while let Some(data) = field.chunk().await.map_err(|error| form_error(&error, bytes_max))? {
            length = length.saturating_add(data.len());
            if length > bytes_max {
                return Err(body_too_large(bytes_max));
            }
            if let Some(upload) = upload.as_mut().filter(|_| is_file) {
                upload.write(data).await?;
            }
        }
        if is_file && length == 0 {
            return Err(ApiError::new(StatusCode::BAD_REQUEST, "empty_body", "The file in the form is empty"));
        }
        found = found.or(content_type);
    }
    found.ok_or_else(|| not_one_file("The form has no file: a part with a filename"))
}

/// The body as the form is read from it, up to so many bytes.
fn chunks(body: Body, bytes_max: usize) -> impl Stream<Item = Result<Bytes, io::Error>> + Send {
    let next = move |(mut chunks, length): (BodyChunks, usize)| async move {
        let Some(data) = chunks.next().await.map_err(|_| io::Error::from(io::ErrorKind::UnexpectedEof))? else {
            return Ok(None);
        };
        let length = length.saturating_add(data.len());
        if length > bytes_max {
            return Err(io::Error::from(io::ErrorKind::FileTooLarge));
        }
        Ok(Some((data, (chunks, length))))
    };
    stream::try_unfold((BodyChunks::of(body), 0), next)
}

fn media_type(file: &Field<'_>) -> Result<MediaType, ApiError> {
    let said = file.headers().get(header::CONTENT_TYPE).map(|value| value.to_str().unwrap_or_default());
    said.unwrap_or(DEFAULT_TYPE).parse().map_err(|_| unsupported_media_type())
}

fn not_one_file(reason: &str) -> ApiError {
    ApiError::new(StatusCode::BAD_REQUEST, "multipart_files", format!("{reason}; upload one file at a time"))
}

fn form_error(error: &multer::Error, bytes_max: usize) -> ApiError {
    let kind = if let multer::Error::StreamReadFailed(cause) = error {
        cause.downcast_ref::<io::Error>().map(io::Error::kind)
    } else {
        None
    };
    match kind {
        Some(io::ErrorKind::FileTooLarge) => body_too_large(bytes_max),
        Some(_) => ApiError::new(StatusCode::BAD_REQUEST, "broken_body", "The body ended before it was whole"),
        None => {
            ApiError::new(StatusCode::BAD_REQUEST, "malformed_multipart", "The body is no well-formed multipart form")
        }
    }
}
