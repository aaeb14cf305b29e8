//! The interface without a socket: the program asks itself, and is answered as any client is.

use std::io;

use axum::body::Body;
pub use axum::http::{Request, Response};
use http_body_util::BodyExt;
use tower::ServiceExt;

use crate::app::AppState;
use crate::middleware::ApiService;

/// The interface, ready to be asked. Clones share it.
#[derive(Clone)]
pub struct InProcessClient(ApiService);

impl InProcessClient {
    /// The whole interface over an engine.
    pub fn new(app: AppState) -> Self {
        Self(crate::service(app))
    }

    /// Sends a request through the whole interface, credentials and all. It fails only when the answer
    /// breaks off; a refusal is an answer.
    pub async fn call(&self, request: Request<Vec<u8>>) -> io::Result<Response<Vec<u8>>> {
        let Ok(response) = self.0.clone().oneshot(request.map(Body::from)).await;
        let (head, body) = response.into_parts();
        let bytes = body.collect().await.map_err(io::Error::other)?.to_bytes();
        Ok(Response::from_parts(head, bytes.into()))
    }
}
