//! Answers with a body.

use std::any::Any;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use kassa_engine::Failure;
use serde::{Deserialize, Serialize};

use crate::conditions::tags;

/// The content type of every JSON answer.
pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=UTF-8");
/// The content type of an answer without a body, as clients of this interface expect it.
const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=UTF-8");

/// The number of things that a list has in all.
pub(crate) const TOTAL: HeaderName = HeaderName::from_static("total");

/// An answer, rendered already.
#[derive(Debug)]
pub(crate) struct Answer {
    status: StatusCode,
    content_type: HeaderValue,
    headers: HeaderMap,
    /// How often what it shows was edited, if it shows one resource.
    revision: Option<i64>,
    body: Vec<u8>,
}

/// What stands before the body of an answer that is kept.
#[derive(Serialize, Deserialize)]
struct Head {
    status: u16,
    headers: Vec<(String, String)>,
    revision: Option<i64>,
}

impl Answer {
    fn new(status: StatusCode, content_type: HeaderValue, body: Vec<u8>) -> Self {
        Self { status, content_type, headers: HeaderMap::new(), revision: None, body }
    }

    /// 200 with this body.
    pub(crate) fn ok(body: &impl Serialize) -> Self {
        Self::with(StatusCode::OK, body)
    }

    /// 201 with this body.
    pub(crate) fn created(body: &impl Serialize) -> Self {
        Self::with(StatusCode::CREATED, body)
    }

    /// What a removal answers: 200 with an empty object.
    pub(crate) fn removed() -> Self {
        Self::new(StatusCode::OK, JSON, b"{}".to_vec())
    }

    /// One without a body.
    pub(crate) fn empty(status: StatusCode) -> Self {
        Self::new(status, HTML, Vec::new())
    }

    /// A list, of which `total` are there in all.
    pub(crate) fn list(items: &impl Serialize, total: u64) -> Self {
        Self::ok(items).header(TOTAL, total.into())
    }

    /// The same with a header.
    pub(crate) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.append(name, value);
        self
    }

    /// The same as one that shows a resource which was edited so often: it has a tag.
    pub(crate) fn tagged(self, revision: i64) -> Self {
        Self { revision: Some(revision), ..self }
    }

    pub(crate) fn with(status: StatusCode, body: &impl Serialize) -> Self {
        match serde_json::to_vec(body) {
            Ok(body) => Self::new(status, JSON, body),
            Err(error) => {
                // Answers are plain structs with text keys: they always serialize.
                tracing::error!(%error, "an answer could not be rendered");
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, JSON, Vec::new())
            }
        }
    }

    /// The bytes by which it is kept, if this is an answer.
    pub(crate) fn bytes_of(answer: &dyn Any) -> Option<Vec<u8>> {
        answer.downcast_ref().and_then(Self::to_bytes)
    }

    /// The head as a line of JSON, and the body behind it.
    fn to_bytes(&self) -> Option<Vec<u8>> {
        let named = [(&header::CONTENT_TYPE, &self.content_type)].into_iter().chain(&self.headers);
        let text = |(name, value): (&HeaderName, &HeaderValue)| {
            value.to_str().ok().map(|value| (name.as_str().to_owned(), value.to_owned()))
        };
        let headers = named.map(text).collect::<Option<_>>()?;
        let head = Head { status: self.status.as_u16(), headers, revision: self.revision };
        let mut bytes = serde_json::to_vec(&head).ok()?;
        bytes.push(b'\n');
        bytes.extend_from_slice(&self.body);
        Some(bytes)
    }

    /// The answer that was kept.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let (head, body) = (bytes.get(..end)?, bytes.get(end + 1..)?);
        let Head { status, headers, revision } = serde_json::from_slice(head).ok()?;
        let mut answer = Self::new(StatusCode::from_u16(status).ok()?, JSON, body.to_vec());
        for (name, value) in headers {
            answer.headers.append(HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?);
        }
        answer.content_type = answer.headers.remove(header::CONTENT_TYPE)?;
        Some(Self { revision, ..answer })
    }

    /// A response that is whole, and the bytes by which it is kept.
    pub(crate) async fn taken_from(response: Response) -> Result<(Response, Vec<u8>), Failure> {
        let (parts, body) = response.into_parts();
        let body = body.collect().await.map_err(|_| Failure::Unavailable)?.to_bytes();
        let mut headers = parts.headers.clone();
        headers.remove(header::CONTENT_LENGTH);
        let content_type = headers.remove(header::CONTENT_TYPE).unwrap_or(HTML);
        let answer = Self { headers, ..Self::new(parts.status, content_type, body.to_vec()) };
        let bytes = answer.to_bytes().ok_or_else(|| Failure::internal("an answer could not be kept"))?;
        Ok((Response::from_parts(parts, Body::from(body)), bytes))
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let tag = self.revision.and_then(|revision| tags::tag(revision, &self.body));
        let tag = tag.map(|tag| [(header::ETAG, tag)]);
        (self.status, [(header::CONTENT_TYPE, self.content_type)], tag, self.headers, self.body).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_comes_back_from_its_bytes() {
        let answer = Answer::created(&"a\nb").header(TOTAL, 3.into()).tagged(7);
        let bytes = Answer::bytes_of(&answer).unwrap();
        assert_eq!(format!("{:?}", Answer::from_bytes(&bytes).unwrap()), format!("{answer:?}"));
        let empty = Answer::empty(StatusCode::ACCEPTED);
        let bytes = empty.to_bytes().unwrap();
        assert_eq!(format!("{:?}", Answer::from_bytes(&bytes).unwrap()), format!("{empty:?}"));
        assert!(Answer::bytes_of(&"text").is_none() && Answer::from_bytes(b"{}").is_none());
    }
}
