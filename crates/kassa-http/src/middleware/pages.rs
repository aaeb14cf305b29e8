//! Requests for pages, from the outside to the inside.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::FutureExt as _;
use kassa_engine::Failure;
use kassa_store::memory_budget::{MemoryExceeded, MemoryMeter};

use super::{Handlers, answer_memory, body_drain, security_headers};
use crate::body_memory::BodyMemoryPermit;
use crate::error::ApiError;
use crate::pages::Pages;
use crate::route::RouteTable;
use crate::{error, input, peer};

/// The longest form without a picture, in bytes.
const FORM_BYTES_MAX: usize = 64 * 1024;
/// Below these, all is the interface's, also what leads nowhere.
const INTERFACE_FOLDERS: [&str; 4] = ["v1", "v2", "docs", "files"];

/// What is a page all the same: pages of other sites, which were written for another server, have it in a frame.
const PAGES_WITHIN: [&str; 2] = ["/v1/widgets/common", "/v1/widgets/common/meta"];

/// Whether a path, without repeated slashes, is none of the interface's.
pub(super) fn is_page(routes: &RouteTable, path: &str) -> bool {
    if PAGES_WITHIN.contains(&path) {
        return true;
    }
    let folder = path.trim_start_matches('/').split('/').next().unwrap_or_default();
    !INTERFACE_FOLDERS.contains(&folder) && routes.find(&Method::GET, path).path.is_none()
}

/// Answers a request for a page.
pub(super) async fn respond(handlers: &Handlers, pages: &Arc<dyn Pages>, request: Request) -> Response {
    let counted = handlers.app.request_metrics.get().map(|counts| (counts, counts.begin_page(request.method())));
    let (request, rest) = body_drain::keep_drainable(request);
    let is_head = request.method() == Method::HEAD;
    let (head, body) = request.into_parts();
    let meter = MemoryMeter::new(&handlers.app.answer_memory, handlers.app.config.answer_bytes_max);
    let network = peer::client_network(&head.extensions, &head.headers, handlers.app.config.trusted_proxies);
    let caller = network.map(|network| peer::memory_caller(network.reader()));
    if let Some(caller) = caller {
        meter.set_caller(caller);
    }
    let answer = meter.scope(async {
        if let Some(caller) = caller.filter(|_| !head.method.is_safe())
            && let Err(exceeded) = handlers.app.answer_memory.check_share(caller)
        {
            return pages.error_page(&head, status_of(exceeded));
        }
        let mut taken = BodyMemoryPermit::default();
        let bytes_max = pages.form_bytes_max(head.uri.path()).unwrap_or(FORM_BYTES_MAX);
        let form = input::read_body(body, bytes_max, &handlers.app.body_memory, &mut taken).await;
        let form = match form {
            Ok(form) => form,
            Err(error) => return pages.error_page(&head, error.into_response().status()),
        };
        let asked = axum::http::Request::from_parts(head.clone(), form);
        match AssertUnwindSafe(pages.respond(asked)).catch_unwind().await {
            Ok(answer) => answer,
            Err(panic) => pages.error_page(&head, error::panic_response(panic).status()),
        }
    });
    let answer = answer.await;
    // What is shared with others, or lies in the program, is nothing of this one's.
    let bytes = if is_head || !answer.body().is_unique() { 0 } else { answer.body().len() };
    meter.settle(bytes);
    let may_be_refused = head.method.is_safe() || !answer.status().is_success();
    let answer = match meter.hold(bytes, may_be_refused) {
        Ok(()) => answer,
        Err(exceeded) => {
            meter.settle(0);
            pages.error_page(&head, status_of(exceeded))
        }
    };
    let mut response = answer_memory::keep_until_sent(into_response(answer, is_head), meter);
    security_headers::apply(&mut response);
    if let Some((counts, begun)) = counted {
        counts.end(&begun, response.status());
    }
    if let Some(rest) = rest {
        rest.drain().await;
    }
    response
}

fn status_of(exceeded: MemoryExceeded) -> StatusCode {
    ApiError::from(Failure::from(exceeded)).into_response().status()
}

/// The answer as it is sent. That to `HEAD` has the length that its body would have.
fn into_response(answer: axum::http::Response<Bytes>, is_head: bool) -> Response {
    let (mut head, body) = answer.into_parts();
    if is_head {
        head.headers.entry(header::CONTENT_LENGTH).or_insert_with(|| HeaderValue::from(body.len()));
        return Response::from_parts(head, Body::empty());
    }
    Response::from_parts(head, Body::from(body))
}
