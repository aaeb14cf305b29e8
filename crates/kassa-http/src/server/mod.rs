//! The interface on a socket.

mod client_stream;
mod connections;
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
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::response::Response;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;
use tower::Service;

pub(crate) use connections::EvictionPolicy;
use connections::{Admission, ConnectionPlace, Connections};
use http::HttpServer;
pub use settings::{CONNECTIONS_MAX, ConnectionSettings};
pub use tls::{TlsFilesError, TlsIdentity, certificate_end};

/// New connections that wait for a place, or whose proxy has not said yet whose they are; more wait in the system's queue.
pub const NEWCOMERS_MAX: usize = 128;
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
    accept_until(listener, &settings, Connections::new(settings.max, policy), begin, stop).await;
    server.begin_to_close();
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

/// Lets connections in, in turn, until `stop` is ready, and begins each.
async fn accept_until(
    listener: TcpListener,
    settings: &ConnectionSettings,
    places: Connections,
    begin: impl Fn(Accepted),
    stop: impl Future<Output = ()>,
) {
    // Those who wait for a place, and those who have one and wait for their turn. They keep nobody from being let in who
    // may come before them, and cost little: the work for a connection begins with its turn.
    let (mut newcomers, mut paced) = (FuturesUnordered::new(), FuturesUnordered::new());
    let mut proxied = FuturesUnordered::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let entered = tokio::select! {
            Some(entered) = newcomers.next() => entered,
            Some(accepted) = paced.next() => {
                if let Some(accepted) = accepted {
                    begin(accepted);
                }
                continue;
            }
            Some(named) = proxied.next() => match named {
                Some((stream, peer)) => enter(&places, stream, peer, |waiting| newcomers.push(waiting)),
                None => None,
            },
            accepted = listener.accept(), if newcomers.len() + proxied.len() < NEWCOMERS_MAX => match accepted {
                Ok((stream, peer)) if settings.proxies.iter().any(|proxy| proxy.contains(peer.ip().to_canonical())) => {
                    proxied.push(read_client(stream, peer));
                    None
                }
                Ok((stream, peer)) => enter(&places, stream, peer, |waiting| newcomers.push(waiting)),
                Err(error) => {
                    back_off_after(&error).await;
                    None
                }
            },
            () = &mut stop => break,
        };
        let Some(accepted) = entered else { continue };
        match accepted.place.pace().record_connection() {
            Some(begins_at) => paced.push(accepted.wait_until(begins_at)),
            None => begin(accepted),
        }
    }
}

/// Finds a place for a connection, or lets it wait for one. Whoever has too many is let in no more.
fn enter(places: &Connections, stream: TcpStream, peer: SocketAddr, wait: impl FnOnce(Waiting)) -> Option<Accepted> {
    match places.enter(peer.ip()) {
        Admission::Entered(place) => Some(Accepted { stream, peer, place }),
        Admission::Waits(place) => {
            wait(Box::pin(async move { place.await.ok().map(|place| Accepted { stream, peer, place }) }));
            None
        }
        Admission::Refused => None,
    }
}

/// A connection, when it has found a place.
type Waiting = std::pin::Pin<Box<dyn Future<Output = Option<Accepted>> + Send>>;

/// The connection of a client that a proxy names; `None` if it does not.
async fn read_client(mut stream: TcpStream, proxy: SocketAddr) -> Option<(TcpStream, SocketAddr)> {
    let named = proxy_protocol::read_client(&mut stream, proxy).await;
    let client = named.inspect_err(|error| tracing::debug!(%error, %proxy, "a proxy did not say whom it passes on"));
    client.ok().map(|client| (stream, client))
}

/// A connection that has been let in.
struct Accepted {
    stream: TcpStream,
    peer: SocketAddr,
    place: Arc<ConnectionPlace>,
}

impl Accepted {
    /// Waits until its address may begin one more; `None` if it has to give way to another before.
    async fn wait_until(self, begins_at: Instant) -> Option<Self> {
        tokio::select! {
            () = self.place.evicted() => None,
            () = tokio::time::sleep_until(begins_at) => Some(self),
        }
    }
}

/// A connection that is gone already is nothing; when the system has no more of something, there
/// is no use in asking again at once.
async fn back_off_after(error: &io::Error) {
    let gone = [io::ErrorKind::ConnectionRefused, io::ErrorKind::ConnectionAborted, io::ErrorKind::ConnectionReset];
    if !gone.contains(&error.kind()) {
        tracing::warn!(%error, "no connection could be accepted");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[cfg(test)]
mod tests;
