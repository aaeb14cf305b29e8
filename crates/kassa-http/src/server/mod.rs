//! The interface on a socket.

mod connections;
mod in_flight;
mod pace;
mod reads;
mod write_timeout;

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::http::{StatusCode, Version, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;
use tower::{Service, ServiceExt};

use crate::peer::PeerAddress;
pub(crate) use connections::EvictionPolicy;
use connections::{Admission, ConnectionPlace, Connections};
use in_flight::InFlight;
use reads::HeadMemory;
use write_timeout::WriteTimeoutStream;

/// How long a client may take to send the head of a request; idle connections are closed by it.
const HEAD_TIMEOUT: Duration = Duration::from_secs(75);
/// The longest head of a request, in bytes.
const HEAD_BYTES_MAX: usize = 64 * 1024;
/// How long a client may take nothing of its answer.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// New connections that wait for a place; more wait in the system's queue.
const NEWCOMERS_MAX: usize = 128;
/// The most connections that a server is meant for.
pub const CONNECTIONS_MAX: usize = 20_000;

/// What a listener does with connections.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionSettings {
    /// How many there are at a time. For one more, another is closed, or it waits.
    pub max: usize,
    /// Whether a client that has said all, and closed its side, still gets its answer. Otherwise what is done for it
    /// ends with that.
    pub half_close: bool,
}

/// How long requests under way may take once the server is told to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);

/// Serves `service` on `listener` until `stop` is ready; then takes no new connection, lets each
/// request under way be answered, and returns.
pub(crate) async fn serve<S>(
    listener: TcpListener,
    service: S,
    connections: ConnectionSettings,
    policy: EvictionPolicy,
    stop: impl Future<Output = ()>,
) where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    let head_memory = HeadMemory::new(Arc::clone(&policy.limit_hits), policy.is_behind_proxies);
    let places = Connections::new(connections.max, policy);
    let graceful = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(HEAD_BYTES_MAX);
    http.half_close(connections.half_close);
    let under_way = InFlight::default();
    let begin = |Accepted { stream, peer, place }: Accepted| {
        // Without it, small answers wait for the client's acknowledgement of earlier ones.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection is slower than it could be");
        }
        let stream = TokioIo::new(WriteTimeoutStream::new(
            stream,
            head_memory.meter(peer.ip(), Arc::clone(&place)),
            WRITE_TIMEOUT,
        ));
        let (service, under_way, own_place) = (service.clone(), under_way.clone(), Arc::clone(&place));
        let answer = move |request: hyper::Request<Incoming>| {
            let mut request = request.map(axum::body::Body::new);
            request.extensions_mut().insert(PeerAddress(peer.ip()));
            let busy = own_place.begin_request();
            under_way.track(respond(service.clone(), request, busy.is_none()), busy)
        };
        let connection = http.serve_connection(stream, service_fn(answer));
        tokio::spawn(run_connection(graceful.watch(connection), place));
    };
    // Those who wait for a place, and those who have one and wait for their turn. They keep nobody from being let in who
    // may come before them, and cost little: the work for a connection begins with its turn.
    let (mut newcomers, mut paced) = (FuturesUnordered::new(), FuturesUnordered::new());
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
            accepted = listener.accept(), if newcomers.len() < NEWCOMERS_MAX => match accepted {
                Ok((stream, peer)) => match places.enter(peer.ip()) {
                    Admission::Entered(place) => Some(Accepted { stream, peer, place }),
                    Admission::Waits(place) => {
                        newcomers.push(async move { place.await.ok().map(|place| Accepted { stream, peer, place }) });
                        None
                    }
                    // Whoever has too many is let in no more.
                    Admission::Refused => None,
                },
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
    drop((newcomers, paced));
    drop(listener);
    tokio::select! {
        () = graceful.shutdown() => {}
        // What is left then has sent no whole request.
        () = under_way.wait_until_idle() => {}
        () = tokio::time::sleep(STOP_TIMEOUT) => {
            tracing::warn!("some requests were still under way when the server stopped");
        }
    }
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

/// Serves a connection to its end, or until it has to give way to another.
async fn run_connection(connection: impl Future<Output = Result<(), hyper::Error>>, place: Arc<ConnectionPlace>) {
    tokio::select! {
        // A request that has come in the meantime is not begun.
        biased;
        () = place.evicted() => tracing::debug!("a connection gave way to another"),
        ended = connection => {
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection broke");
            }
        }
    }
}

/// Lets a service answer a request that names its host: without that it is none by the rules of HTTP (RFC 9112,
/// section 3.2). Nor does it begin one whose connection has given way to another.
async fn respond<S>(service: S, request: Request, is_evicted: bool) -> Result<Response, Infallible>
where
    S: Service<Request, Response = Response, Error = Infallible>,
{
    if is_evicted {
        let retry = [(header::CONNECTION, "close"), (header::RETRY_AFTER, "1")];
        return Ok((StatusCode::SERVICE_UNAVAILABLE, retry).into_response());
    }
    let hosts = request.headers().get_all(header::HOST).iter().count();
    if hosts == 1 || (hosts == 0 && request.version() < Version::HTTP_11) {
        return service.oneshot(request).await;
    }
    Ok((StatusCode::BAD_REQUEST, [(header::CONNECTION, "close")]).into_response())
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
mod tests {
    use std::net::Ipv4Addr;

    use axum::Router;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::sync::Notify;
    use tokio::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    /// Tells when the work for a request ends.
    struct Work(Sender<&'static str>);

    impl Drop for Work {
        fn drop(&mut self) {
            self.0.try_send("ended").unwrap();
        }
    }

    /// A client that has closed its side, a request of whom is being worked on until `done` is notified.
    async fn half_closed(half_close: bool, done: &Arc<Notify>) -> (TcpStream, Receiver<&'static str>) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (news, mut told) = channel(2);
        let done = Arc::clone(done);
        let service = Router::new().fallback(move || {
            let (news, done) = (news.clone(), Arc::clone(&done));
            async move {
                let work = Work(news);
                work.0.try_send("begun").unwrap();
                done.notified().await;
                "done"
            }
        });
        let settings = ConnectionSettings { max: 1, half_close };
        tokio::spawn(serve(listener, service, settings, EvictionPolicy::default(), std::future::pending()));
        client.write_all(b"GET / HTTP/1.1\r\nHost: kassa\r\nConnection: close\r\n\r\n").await.unwrap();
        assert_eq!(told.recv().await, Some("begun"));
        client.shutdown().await.unwrap();
        (client, told)
    }

    #[tokio::test]
    async fn when_all_places_are_taken_an_idle_connection_gives_way() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (settings, policy) = (ConnectionSettings { max: 2, half_close: true }, EvictionPolicy::default());
        let service = Router::new().fallback(|| async { "done" });
        tokio::spawn(serve(listener, service, settings, policy, std::future::pending()));
        let mut clients = Vec::new();
        for count in 1..=5 {
            let mut client = TcpStream::connect(address).await.unwrap();
            client.write_all(b"GET / HTTP/1.1\r\nHost: kassa\r\n\r\n").await.unwrap();
            let mut answer = [0; 12];
            client.read_exact(&mut answer).await.unwrap();
            assert_eq!(&answer, b"HTTP/1.1 200", "client {count}");
            clients.push(client);
        }
        let mut rest = Vec::new();
        for mut closed in clients.drain(..3) {
            closed.read_to_end(&mut rest).await.unwrap();
        }
        for client in &mut clients {
            client.write_all(b"GET / HTTP/1.1\r\nHost: kassa\r\nConnection: close\r\n\r\n").await.unwrap();
            let mut answers = String::new();
            client.read_to_string(&mut answers).await.unwrap();
            assert!(answers.contains("HTTP/1.1 200"), "{answers}");
        }
    }

    #[tokio::test]
    async fn half_closed_connection_is_dropped_or_answered_as_configured() {
        let (done, mut answer) = (Arc::new(Notify::new()), String::new());
        let (mut client, mut told) = half_closed(false, &done).await;
        assert_eq!(told.recv().await, Some("ended"), "though nothing was done");
        client.read_to_string(&mut answer).await.unwrap();
        assert_eq!(answer, "");
        let (mut client, mut told) = half_closed(true, &done).await;
        done.notify_one();
        client.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("done"), "{answer}");
        assert_eq!(told.recv().await, Some("ended"));
    }
}
