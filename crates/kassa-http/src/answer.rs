//! Answers with a body.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// The content type of every JSON answer.
pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=UTF-8");

/// The number of things that a list has in all.
pub(crate) const TOTAL: HeaderName = HeaderName::from_static("total");

/// A JSON answer, rendered already.
#[derive(Debug)]
pub(crate) struct Answer {
    status: StatusCode,
    body: Vec<u8>,
    headers: HeaderMap,
}

impl Answer {
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
        Self { status: StatusCode::OK, body: b"{}".to_vec(), headers: HeaderMap::new() }
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

    pub(crate) fn with(status: StatusCode, body: &impl Serialize) -> Self {
        match serde_json::to_vec(body) {
            Ok(body) => Self { status, body, headers: HeaderMap::new() },
            Err(error) => {
                // Answers are plain structs with text keys: they always serialize.
                tracing::error!(%error, "an answer could not be rendered");
                Self { status: StatusCode::INTERNAL_SERVER_ERROR, body: Vec::new(), headers: HeaderMap::new() }
            }
        }
    }
}

/// An answer without a body, of the type that clients of this interface expect of it.
pub(crate) fn without_body(status: StatusCode) -> Response {
    (status, [(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=UTF-8"))]).into_response()
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        (self.status, [(header::CONTENT_TYPE, JSON)], self.headers, self.body).into_response()
    }
}
