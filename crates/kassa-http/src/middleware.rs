//! What stands around every handler, from the outside to the inside.
//!
//! It is one function that each request passes, and no stack of layers: a layer of the framework copies all that is
//! below it for each request, and that cost more than the handlers themselves.

use std::convert::Infallible;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::FutureExt;
use hyper::body::Body as _;
use tower::{Layer, Service, service_fn};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::conditions::entity_tags::{self, IfNoneMatch};
use crate::conditions::{self, KeysInUse};
use crate::error::ApiError;
use crate::openapi::ApiVersion;
use crate::request_metrics::RequestMetrics;
use crate::{body_drain, caller, cors, error, files, input, openapi, paths, security_headers, v1, v2};

/// Bytes from which an answer is compressed for a client that asks for it: what fits one packet is as
/// fast without.
const COMPRESSION_BYTES_MIN: u64 = 1_400;
const VARY_BY_ENCODING: HeaderValue = HeaderValue::from_static("accept-encoding");

/// The whole interface. Clones share it.
#[derive(Clone)]
pub struct ApiService(Arc<Handlers>);

/// The handlers, and what they share.
pub(crate) struct Handlers {
    pub(crate) app: AppState,
    /// Keys of requests that are being answered.
    pub(crate) keys: KeysInUse,
    /// The handlers.
    router: Router,
    /// The handlers, and around them what looks at queries: most requests have none.
    query_router: Router,
}

impl ApiService {
    pub(crate) fn new(app: AppState) -> Self {
        let (v1, first) =
            OpenApiRouter::with_openapi(ApiVersion::V1.new_document()).merge(v1::routes()).split_for_parts();
        let (v2, second) =
            OpenApiRouter::with_openapi(ApiVersion::V2.new_document()).merge(v2::routes()).split_for_parts();
        let documented = first.paths.paths.keys().chain(second.paths.paths.keys()).cloned();
        let templates: Vec<String> = documented.chain(["/files/{token}".to_owned()]).collect();
        let others = openapi::routes([(ApiVersion::V1, first), (ApiVersion::V2, second)], &app.config)
            .route("/files/{token}", get(files::handle));
        app.request_metrics.get_or_init(|| RequestMetrics::of(templates));
        let plain = v1.clone().merge(v2.clone()).merge(others.clone());
        let v1 = v1.route_layer(middleware::from_fn_with_state(app.clone(), v1::fields_schema::shape));
        let asked = v1.merge(v2).route_layer(middleware::from_fn(input::require_well_formed_query)).merge(others);
        let [router, query_router] = [plain, asked].map(|router| {
            let router = router.fallback(error::no_such_path).method_not_allowed_fallback(error::no_such_method);
            router.with_state(app.clone())
        });
        Self(Arc::new(Handlers { app, keys: KeysInUse::default(), router, query_router }))
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
        let Self(handlers) = self.clone();
        Box::pin(async move { Ok(handlers.respond(request).await) })
    }
}

impl Handlers {
    async fn respond(&self, request: Request) -> Response {
        let request = paths::normalize_slashes(request);
        let counted = self.app.request_metrics.get().map(|requests| (requests, requests.begin(&request)));
        let has_texts = v2::has_error_texts(&request);
        let (request, rest) = body_drain::keep_drainable(request);
        let answered = AssertUnwindSafe(self.respond_to_caller(request)).catch_unwind().await;
        let mut response = answered.unwrap_or_else(error::panic_response);
        v2::add_error_texts(has_texts, &mut response);
        cors::allow_all_origins(&mut response);
        security_headers::apply(&mut response);
        if let Some((requests, begun)) = counted {
            requests.end(&begun, response.status());
        }
        if let Some(rest) = rest {
            rest.drain().await;
        }
        response
    }

    /// The caller comes before anything else that can be said of a request.
    async fn respond_to_caller(&self, mut request: Request) -> Response {
        if request.method() == Method::OPTIONS {
            // A preflight has no credential. What the path takes, the router says of a method that it does not.
            let Ok(refused) = self.router.clone().call(request).await;
            return cors::preflight(refused.headers().get(header::ALLOW));
        }
        let marks = match caller::authenticate(&self.app, &mut request).await {
            Ok(marks) => marks,
            Err(error) => return error.into_response(),
        };
        let mut response = match self.app.rate_limiters.admit(&request, &self.app) {
            Ok(()) => self.respond_if_modified(request).await,
            Err(too_often) => ApiError::from(too_often).into_response(),
        };
        marks.apply(&mut response);
        response
    }

    async fn respond_if_modified(&self, request: Request) -> Response {
        let known = IfNoneMatch::from_request(&request);
        let response = self.respond_compressed(request).await;
        match known {
            Some(known) => known.strip_known(response),
            None => response,
        }
    }

    /// Answers a request, packed for a client that takes that.
    async fn respond_compressed(&self, request: Request) -> Response {
        let is_head = request.method() == Method::HEAD;
        // Files are what they are.
        let may_be_packed = !request.uri().path().starts_with(files::FILES_PATH);
        let packs = may_be_packed && accepts_gzip(request.headers());
        if packs && !is_head {
            let packing = CompressionLayer::new().gzip(true).compress_when(SizeAbove::new(COMPRESSION_BYTES_MIN));
            let whole = service_fn(|request| async { Ok::<_, Infallible>(self.handle_on_conditions(request).await) });
            let Ok(mut response) = packing.layer(whole).call(request).await;
            if response.headers().contains_key(header::CONTENT_ENCODING) {
                entity_tags::mark_compressed(response.headers_mut());
            }
            return response.map(Body::new);
        }
        let mut response = self.handle_on_conditions(request).await;
        if may_be_packed && is_worth_compressing(&response) {
            response.headers_mut().append(header::VARY, VARY_BY_ENCODING);
            if packs {
                // How long the packed answer is, nobody knows before it is packed.
                response.headers_mut().remove(header::CONTENT_LENGTH);
                response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                entity_tags::mark_compressed(response.headers_mut());
            }
        }
        response
    }
}

impl Handlers {
    /// Answers a request, as far as it has conditions on these.
    async fn handle_on_conditions(&self, request: Request) -> Response {
        if conditions::has_conditions(&request) {
            // Long, and not for every request.
            return Box::pin(conditions::handle_conditional(self, request)).await;
        }
        self.handle(request).await
    }

    /// Lets the handler of a request answer it.
    pub(crate) async fn handle(&self, request: Request) -> Response {
        let mut router = if request.uri().query().is_some() { self.query_router.clone() } else { self.router.clone() };
        let Ok(response) = router.call(request).await;
        response
    }
}

/// Whether the client takes gzip (RFC 9110, section 12.5.3).
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let (mut gzip, mut any) = (None, None);
    for coding in values.flat_map(|value| value.split(',')) {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().trim_start_matches(['q', 'Q']).trim_start().trim_start_matches('=');
        let is_taken = weight.trim().parse::<f32>() != Ok(0.0);
        match name.trim() {
            name if name.eq_ignore_ascii_case("gzip") => gzip = Some(is_taken),
            "*" => any = Some(is_taken),
            _ => {}
        }
    }
    gzip.or(any).unwrap_or(false)
}

/// Whether an answer is so long that it would be packed for a client that takes that.
fn is_worth_compressing(response: &Response) -> bool {
    let said = response.headers().get(header::CONTENT_LENGTH);
    let said = said.and_then(|length| length.to_str().ok()?.parse().ok());
    said.or_else(|| response.body().size_hint().exact()).is_none_or(|length| length >= COMPRESSION_BYTES_MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_taken_by_whoever_does_not_refuse_it() {
        for (value, is_taken) in [
            ("gzip", true),
            ("deflate, GZIP;q=0.5", true),
            ("*", true),
            ("br, *;q=0.1", true),
            ("identity;q=0, gzip", true),
            ("gzip;q=0", false),
            ("gzip; q=0.0, *", false),
            ("*;q=0", false),
            ("identity;q=0", false),
            ("br", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))]);
            assert_eq!(accepts_gzip(&headers), is_taken, "{value:?}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }
}
