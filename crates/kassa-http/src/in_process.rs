//! The interface without a socket: the program asks itself, and is answered as any client is.

use std::io;
use std::ops::ControlFlow;

use axum::body::Body;
use axum::http::HeaderName;
use axum::http::header::{self, HeaderMap};
use axum::http::request::{Builder, Parts};
pub use axum::http::{Request, Response};
use http_body_util::BodyExt;
use tower::ServiceExt;

use crate::app::AppState;
use crate::base_url::BaseUrl;
use crate::middleware::ApiService;
use crate::peer::{FORWARDED_FOR, PeerAddress};

/// What a request says of where it comes from, and of where the server is.
const ORIGIN_HEADERS: [HeaderName; 3] = [header::HOST, HeaderName::from_static("x-forwarded-proto"), FORWARDED_FOR];

/// The interface, ready to be asked. Clones share it.
#[derive(Clone)]
pub struct InProcessClient(ApiService);

impl InProcessClient {
    /// The whole interface over an engine.
    pub fn new(app: AppState) -> Self {
        Self(crate::service(app))
    }

    /// The interface of a service, without its pages.
    pub fn of(service: &ApiService) -> Self {
        Self(service.without_pages())
    }

    /// Sends a request through the whole interface, credentials and all. It fails only when the answer
    /// breaks off; a refusal is an answer.
    pub async fn call(&self, request: Request<Vec<u8>>) -> io::Result<Response<Vec<u8>>> {
        let Ok(response) = self.0.clone().oneshot(request.map(Body::from)).await;
        let (head, body) = response.into_parts();
        let bytes = body.collect().await.map_err(io::Error::other)?.to_bytes();
        Ok(Response::from_parts(head, bytes.into()))
    }

    /// Sends a request, and hands on what is answered piece by piece, as long as `take` wants more: a long list is never in
    /// memory as a whole. What is no success is an answer with a body, as that of [`InProcessClient::call`].
    pub async fn call_in_pieces(
        &self,
        request: Request<Vec<u8>>,
        mut take: impl FnMut(&[u8]) -> ControlFlow<()>,
    ) -> io::Result<Response<Vec<u8>>> {
        let Ok(response) = self.0.clone().oneshot(request.map(Body::from)).await;
        let (head, mut body) = response.into_parts();
        if !head.status.is_success() {
            let bytes = body.collect().await.map_err(io::Error::other)?.to_bytes();
            return Ok(Response::from_parts(head, bytes.into()));
        }
        while let Some(frame) = body.frame().await {
            let Ok(piece) = frame.map_err(io::Error::other)?.into_data() else { continue };
            if take(&piece).is_break() {
                break;
            }
        }
        Ok(Response::from_parts(head, Vec::new()))
    }
}

/// For whom the program asks itself: whoever sent a request pays for what is read to answer it.
#[derive(Clone, Debug)]
pub struct Origin {
    peer: Option<PeerAddress>,
    headers: HeaderMap,
    base_url: String,
}

impl Origin {
    /// Who sent a request.
    pub fn of(app: &AppState, head: &Parts) -> Self {
        let named = |name: &HeaderName| head.headers.get(name).map(|value| (name.clone(), value.clone()));
        Self {
            peer: head.extensions.get().copied(),
            headers: ORIGIN_HEADERS.iter().filter_map(named).collect(),
            base_url: BaseUrl::of(app, &head.uri, &head.headers).as_str().to_owned(),
        }
    }

    /// Where its sender reaches the server, without a slash at the end.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// A request on its behalf.
    pub fn request(&self, method: &str, path: &str) -> Builder {
        let mut request = Request::builder().method(method).uri(path);
        if let Some(headers) = request.headers_mut() {
            headers.extend(self.headers.clone());
        }
        match self.peer {
            Some(peer) => request.extension(peer),
            None => request,
        }
    }
}
