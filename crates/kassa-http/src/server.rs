//! The interface on a socket.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower::{Service, ServiceExt};

use crate::impatient::Impatient;
use crate::peer::Peer;
use crate::under_way::UnderWay;

/// How long a client may take to send the head of a request; idle connections are closed by it.
const HEAD_TIMEOUT: Duration = Duration::from_secs(75);
/// The longest head of a request, in bytes.
const HEAD_BYTES_MAX: usize = 64 * 1024;
/// How long a client may take nothing of its answer.
const TAKING_TIMEOUT: Duration = Duration::from_secs(30);
/// The most connections that a server is meant for.
pub const CONNECTIONS_MAX: usize = 20_000;
/// How long requests under way may take once the server is told to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);

/// Serves `service` on `listener` until `stop` is ready; then takes no new connection, lets each
/// request under way be answered, and returns. It has `connections_max` connections at a time; more wait in
/// the system's queue.
pub async fn serve<S>(listener: TcpListener, service: S, connections_max: usize, stop: impl Future<Output = ()>)
where
    S: Service<Request, Response = axum::response::Response, Error = std::convert::Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    let places = Arc::new(Semaphore::new(connections_max));
    let graceful = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(HEAD_BYTES_MAX);
    // A client that has said all, and closed its side, still wants its answer.
    http.half_close(true);
    let under_way = UnderWay::default();
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                // Without it, small answers wait for the client's acknowledgement of earlier ones.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "a connection is slower than it could be");
                }
                let stream = TokioIo::new(Impatient::new(stream, TAKING_TIMEOUT));
                let service = service.clone();
                let under_way = under_way.clone();
                let answer = move |request: hyper::Request<Incoming>| {
                    let mut request = request.map(axum::body::Body::new);
                    request.extensions_mut().insert(Peer(peer.ip()));
                    under_way.watch(service.clone().oneshot(request))
                };
                let connection = http.serve_connection(stream, service_fn(answer));
                let connection = graceful.watch(connection);
                tokio::spawn(async move {
                    let _place = place;
                    if let Err(error) = connection.await {
                        tracing::debug!(%error, "a connection broke");
                    }
                });
            }
            Err(error) => pause_after(&error).await,
        }
    }
    drop(listener);
    tokio::select! {
        () = graceful.shutdown() => {}
        // What is left then has sent no whole request.
        () = under_way.none() => {}
        () = tokio::time::sleep(STOP_TIMEOUT) => {
            tracing::warn!("some requests were still under way when the server stopped");
        }
    }
}

/// A connection that is gone already is nothing; when the system has no more of something, there
/// is no use in asking again at once.
async fn pause_after(error: &io::Error) {
    let gone = [io::ErrorKind::ConnectionRefused, io::ErrorKind::ConnectionAborted, io::ErrorKind::ConnectionReset];
    if !gone.contains(&error.kind()) {
        tracing::warn!(%error, "no connection could be accepted");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
