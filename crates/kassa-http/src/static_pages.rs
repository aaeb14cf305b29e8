//! A few pages on a listener of their own, as somebody else's site has them: `kassa demo` shows on one how the shop is sold
//! from there.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;
use tokio::net::TcpListener;

use crate::server::{self, ConnectionSettings, EvictionPolicy};

/// The pages of a site.
#[derive(Debug)]
pub struct StaticSite {
    /// By path: the media type and what is there.
    pub pages: BTreeMap<&'static str, (&'static str, Bytes)>,
    /// The Content Security Policy of all of them.
    pub policy: HeaderValue,
}

/// Serves a site on a listener for as long as it is waited for.
pub fn serve(listener: TcpListener, site: StaticSite, connections: ConnectionSettings) -> BoxFuture<'static, ()> {
    let service = Router::new().fallback(answer).with_state(Arc::new(site));
    Box::pin(server::serve(listener, service, connections, EvictionPolicy::default(), std::future::pending()))
}

async fn answer(State(site): State<Arc<StaticSite>>, method: Method, uri: Uri) -> Response {
    if !matches!(method, Method::GET | Method::HEAD) {
        return (StatusCode::METHOD_NOT_ALLOWED, [(ALLOW, "GET, HEAD")]).into_response();
    }
    let Some((content_type, body)) = site.pages.get(uri.path()) else { return StatusCode::NOT_FOUND.into_response() };
    let kept = HeaderValue::from_static("no-cache");
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(content_type)),
        (CONTENT_SECURITY_POLICY, site.policy.clone()),
        (CACHE_CONTROL, kept),
    ];
    (headers, body.clone()).into_response()
}
