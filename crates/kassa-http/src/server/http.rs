//! HTTP on one connection after the other.

use std::convert::Infallible;
use std::error::Error;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode, Version, header};
use axum::response::{IntoResponse as _, Response};
use hyper::body::Incoming;
use hyper::server::conn::{http1, http2 as hyper_http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::graceful::Watcher;
use tower::{Service, ServiceExt as _};

use super::client_stream::ClientStream;
use super::connections::{ConnectionPlace, EvictionPolicy};
use super::entrance::Accepted;
use super::http2::{self, BegunRequest, SharedAnswers};
use super::in_flight::InFlight;
use super::reads::HeadMemory;
use super::settings::ConnectionSettings;
use super::tls::{HTTP_2, TlsIdentity};
use super::write_timeout::WriteTimeoutStream;
use crate::peer::PeerAddress;

/// How long a client may take to send the head of a request; idle connections are closed by it.
const HEAD_TIMEOUT: Duration = Duration::from_secs(75);
/// The longest head of a request, in bytes.
const HEAD_BYTES_MAX: usize = 64 * 1024;
/// How long a client may take nothing of its answer.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long both sides may take to agree on a secret.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// By which the rest of the program knows that a client speaks TLS, as proxies say it.
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// What all connections of a listener share.
pub(super) struct HttpServer<S> {
    service: S,
    http_1: http1::Builder,
    http_2: hyper_http2::Builder<TokioExecutor>,
    tls: Option<TlsIdentity>,
    hsts: Option<HeaderValue>,
    head_memory: HeadMemory,
    /// Requests that are being answered, and connections.
    under_way: InFlight,
    open: InFlight,
    is_closing: AtomicBool,
}

impl<S> HttpServer<S>
where
    S: Service<Request, Response = Response, Error = Infallible> + Clone + Send + Sync + 'static,
    S::Future: Send,
{
    pub(super) fn new(service: S, settings: &ConnectionSettings, policy: &EvictionPolicy) -> Self {
        let mut http_1 = http1::Builder::new();
        http_1.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(HEAD_BYTES_MAX);
        http_1.half_close(settings.half_close);
        let hsts = (settings.tls.is_some() && settings.hsts_seconds > 0)
            .then(|| HeaderValue::from_str(&format!("max-age={}", settings.hsts_seconds)).ok());
        Self {
            service,
            http_1,
            http_2: http2::builder(),
            tls: settings.tls.clone(),
            hsts: hsts.flatten(),
            head_memory: HeadMemory::new(Arc::clone(&policy.limit_hits), policy.is_behind_proxies),
            under_way: InFlight::default(),
            open: InFlight::default(),
            is_closing: AtomicBool::new(false),
        }
    }

    pub(super) fn under_way(&self) -> &InFlight {
        &self.under_way
    }

    pub(super) fn open(&self) -> &InFlight {
        &self.open
    }

    /// From now on clients are told to come anew.
    pub(super) fn begin_to_close(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
    }

    /// Serves a connection to its end, or until it has to give way to another. It is open from this call on, whenever the
    /// work for it begins.
    pub(super) fn run(
        self: Arc<Self>,
        accepted: Accepted,
        watchers: [Watcher; 2],
    ) -> impl Future<Output = ()> + use<S> + Send {
        let open = self.open.enter();
        async move {
            self.serve(accepted, watchers).await;
            drop(open);
        }
    }

    async fn serve(self: Arc<Self>, accepted: Accepted, watchers: [Watcher; 2]) {
        let Accepted { stream, peer, place } = accepted;
        // Without it, small answers wait for the client's acknowledgement of earlier ones.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection is slower than it could be");
        }
        let meter = self.head_memory.meter(peer.ip(), Arc::clone(&place));
        let stream = WriteTimeoutStream::new(stream, meter, WRITE_TIMEOUT);
        let speak = self.speak(stream, peer, Arc::clone(&place), watchers);
        tokio::select! {
            // A request that has come in the meantime is not begun.
            biased;
            () = place.evicted() => tracing::debug!("a connection gave way to another"),
            ended = speak => {
                if let Err(error) = ended {
                    tracing::debug!(%error, "a connection broke");
                }
            }
        }
    }

    async fn speak(
        self: &Arc<Self>,
        stream: WriteTimeoutStream,
        peer: SocketAddr,
        place: Arc<ConnectionPlace>,
        [of_http_1, of_http_2]: [Watcher; 2],
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let (stream, is_shared) = self.encrypt(stream).await?;
        let (stream, server) = (TokioIo::new(stream), Arc::clone(self));
        if !is_shared {
            drop(of_http_2);
            let answer = move |request| server.answer(request, peer, &place);
            return Ok(of_http_1.watch(self.http_1.serve_connection(stream, service_fn(answer))).await?);
        }
        drop(of_http_1);
        // Elsewhere, no room is taken for it.
        Box::pin(self.speak_http_2(stream, peer, place, of_http_2)).await
    }

    /// HTTP/2, until its client does nothing for long, or takes too little.
    async fn speak_http_2(
        self: &Arc<Self>,
        stream: TokioIo<ClientStream>,
        peer: SocketAddr,
        place: Arc<ConnectionPlace>,
        watcher: Watcher,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let (server, answers) = (Arc::clone(self), SharedAnswers::new(WRITE_TIMEOUT));
        let (own_answers, own_place) = (Arc::clone(&answers), Arc::clone(&place));
        let answer = move |request| server.answer_http_2(request, peer, &own_place, &own_answers);
        let connection = watcher.watch(self.http_2.serve_connection(stream, service_fn(answer)));
        tokio::select! {
            ended = connection => Ok(ended?),
            () = answers.stalled() => Err("the client took too little of an answer".into()),
            () = idle_for_long(&place) => Ok(()),
        }
    }

    /// Agrees with the client on a secret, where one is wanted, and on the version of HTTP.
    async fn encrypt(&self, stream: WriteTimeoutStream) -> io::Result<(ClientStream, bool)> {
        let Some(tls) = &self.tls else { return Ok((ClientStream::Clear(stream), false)) };
        let handshake = tokio::time::timeout(HANDSHAKE_TIMEOUT, Box::pin(tls.acceptor().accept(stream)));
        let stream = handshake.await.map_err(|_| io::ErrorKind::TimedOut)??;
        let is_shared = stream.get_ref().1.alpn_protocol() == Some(HTTP_2);
        Ok((ClientStream::Tls(Box::new(stream)), is_shared))
    }

    fn answer(
        self: &Arc<Self>,
        request: hyper::Request<Incoming>,
        peer: SocketAddr,
        place: &Arc<ConnectionPlace>,
    ) -> impl Future<Output = Result<Response, Infallible>> + use<S> {
        let request = self.received(request, peer);
        let (server, busy) = (Arc::clone(self), place.begin_request());
        let answer = respond(self.service.clone(), request, busy.is_none());
        let answer = async move {
            let mut response = answer.await?;
            server.add_headers(&mut response);
            if server.is_closing.load(Ordering::Relaxed) {
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Ok(response)
        };
        self.under_way.track(answer, (busy, None))
    }

    /// The same by HTTP/2: what holds for a connection elsewhere holds for all that share one.
    fn answer_http_2(
        self: &Arc<Self>,
        request: hyper::Request<Incoming>,
        peer: SocketAddr,
        place: &Arc<ConnectionPlace>,
        answers: &Arc<SharedAnswers>,
    ) -> impl Future<Output = Result<Response, Infallible>> + use<S> {
        let mut request = self.received(request, peer);
        http2::normalize(&mut request);
        let (server, busy) = (Arc::clone(self), place.begin_request());
        let head = self.head_memory.cover(peer.ip(), http2::head_bytes(&request));
        let answer = respond(self.service.clone(), request, busy.is_none() || head.is_none());
        let (begun, answers) = (BegunRequest::new(Arc::clone(place)), Arc::clone(answers));
        let answer = async move {
            let mut response = answer.await?;
            begun.answered();
            server.add_headers(&mut response);
            Ok(response)
        };
        let answer = self.under_way.track(answer, (busy, head));
        // Around all that the request takes: what is not written yet keeps it.
        async move { answer.await.map(|response| response.map(|body| answers.watch(body))) }
    }

    fn received(&self, request: hyper::Request<Incoming>, peer: SocketAddr) -> Request {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(PeerAddress(peer.ip()));
        if self.tls.is_some() {
            request.headers_mut().insert(FORWARDED_PROTO, HeaderValue::from_static("https"));
        }
        request
    }

    fn add_headers(&self, response: &mut Response) {
        if let Some(hsts) = &self.hsts {
            response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, hsts.clone());
        }
    }
}

/// Ready when a connection that others may share has had no request for as long as one of HTTP/1 may take for a head.
async fn idle_for_long(place: &ConnectionPlace) {
    loop {
        let idle = place.idle_time().unwrap_or_default();
        if idle >= HEAD_TIMEOUT {
            return;
        }
        tokio::time::sleep(HEAD_TIMEOUT.saturating_sub(idle)).await;
    }
}

/// Lets a service answer a request that names its host: without that it is none by the rules of HTTP (RFC 9112,
/// section 3.2). Nor does it begin one whose connection has given way to another, or for which there is no room.
async fn respond<S>(service: S, request: Request, is_refused: bool) -> Result<Response, Infallible>
where
    S: Service<Request, Response = Response, Error = Infallible>,
{
    if is_refused {
        let retry = [(header::CONNECTION, "close"), (header::RETRY_AFTER, "1")];
        return Ok((StatusCode::SERVICE_UNAVAILABLE, retry).into_response());
    }
    let hosts = request.headers().get_all(header::HOST).iter().count();
    if hosts == 1 || (hosts == 0 && request.version() < Version::HTTP_11) {
        return service.oneshot(request).await;
    }
    Ok((StatusCode::BAD_REQUEST, [(header::CONNECTION, "close")]).into_response())
}
