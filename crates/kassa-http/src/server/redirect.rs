//! A listener that tells clients to use TLS, and nothing else.

use std::future::Future;

use axum::Router;
use axum::extract::State;
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use tokio::net::TcpListener;

use super::{ConnectionSettings, EvictionPolicy};

/// Where clients are sent.
#[derive(Clone, Debug)]
pub struct RedirectTarget {
    /// The address that clients use, by https and without a slash at the end; otherwise the host that they name.
    pub public_url: Option<String>,
    /// The port of TLS.
    pub port: u16,
}

/// Sends clients to the same path, by TLS, until `stop` is ready.
pub(crate) async fn serve(
    listener: TcpListener,
    target: RedirectTarget,
    settings: ConnectionSettings,
    policy: EvictionPolicy,
    stop: impl Future<Output = ()>,
) {
    let service = Router::new().fallback(redirect).with_state(target);
    super::serve(listener, service, settings, policy, stop).await;
}

async fn redirect(State(target): State<RedirectTarget>, headers: HeaderMap, uri: Uri) -> Response {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let path = uri.path_and_query().map(PathAndQuery::as_str).filter(|path| path.starts_with('/'));
    match path.and_then(|path| target.url(host, path)) {
        // The method stays, and so does the body.
        Some(url) => (StatusCode::PERMANENT_REDIRECT, [(header::LOCATION, url)]).into_response(),
        None => StatusCode::BAD_REQUEST.into_response(),
    }
}

impl RedirectTarget {
    fn url(&self, host: Option<&str>, path: &str) -> Option<String> {
        if let Some(url) = &self.public_url {
            return Some(format!("{url}{path}"));
        }
        let authority: axum::http::uri::Authority = host?.parse().ok()?;
        let host = authority.host();
        Some(if self.port == 443 {
            format!("https://{host}{path}")
        } else {
            format!("https://{host}:{}{path}", self.port)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_sent_to_the_same_path_by_tls() {
        let target =
            |public_url: Option<&str>, port| RedirectTarget { public_url: public_url.map(str::to_owned), port };
        let by_host = target(None, 443);
        let url = by_host.url(Some("tickets.example.org:80"), "/e/1?a=b");
        assert_eq!(url.as_deref(), Some("https://tickets.example.org/e/1?a=b"));
        assert_eq!(target(None, 8443).url(Some("[::1]"), "/").as_deref(), Some("https://[::1]:8443/"));
        assert_eq!(by_host.url(None, "/"), None);
        assert_eq!(by_host.url(Some("a b"), "/"), None);
        let public = target(Some("https://tickets.example.org/shop"), 8443);
        assert_eq!(public.url(None, "/e/1").as_deref(), Some("https://tickets.example.org/shop/e/1"));
    }
}
