//! The HTTP interface of Kassa.
//!
//! Each endpoint is one file whose path is the URL's: `POST /v1/resources/orders` is
//! `v1/orders/create.rs`. Requests are parsed into types here (`input`), and answers are shaped
//! here (`wire`, and the `model.rs` beside the endpoints); what is decided is decided in
//! `kassa-domain`. Nothing outside this crate names the HTTP framework.

mod answer_cache;
mod api_docs;
mod app;
mod availability_streams;
mod base_url;
mod body_memory;
mod body_parsers;
mod caller;
mod document_turns;
mod downloads;
mod drawing_cache;
pub mod echo;
mod error;
mod feed_readers;
mod fields_schema;
mod files;
pub mod in_process;
mod input;
mod long_answers;
mod middleware;
mod openapi;
pub mod ops;
mod order_rates;
mod pages;
mod password_attempts;
mod peer;
mod rate_limits;
mod related;
mod request_log;
mod request_metrics;
mod response;
mod route;
mod server;
mod session_cookie;
mod short_reads;
pub mod static_pages;
mod text_rates;
mod v1;
mod v2;
mod wire;

pub use app::{AppState, HttpConfig, SettingInForce, SettingSource};
pub use axum::http;
pub use downloads::DOWNLOADS_MAX;
pub use long_answers::LongAnswerThreads;
pub use middleware::ApiService;
pub use pages::Pages;
pub use peer::PeerAddress;
pub use rate_limits::{InvalidRate, Rate, RateLimits};
pub use server::redirect::RedirectTarget;
pub use server::{CONNECTIONS_MAX, ConnectionSettings, NEWCOMERS_MAX, TlsFilesError, TlsIdentity, certificate_end};
pub use v2::{ChangeMessages, change_for_operators};

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio::net::TcpListener;

/// Whether a browser, if it is one, says that a request with these headers comes from a page of this server.
pub fn is_same_origin(app: &AppState, headers: &http::HeaderMap) -> bool {
    caller::is_same_origin(headers, app.config.public_url.as_ref())
}

/// The interface as a service, as clients meet it: [`serve`] puts it on a socket, tests call it in process.
pub fn service(app: AppState) -> ApiService {
    ApiService::new(app)
}

/// Serves clients on `listener` until `stop` is ready; then takes no new connection, lets each request under way be
/// answered, and ends. Whoever waits for changes then waits no longer, and streams end.
pub fn serve(
    listener: TcpListener,
    service: impl Into<ApiService>,
    connections: ConnectionSettings,
    stop: BoxFuture<'static, ()>,
) -> BoxFuture<'static, ()> {
    let service: ApiService = service.into();
    let app = service.app();
    let policy = server::EvictionPolicy::of(app);
    let (feed_readers, availability) = (app.feed_readers.clone(), app.availability_streams.clone());
    let stop = stop.inspect(move |()| {
        feed_readers.close();
        availability.close();
    });
    Box::pin(server::serve(listener, service, connections, policy, stop))
}

/// Sends clients on `listener` to the same path by TLS, until `stop` is ready.
pub fn serve_redirects(
    listener: TcpListener,
    app: &AppState,
    target: RedirectTarget,
    connections: ConnectionSettings,
    stop: BoxFuture<'static, ()>,
) -> BoxFuture<'static, ()> {
    let policy = server::EvictionPolicy::of(app);
    Box::pin(server::redirect::serve(listener, target, connections, policy, stop))
}
