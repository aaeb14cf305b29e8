//! The interface on a socket.

mod client_stream;
mod connections;
mod entrance;
mod http;
mod http2;
mod in_flight;
mod pace;
mod proxy_protocol;
mod reads;
pub(crate) mod redirect;
mod settings;
mod tls;
mod write_timeout;

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::response::Response;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tower::Service;

use connections::Connections;
pub(crate) use connections::EvictionPolicy;
pub use entrance::NEWCOMERS_MAX;
use entrance::{Accepted, Entrance};
use http::HttpServer;
pub use settings::{CONNECTIONS_MAX, ConnectionSettings};
pub use tls::{TlsFilesError, TlsIdentity, certificate_end};

/// How long requests under way may take once the server is told to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);
/// How long connections that many requests share may take to end once all of these are answered.
const FLUSH_TIME: Duration = Duration::from_secs(1);
/// For so long clients that keep their connections may send a request, and are told with its answer to come anew, before
/// their connections are closed: somebody else takes new ones.
const SUCCESSION_TIME: Duration = Duration::from_secs(1);

/// Serves `service` on `listener` until `stop` is ready; then takes no new connection, lets each
/// request under way be answered, and returns.
pub(crate) async fn serve<S>(
    listener: TcpListener,
    service: S,
    settings: ConnectionSettings,
    policy: EvictionPolicy,
    stop: impl Future<Output = ()>,
) where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + Sync + 'static,
    S::Future: Send,
{
    let server = Arc::new(HttpServer::new(service, &settings, &policy));
    let graceful = [GracefulShutdown::new(), GracefulShutdown::new()];
    let begin = |accepted: Accepted| {
        let watchers = graceful.each_ref().map(GracefulShutdown::watcher);
        tokio::spawn(Arc::clone(&server).run(accepted, watchers));
    };
    let mut entrance = Entrance::new(settings.proxies, Connections::new(settings.max, policy));
    tokio::select! {
        () = async { loop { begin(entrance.next_of(&listener).await) } } => {}
        () = stop => {}
    }
    drop(listener);
    server.begin_to_close();
    if settings.has_successor {
        // Whoever takes new connections does not get these any more.
        let begin_rest = async {
            while let Some(accepted) = entrance.next().await {
                begin(accepted);
            }
        };
        if tokio::time::timeout(SUCCESSION_TIME, begin_rest).await.is_err() {
            tracing::warn!("some new connections found no place before the server stopped");
        }
    }
    let [of_http_1, of_http_2] = graceful;
    // These clients are told at once, and lose no request by it.
    let shared_closed = tokio::spawn(of_http_2.shutdown());
    if settings.has_successor {
        tokio::select! {
            () = server.open().wait_until_idle() => {}
            () = tokio::time::sleep(SUCCESSION_TIME) => {}
        }
    }
    let http_1_closed = async {
        tokio::select! {
            () = of_http_1.shutdown() => {}
            // What is left then has sent no whole request.
            () = server.under_way().wait_until_idle() => {}
        }
    };
    let http_2_closed = async {
        tokio::select! {
            _ = shared_closed => {}
            // The ends of answers may be on their way to the socket then.
            () = async {
                server.under_way().wait_until_idle().await;
                tokio::time::sleep(FLUSH_TIME).await;
            } => {}
        }
    };
    tokio::select! {
        _ = async { tokio::join!(http_1_closed, http_2_closed) } => {}
        () = tokio::time::sleep(STOP_TIMEOUT) => {
            tracing::warn!("some requests were still under way when the server stopped");
        }
    }
}

#[cfg(test)]
mod tests;
