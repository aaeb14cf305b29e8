//! What stands around every handler, from the outside to the inside.
//!
//! It is one function that each request passes, and no stack of layers: a layer of the framework copies all that is
//! below it for each request, and that cost more than the handlers themselves.

mod answer_key;
mod answer_memory;
mod body_drain;
mod conditions;
mod cors;
mod deprecation;
mod pages;
mod paths;
mod rate_limits;
mod security_headers;
mod traces;

use std::convert::Infallible;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Either, ready};
use hyper::body::Body as _;
use kassa_engine::{Failure, ListTurn, Reader};
use kassa_store::memory_budget::{FREE_HELD_BYTES, MemoryMeter};
use tower::{Layer, Service, service_fn};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;
use utoipa::openapi::OpenApi;

use crate::answer_cache::{AnswerKey, KeptAnswer};
use crate::api_docs::ApiVersion;
use crate::app::AppState;
use crate::error::ApiError;
use crate::fields_schema::Shaping;
use crate::input::{Query, RequestNames};
use crate::long_answers::{Expected, UnknownPath};
use crate::pages::Pages;
use crate::request_log::{PendingRequest, RequestNote};
use crate::request_metrics::RequestMetrics;
use crate::response::entity_tags::{self, IfNoneMatch};
use crate::response::packing::{COMPRESSION_BYTES_MIN, VARY_BY_ENCODING, accepts_gzip};
use crate::route::{Access, ErrorFormat, MatchedRoute, Route, RouteTable};
use crate::{api_docs, caller, error, fields_schema, files, peer, v1, v2};
use conditions::{KeysInUse, PendingReplay};
use deprecation::DeprecationNotice;

/// The whole interface, and pages at paths that are none of its own, if there are any. Clones share it.
#[derive(Clone)]
pub struct ApiService {
    handlers: Arc<Handlers>,
    pages: Option<Arc<dyn Pages>>,
}

/// The handlers, and what they share.
pub(crate) struct Handlers {
    pub(crate) app: AppState,
    /// Keys of requests that are being answered.
    pub(crate) keys: KeysInUse,
    /// What is known of each route.
    pub(crate) routes: Arc<RouteTable>,
    /// The handlers.
    router: Router,
}

/// The handlers of all versions with their descriptions, and what is known of each route.
fn assemble() -> (Router<AppState>, [(ApiVersion, OpenApi); 2], RouteTable) {
    let versions = [
        (ApiVersion::V1, v1::routes(ApiVersion::V1.new_document())),
        (ApiVersion::V2, v2::routes(ApiVersion::V2.new_document())),
    ];
    let (mut router, mut table) = (Router::new(), RouteTable::default());
    let documents = versions.map(|(version, endpoints)| {
        let (handlers, document, listed) = endpoints.into_parts();
        router = std::mem::take(&mut router).merge(handlers);
        for (method, path, route) in listed {
            let has_texts = path.starts_with(v2::RESOURCES_PREFIX);
            table.add(&method, &path, route, if has_texts { ErrorFormat::WithTexts } else { ErrorFormat::Plain });
        }
        (version, document)
    });
    table.add_unknown_below(v2::RESOURCES_PREFIX, ErrorFormat::WithTexts);
    table.add(&Method::GET, files::PATH, &files::ROUTE, ErrorFormat::Plain);
    for path in api_docs::paths() {
        table.add(&Method::GET, path, &api_docs::ROUTE, ErrorFormat::Plain);
    }
    (router.route(files::PATH, get(files::handle)), documents, table)
}

/// What is known of each route.
#[cfg(test)]
pub(crate) fn all_routes() -> RouteTable {
    assemble().2
}

impl ApiService {
    pub(crate) fn new(app: AppState) -> Self {
        let (router, documents, table) = assemble();
        app.request_metrics.get_or_init(|| RequestMetrics::of(&table));
        let table = Arc::new(table);
        let router = router.merge(api_docs::routes(documents, &table, &app.config));
        let router = router.fallback(error::no_such_path).method_not_allowed_fallback(error::no_such_method);
        let router = router.with_state(app.clone());
        Self { handlers: Arc::new(Handlers { app, keys: KeysInUse::default(), routes: table, router }), pages: None }
    }

    /// The same with pages.
    #[must_use]
    pub fn with_pages(self, pages: Arc<dyn Pages>) -> Self {
        Self { pages: Some(pages), ..self }
    }

    /// The same without pages.
    pub(crate) fn without_pages(&self) -> Self {
        Self { handlers: Arc::clone(&self.handlers), pages: None }
    }

    /// What every handler has at hand.
    pub(crate) fn app(&self) -> &AppState {
        &self.handlers.app
    }
}

impl From<AppState> for ApiService {
    fn from(app: AppState) -> Self {
        Self::new(app)
    }
}

impl Service<Request> for ApiService {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let Self { handlers, pages } = self.clone();
        let request = paths::normalize_slashes(request);
        let pages = pages.filter(|_| pages::is_page(&handlers.routes, request.uri().path()));
        let span = traces::begin(&handlers.routes, pages.is_some(), &request);
        let answer: Self::Future = match pages {
            Some(pages) => Box::pin(async move { Ok(pages::respond(&handlers, &pages, request).await) }),
            None => Box::pin(handlers.respond(request)),
        };
        match span {
            Some(span) => Box::pin(traces::follow(span, answer)),
            None => answer,
        }
    }
}

impl Handlers {
    async fn respond(self: Arc<Self>, request: Request) -> Result<Response, Infallible> {
        let found = self.routes.find(request.method(), request.uri().path());
        let counted = self.app.request_metrics.get().map(|requests| (requests, requests.begin(found)));
        let deprecation = DeprecationNotice::of(&self.app, found, &request);
        let (request, rest) = body_drain::keep_drainable(request);
        let meter = MemoryMeter::new(&self.app.answer_memory, self.app.config.answer_bytes_max);
        let note = RequestNote::new();
        let may_change = Route::may_change(found.route, request.method());
        let answer = self.respond_to_caller(found, request, (&meter, &note));
        let answered = meter.scope(AssertUnwindSafe(answer).catch_unwind()).await;
        let mut response = answered.unwrap_or_else(error::panic_response);
        response = answer_memory::hold(response, &meter, may_change);
        Self::add_error_texts(found, &mut response);
        if let Some(notice) = deprecation {
            notice.apply(&mut response);
        }
        cors::allow_all_origins(&mut response);
        security_headers::apply(&mut response);
        if let Some((requests, begun)) = counted {
            requests.end(&begun, response.status());
        }
        if let Some(pending) = note.into_inner() {
            self.app.request_log.record(pending, response.status(), self.app.engine.now());
        }
        if let Some(rest) = rest {
            rest.drain().await;
        }
        Ok(answer_memory::keep_until_sent(response, meter))
    }

    /// Adds texts to an error, where the route has them.
    pub(crate) fn add_error_texts(found: MatchedRoute, response: &mut Response) {
        v2::add_error_texts(found.errors == ErrorFormat::WithTexts, response);
    }

    /// The caller comes before anything else that can be said of a request.
    async fn respond_to_caller(
        self: &Arc<Self>,
        found: MatchedRoute,
        mut request: Request,
        (meter, note): (&MemoryMeter, &RequestNote),
    ) -> Response {
        if request.method() == Method::OPTIONS {
            // A preflight has no credential. What the path takes, the router says of a method that it does not.
            let Ok(refused) = self.router.clone().call(request).await;
            return cors::preflight(refused.headers().get(header::ALLOW));
        }
        let marks = match caller::authenticate(&self.app, found.access, &mut request).await {
            Ok(marks) => marks,
            Err(error) => return error.into_response(),
        };
        if let Some((partner, key)) = caller::key_of(&request) {
            note.get_or_init(|| PendingRequest::of(&request, partner, key, self.app.engine.now()));
        }
        let limited = found.route.and_then(|route| route.rate_limit);
        let mut response = match rate_limits::admit(&self.app, limited, &request) {
            Ok(()) => self.respond_to_admitted(found, request, meter).await,
            Err(too_often) => ApiError::from(too_often).into_response(),
        };
        marks.apply(&mut response);
        response
    }

    // From here on, a request is handed on by functions that are not async, as far as nothing is waited for: an async one keeps
    // room for it beside that of the next, and all of that is moved when it begins.

    /// Answers with what is kept in memory, where that may be.
    fn respond_to_admitted<'a>(
        self: &'a Arc<Self>,
        found: MatchedRoute,
        request: Request,
        meter: &'a MemoryMeter,
    ) -> BoxFuture<'a, Response> {
        match AnswerKey::of(&self.app, found.route, &request) {
            Some(key) => Box::pin(self.respond_from_memory(found, request, (key, meter))),
            None => self.respond_in_share(found, request, meter),
        }
    }

    async fn respond_from_memory(
        self: &Arc<Self>,
        found: MatchedRoute,
        mut request: Request,
        (key, meter): (AnswerKey, &MemoryMeter),
    ) -> Response {
        if let Some(kept) = self.app.answers.find(&self.app.engine, &key).await {
            request.extensions_mut().insert(kept);
            return self.respond_if_modified(found, request).await;
        }
        request.extensions_mut().insert(key);
        self.respond_in_share(found, request, meter).await
    }

    /// Whoever asks takes of its own share of memory.
    fn respond_in_share<'a>(
        self: &'a Arc<Self>,
        found: MatchedRoute,
        request: Request,
        meter: &'a MemoryMeter,
    ) -> BoxFuture<'a, Response> {
        let Some(reader) = caller::payer(&self.app, &request) else {
            return self.respond_in_place(found, request, None);
        };
        let caller = peer::memory_caller(reader);
        meter.set_caller(caller);
        if !Route::may_change(found.route, request.method()) {
            return self.respond_in_place(found, request, Some(reader));
        }
        // A write looks up what it needs, and waits for nobody who lists. What it answers is not refused: so little of that is
        // free, and it is not begun while too much of that waits for its client.
        meter.set_free_of_rendered(FREE_HELD_BYTES);
        match self.app.answer_memory.check_share(caller) {
            Ok(()) => self.respond_in_place(found, request, None),
            Err(exceeded) => Box::pin(ready(ApiError::from(Failure::from(exceeded)).into_response())),
        }
    }

    /// Answers a request where it does not hold up others: long answers have threads of their own.
    fn respond_in_place(
        self: &Arc<Self>,
        found: MatchedRoute,
        mut request: Request,
        reader: Option<Reader>,
    ) -> BoxFuture<'_, Response> {
        let (long_answers, handlers) = (&self.app.long_answers, Arc::clone(self));
        let may_be_shaped = request.uri().query().is_some_and(fields_schema::may_have_parameter);
        let expected = long_answers.expect(found.route, may_be_shaped, &request);
        match (expected, reader) {
            (Expected::Long, _) => {
                Box::pin(long_answers.make(async move {
                    handlers.respond_as(reader, handlers.respond_if_modified(found, request)).await
                }))
            }
            (Expected::Pages | Expected::Unknown(_), _) => {
                if let Expected::Unknown(path) = expected {
                    request.extensions_mut().insert(path);
                }
                Box::pin(
                    long_answers.make(async move {
                        handlers.respond_as(reader, handlers.respond_in_turn(found, request)).await
                    }),
                )
            }
            (Expected::Short, Some(reader)) => {
                Box::pin(self.app.engine.read_as(reader, self.respond_to_short(reader, found, request)))
            }
            (Expected::Short, None) => Box::pin(self.respond_if_modified(found, request)),
        }
    }

    /// Answers a request of a reader, who shares the reading of lists with all others.
    async fn respond_as(&self, reader: Option<Reader>, answer: impl Future<Output = Response>) -> Response {
        match reader {
            Some(reader) => self.app.engine.read_as(reader, answer).await,
            None => answer.await,
        }
    }

    /// Answers a short request in the share of its reader. Writes have shares of their own, in the lanes, and so have
    /// files.
    async fn respond_to_short(&self, reader: Reader, found: MatchedRoute, request: Request) -> Response {
        let share = match found.access {
            Access::Public => None,
            Access::Credential | Access::Checked | Access::Session => Some(self.app.short_reads.begin(reader).await),
        };
        match share.transpose() {
            Ok(_share) => self.respond_if_modified(found, request).await,
            Err(failure) => ApiError::from(failure).into_response(),
        }
    }

    /// Answers a request in a turn of its reader, from the first look-up of its handler on: those of requests that nobody waits
    /// for any more would hold up others as well as their lists do.
    async fn respond_in_turn(&self, found: MatchedRoute, request: Request) -> Response {
        match ListTurn::begin().await {
            Ok(()) => self.respond_if_modified(found, request).await,
            Err(failure) => ApiError::from(failure).into_response(),
        }
    }

    fn respond_if_modified(&self, found: MatchedRoute, request: Request) -> impl Future<Output = Response> {
        let known = IfNoneMatch::from_request(&request);
        self.respond_compressed(found, request).map(move |response| match known {
            Some(known) => known.strip_known(response),
            None => response,
        })
    }

    /// Answers a request, packed for a client that takes that.
    fn respond_compressed(&self, found: MatchedRoute, request: Request) -> impl Future<Output = Response> {
        let is_head = request.method() == Method::HEAD;
        let may_be_packed = found.route.is_none_or(|route| route.may_be_compressed);
        let packs = may_be_packed && accepts_gzip(request.headers());
        if packs && !is_head {
            // Long, and not for every request.
            return Either::Left(Box::pin(self.respond_packed(found, request)));
        }
        Either::Right(self.handle_on_conditions(found, request).map(move |mut response| {
            if may_be_packed && is_worth_compressing(&response) {
                // A document that is kept in both forms says so itself.
                if !response.headers().get_all(header::VARY).iter().any(|by| by == VARY_BY_ENCODING) {
                    response.headers_mut().append(header::VARY, VARY_BY_ENCODING);
                }
                if packs {
                    // How long the packed answer is, nobody knows before it is packed.
                    response.headers_mut().remove(header::CONTENT_LENGTH);
                    response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                    entity_tags::mark_compressed(response.headers_mut());
                }
            }
            response
        }))
    }

    async fn respond_packed(&self, found: MatchedRoute, request: Request) -> Response {
        let packing = CompressionLayer::new().gzip(true).compress_when(SizeAbove::new(COMPRESSION_BYTES_MIN));
        let whole =
            service_fn(|request| async { Ok::<_, Infallible>(self.handle_on_conditions(found, request).await) });
        let Ok(mut response) = packing.layer(whole).call(request).await;
        if response.headers().contains_key(header::CONTENT_ENCODING) {
            entity_tags::mark_compressed(response.headers_mut());
        }
        response.map(Body::new)
    }
}

impl Handlers {
    /// Answers a request, as far as it has conditions on these.
    fn handle_on_conditions(&self, found: MatchedRoute, request: Request) -> impl Future<Output = Response> {
        match found.route {
            Some(route) if conditions::has_conditions(&request) => {
                // Long, and not for every request.
                Either::Left(Box::pin(conditions::handle_conditional(self, found, route, request)))
            }
            _ => Either::Right(self.handle(found, request)),
        }
    }

    /// Lets the handler of a request answer it. What is wrong with its query is said first, also where nobody reads it.
    pub(crate) fn handle(&self, found: MatchedRoute, mut request: Request) -> impl Future<Output = Response> {
        let Some(route) = found.route else { return Either::Left(self.run_handler(request).boxed()) };
        if let Some(kept) = request.extensions_mut().remove::<Arc<KeptAnswer>>() {
            return Either::Left(ready(kept.to_response()).boxed());
        }
        request.extensions_mut().insert(route);
        if let Some(key) = request.extensions_mut().remove::<AnswerKey>() {
            // Long, and not for every request.
            return Either::Left(self.app.answers.make(&self.app.engine, key, self.run_handler(request)).boxed());
        }
        Either::Right(self.handle_names(route, request))
    }

    /// The same, with a warning of names in a query or a body that only resemble known ones.
    fn handle_names(&self, route: &'static Route, mut request: Request) -> impl Future<Output = Response> {
        let has_query = request.uri().query().is_some();
        let has_names = has_query || !request.body().is_end_stream();
        let named = has_names.then(|| (RequestNames::default(), request.uri().clone()));
        if let Some((names, _)) = &named {
            request.extensions_mut().insert(names.clone());
        }
        let answer = if has_query && route.access != Access::Public {
            // Long, and not for every request.
            Either::Left(self.handle_query(route, request).boxed())
        } else {
            Either::Right(self.run_handler(request))
        };
        answer.map(move |mut response| {
            if let Some((names, uri)) = named {
                Query::warn_of_similar_names(&names, uri.query(), response.headers_mut());
            }
            response
        })
    }

    /// The same of a request that says more than its path.
    async fn handle_query(&self, route: &'static Route, mut request: Request) -> Response {
        // What is shaped is what a GET answers.
        let is_head = *request.method() == Method::HEAD;
        if is_head {
            *request.method_mut() = Method::GET;
        }
        let response = self.handle_shaped(route, request).await;
        if is_head { without_body(response) } else { response }
    }

    /// The same, in the shape that the query asks for.
    async fn handle_shaped(&self, route: &'static Route, request: Request) -> Response {
        if let Err(error) = Query::read(request.uri().query().unwrap_or_default()) {
            return error.into_response();
        }
        let Some(kind) = route.shows else { return self.run_handler(request).await };
        let next = async |request| self.run_handler(request).await;
        let shaping = Shaping { kind, loaders: v1::LOADERS };
        fields_schema::shape(&self.app, shaping, request, next).await
    }

    /// What the handler answers, or has answered when this was asked first.
    fn run_handler(&self, mut request: Request) -> impl Future<Output = Response> {
        if let Some(PendingReplay(saved)) = request.extensions_mut().remove::<PendingReplay>() {
            return Either::Left(ready(conditions::recorded_response(&saved)));
        }
        let is_head = *request.method() == Method::HEAD;
        let path = request.extensions_mut().remove::<UnknownPath>();
        let route = request.extensions().get::<&Route>().copied();
        let is_public = route.is_some_and(|route| route.access == Access::Public);
        let may_change = Route::may_change(route, request.method());
        Either::Right(self.router.clone().call(request).map(move |Ok(response)| {
            if let Some(path) = path {
                self.app.long_answers.note(path, &response, is_head);
            }
            // Documents lie in memory all the time, and files on the disk.
            if is_public { response } else { answer_memory::charge(response, may_change) }
        }))
    }
}

/// The head of a response, which still tells how long the body would be.
fn without_body(mut response: Response) -> Response {
    if let Some(length) = response.body().size_hint().exact() {
        response.headers_mut().entry(header::CONTENT_LENGTH).or_insert(length.into());
    }
    response.map(|_| Body::empty())
}

/// Whether an answer is so long that it would be packed for a client that takes that.
fn is_worth_compressing(response: &Response) -> bool {
    let said = response.headers().get(header::CONTENT_LENGTH);
    let said = said.and_then(|length| length.to_str().ok()?.parse().ok());
    said.or_else(|| response.body().size_hint().exact()).is_none_or(|length| length >= COMPRESSION_BYTES_MIN)
}
