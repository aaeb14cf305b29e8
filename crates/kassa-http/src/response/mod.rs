//! Answers with a body.

pub(crate) mod entity_tags;
pub(crate) mod event_stream;
pub(crate) mod list_stream;
pub(crate) mod packing;
pub(crate) mod row_groups;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use kassa_engine::Failure;
use kassa_engine::idempotency::{ResponseCodec, SavedResponse};
use kassa_store::memory_budget::MemoryMeter;
use serde::{Deserialize, Serialize};

/// The content type of every JSON answer.
pub(crate) const JSON_TYPE: HeaderValue = HeaderValue::from_static("application/json; charset=UTF-8");
/// The content type of an answer without a body, as clients of this interface expect it.
const HTML_TYPE: HeaderValue = HeaderValue::from_static("text/html; charset=UTF-8");

/// Room for the headers that most answers come to, so that it is made once.
const HEADERS_EXPECTED: usize = 16;

/// The number of things that a list has in all.
pub(crate) const TOTAL_COUNT: HeaderName = HeaderName::from_static("total");

/// An answer, rendered already.
#[derive(Debug)]
pub(crate) struct ApiResponse {
    status: StatusCode,
    content_type: HeaderValue,
    headers: HeaderMap,
    /// How often what it shows was edited, if it shows one resource.
    revision: Option<i64>,
    body: Vec<u8>,
    /// Of one that was given before, and kept.
    replayed: Option<ReplayedResponse>,
}

/// Goes with a response that was kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReplayedResponse {
    /// Whether it is as clients are given it.
    pub(crate) is_final: bool,
}

/// What stands before the body of an answer that is kept.
#[derive(Serialize, Deserialize)]
struct StoredHead {
    status: u16,
    headers: Vec<(String, String)>,
    revision: Option<i64>,
}

impl ApiResponse {
    fn new(status: StatusCode, content_type: HeaderValue, body: Vec<u8>) -> Self {
        Self { status, content_type, headers: HeaderMap::new(), revision: None, body, replayed: None }
    }

    /// 200 with this body.
    pub(crate) fn ok(body: &impl Serialize) -> Self {
        Self::with_status(StatusCode::OK, body)
    }

    /// 201 with this body.
    pub(crate) fn created(body: &impl Serialize) -> Self {
        Self::with_status(StatusCode::CREATED, body)
    }

    /// What a removal answers: 200 with an empty object.
    pub(crate) fn removed() -> Self {
        Self::new(StatusCode::OK, JSON_TYPE, b"{}".to_vec())
    }

    /// One without a body.
    pub(crate) fn empty(status: StatusCode) -> Self {
        Self::new(status, HTML_TYPE, Vec::new())
    }

    /// A list, of which `total` are there in all.
    pub(crate) fn list(items: &impl Serialize, total: u64) -> Self {
        Self::ok(items).with_header(TOTAL_COUNT, total.into())
    }

    /// The same with a header.
    pub(crate) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.append(name, value);
        self
    }

    /// The same as one that shows a resource which was edited so often: it has a tag.
    pub(crate) fn with_revision(self, revision: i64) -> Self {
        Self { revision: Some(revision), ..self }
    }

    pub(crate) fn with_status(status: StatusCode, body: &impl Serialize) -> Self {
        match serde_json::to_vec(body) {
            Ok(body) => {
                MemoryMeter::note_rendered(body.len());
                Self::new(status, JSON_TYPE, body)
            }
            Err(error) => {
                // Answers are plain structs with text keys: they always serialize.
                tracing::error!(%error, "an answer could not be rendered");
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, JSON_TYPE, Vec::new())
            }
        }
    }

    /// How the engine keeps responses.
    pub(crate) const CODEC: ResponseCodec = ResponseCodec {
        encode: |response| response.downcast_ref().and_then(Self::to_bytes),
        decode: |saved| Some(Box::new(Self::from_saved(&saved)?)),
    };

    /// One that was kept, as it is.
    pub(crate) fn replay(saved: &SavedResponse) -> Result<Self, Failure> {
        Self::from_saved(saved).ok_or_else(|| Failure::internal("an answer that was kept cannot be read"))
    }

    fn from_saved(saved: &SavedResponse) -> Option<Self> {
        let replayed = Some(ReplayedResponse { is_final: saved.is_final });
        Some(Self { replayed, ..Self::from_bytes(&saved.bytes)? })
    }

    /// The head as a line of JSON, and the body behind it.
    fn to_bytes(&self) -> Option<Vec<u8>> {
        let named = [(&header::CONTENT_TYPE, &self.content_type)].into_iter().chain(&self.headers);
        let text = |(name, value): (&HeaderName, &HeaderValue)| {
            value.to_str().ok().map(|value| (name.as_str().to_owned(), value.to_owned()))
        };
        let headers = named.map(text).collect::<Option<_>>()?;
        let head = StoredHead { status: self.status.as_u16(), headers, revision: self.revision };
        let mut bytes = serde_json::to_vec(&head).ok()?;
        bytes.push(b'\n');
        bytes.extend_from_slice(&self.body);
        Some(bytes)
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let (head, body) = (bytes.get(..end)?, bytes.get(end + 1..)?);
        let StoredHead { status, headers, revision } = serde_json::from_slice(head).ok()?;
        let mut answer = Self::new(StatusCode::from_u16(status).ok()?, JSON_TYPE, body.to_vec());
        for (name, value) in headers {
            answer.headers.append(HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?);
        }
        answer.content_type = answer.headers.remove(header::CONTENT_TYPE)?;
        Some(Self { revision, ..answer })
    }

    /// A response that is whole, and the bytes by which it is kept.
    pub(crate) async fn buffer(response: Response) -> Result<(Response, Vec<u8>), Failure> {
        let (parts, body) = response.into_parts();
        let body = body.collect().await.map_err(|_| Failure::Unavailable)?.to_bytes();
        let mut headers = parts.headers.clone();
        headers.remove(header::CONTENT_LENGTH);
        let content_type = headers.remove(header::CONTENT_TYPE).unwrap_or(HTML_TYPE);
        let answer = Self { headers, ..Self::new(parts.status, content_type, body.to_vec()) };
        let bytes = answer.to_bytes().ok_or_else(|| Failure::internal("an answer could not be kept"))?;
        Ok((Response::from_parts(parts, Body::from(body)), bytes))
    }
}

impl IntoResponse for ApiResponse {
    fn into_response(self) -> Response {
        let tag = self.revision.and_then(|revision| entity_tags::entity_tag(revision, &self.body));
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.reserve(HEADERS_EXPECTED);
        headers.insert(header::CONTENT_TYPE, self.content_type);
        headers.extend(tag.map(|tag| (header::ETAG, tag)));
        headers.extend(self.headers);
        if let Some(replayed) = self.replayed {
            response.extensions_mut().insert(replayed);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn response_survives_serialization() {
        let answer = ApiResponse::created(&"a\nb").with_header(TOTAL_COUNT, 3.into()).with_revision(7);
        let bytes = (ApiResponse::CODEC.encode)(&answer).unwrap();
        assert_eq!(format!("{:?}", ApiResponse::from_bytes(&bytes).unwrap()), format!("{answer:?}"));
        let empty = ApiResponse::empty(StatusCode::ACCEPTED);
        let bytes = empty.to_bytes().unwrap();
        assert_eq!(format!("{:?}", ApiResponse::from_bytes(&bytes).unwrap()), format!("{empty:?}"));
        assert!((ApiResponse::CODEC.encode)(&"text").is_none() && ApiResponse::from_bytes(b"{}").is_none());
    }
}
