//! A request under a key: answered once, and again with the same bytes.
//!
//! What a command changes is kept with its answer by the engine. What leaves nothing behind, a refusal or a
//! look-up, is kept here before anybody sees it; and so is what the client is shown of an answer, where it said
//! which fields it wants.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Body as _;
use kassa_domain::expectation::Expectation;
use kassa_domain::{Actor, Refusal};
use kassa_engine::once::{Kept, Once, Saved};
use kassa_engine::{Conditions, Failure};

use super::request;
use crate::answer::Answer;
use crate::edge::Handlers;
use crate::error::{self, ApiError};
use crate::v1::schema;
use crate::v2;

const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
const TRUE: HeaderValue = HeaderValue::from_static("true");
/// What was decided may be found final, or to be finished, once each behind the first look.
const LOOKS_MAX: usize = 3;

/// A request and all of its body.
pub(super) type Whole = (Parts, Bytes);

/// Goes with a request whose answer is kept, and of which the client has still to be shown what it wants.
#[derive(Clone)]
pub(crate) struct Stored(pub(crate) Saved);

/// Goes with an answer that was kept.
#[derive(Clone, Copy)]
pub(crate) struct Replayed {
    /// Whether it is as clients are given it.
    pub(crate) is_final: bool,
}

/// The same request, to be handled.
fn again((parts, bytes): &Whole) -> Request {
    Request::from_parts(parts.clone(), Body::from(bytes.clone()))
}

pub(super) fn busy() -> ApiError {
    Failure::Busy.into()
}

/// Answers a request under its key.
pub(super) async fn answer(
    handlers: &Handlers,
    whole: Whole,
    (actor, name): (&Actor, &str),
    expects: Option<Expectation>,
) -> Response {
    let Some(once) = once_of(handlers, &whole, actor, name) else { return handlers.handle(again(&whole)).await };
    let (once, engine) = (Arc::new(once), &handlers.app.engine);
    let _using = match handlers.keys.take(once.key()) {
        Ok(Some(using)) => using,
        Ok(None) => return handlers.refuse(again(&whole), in_use()).await,
        Err(error) => return error.into_response(),
    };
    let conditions = Arc::new(Conditions { once: Some(Arc::clone(&once)), expects });
    let mut kept = engine.kept(&once).await;
    for _ in 0..LOOKS_MAX {
        let mut request = again(&whole);
        match kept {
            Ok(Some(Kept::Other)) => return handlers.refuse(request, Refusal::KeyReused.into()).await,
            Ok(Some(Kept::Same(saved))) if saved.is_final => return mark(error::kept(&saved), true),
            Ok(Some(Kept::Same(saved))) => {
                request.extensions_mut().insert(Stored(saved));
            }
            Ok(None) => {
                request.extensions_mut().insert(Arc::clone(&conditions));
            }
            Err(failure) => return ApiError::from(failure).into_response(),
        }
        match decided(handlers, &once, request).await {
            Ok(response) => return response,
            Err(found) => kept = found.map(Some),
        }
    }
    busy().into_response()
}

/// What the engine knows the request by. All that tells it from others: method, path, query and body.
fn once_of(handlers: &Handlers, (parts, bytes): &Whole, actor: &Actor, name: &str) -> Option<Once> {
    let (path, query) = (parts.uri.path(), parts.uri.query());
    let event = request::event_of(path, bytes);
    let identity =
        [parts.method.as_str().as_bytes(), path.as_bytes(), query.unwrap_or_default().as_bytes(), bytes.as_ref()];
    let is_final = !query.is_some_and(|query| schema::may_shape(path, query));
    handlers.app.engine.once(actor, (event, name), &identity, (is_final, Answer::bytes_of))
}

/// The answer that a request is given, once it is kept; or what was kept before it.
async fn decided(handlers: &Handlers, once: &Once, request: Request) -> Result<Response, Result<Kept, Failure>> {
    let has_texts = v2::has_texts(&request);
    let mut response = handlers.handle(request).await;
    let is_kept = is_kept(&response);
    let replay = response.extensions().get::<Replayed>().copied();
    v2::say_texts(has_texts, &mut response);
    if !is_kept {
        return Ok(response);
    }
    let is_replayed = replay.is_some();
    if replay.is_some_and(|replay| replay.is_final) || (once.is_final() && once.is_kept()) {
        return Ok(mark(response, is_replayed));
    }
    let (response, bytes) = Answer::taken_from(response).await.map_err(Err)?;
    match handlers.app.engine.keep(once, &bytes, response.status().is_success()).await {
        Ok(None) => Ok(mark(response, is_replayed)),
        Ok(Some(there)) => Err(Ok(there)),
        Err(failure) => Err(Err(failure)),
    }
}

/// Whether an answer came from a decision: a success, or a refusal that is none of what may be otherwise a moment
/// later.
fn is_kept(response: &Response) -> bool {
    const PASSING: [StatusCode; 6] = [
        StatusCode::UNAUTHORIZED,
        StatusCode::PRECONDITION_FAILED,
        StatusCode::PAYLOAD_TOO_LARGE,
        StatusCode::UNPROCESSABLE_ENTITY,
        StatusCode::TOO_MANY_REQUESTS,
        StatusCode::SERVICE_UNAVAILABLE,
    ];
    let (status, error) = (response.status(), response.extensions().get::<ApiError>());
    error.map_or(status.is_success(), ApiError::is_decided) && !PASSING.contains(&status)
}

/// The answer as it leaves, the first time and again.
fn mark(mut response: Response, is_replayed: bool) -> Response {
    if let Some(length) = response.body().size_hint().exact() {
        response.headers_mut().insert(header::CONTENT_LENGTH, length.into());
    }
    if is_replayed {
        response.headers_mut().insert(IDEMPOTENT_REPLAYED, TRUE);
    }
    response
}

fn in_use() -> ApiError {
    let reason = "A request with this Idempotency-Key is being answered at this moment";
    ApiError::new(StatusCode::CONFLICT, "idempotency_key_in_use", reason)
}
