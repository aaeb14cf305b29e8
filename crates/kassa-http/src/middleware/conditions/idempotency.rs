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
use kassa_domain::precondition::Precondition;
use kassa_domain::{Actor, Refusal, ShardTag};
use kassa_engine::idempotency::{IdempotencyMatch, IdempotentRequest, SavedResponse};
use kassa_engine::{Failure, RequestConditions};

use crate::error::ApiError;
use crate::fields_schema;
use crate::middleware::{Handlers, answer_memory};
use crate::response::{ApiResponse, ReplayedResponse};
use crate::route::{MatchedRoute, Route};

const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
const TRUE: HeaderValue = HeaderValue::from_static("true");
/// What was decided may be found final, or to be finished, once each behind the first look.
const ATTEMPTS_MAX: usize = 3;

/// A request under a key, with all of its body.
pub(super) struct KeyedRequest {
    pub(super) found: MatchedRoute,
    pub(super) route: &'static Route,
    pub(super) parts: Parts,
    pub(super) bytes: Bytes,
    /// The tag of the event that it is about.
    pub(super) event: Option<ShardTag>,
}

/// Goes with a request whose answer is kept, and of which the client has still to be shown what it wants.
#[derive(Clone)]
pub(crate) struct PendingReplay(pub(crate) SavedResponse);

/// An answer that was kept, as it is. It changes nothing: if there is no memory for it, it can be asked for again.
pub(crate) fn recorded_response(saved: &SavedResponse) -> Response {
    answer_memory::charge(ApiResponse::replay(saved).map_err(ApiError::from).into_response(), false)
}

impl KeyedRequest {
    /// The same request, to be handled.
    fn to_request(&self) -> Request {
        Request::from_parts(self.parts.clone(), Body::from(self.bytes.clone()))
    }
}

pub(super) fn busy_error() -> ApiError {
    Failure::Busy.into()
}

/// Answers a request under its key.
pub(super) async fn handle_idempotent(
    handlers: &Handlers,
    asked: KeyedRequest,
    (actor, name): (&Actor, &str),
    expects: Option<Precondition>,
) -> Response {
    let Some(once) = idempotent_request(handlers, &asked, actor, name) else {
        return handlers.handle(asked.found, asked.to_request()).await;
    };
    let (once, engine) = (Arc::new(once), &handlers.app.engine);
    let _using = match handlers.keys.acquire(once.key()) {
        Ok(Some(using)) => using,
        Ok(None) => return key_in_use_error().into_response(),
        Err(error) => return error.into_response(),
    };
    let conditions = Arc::new(RequestConditions { idempotency: Some(Arc::clone(&once)), precondition: expects });
    let mut kept = engine.idempotency_record(&once).await;
    for _ in 0..ATTEMPTS_MAX {
        let mut request = asked.to_request();
        match kept {
            Ok(Some(IdempotencyMatch::DifferentRequest)) => {
                return ApiError::from(Refusal::IdempotencyKeyReused).into_response();
            }
            Ok(Some(IdempotencyMatch::SameRequest(saved))) if saved.is_final => {
                let response = recorded_response(&saved);
                let is_replayed = response.extensions().get::<ReplayedResponse>().is_some();
                return finish_response(response, is_replayed);
            }
            Ok(Some(IdempotencyMatch::SameRequest(saved))) => {
                request.extensions_mut().insert(PendingReplay(saved));
            }
            Ok(None) => {
                // What was answered before is shown again, however much is kept.
                if let Err(failure) = engine.admit_answer(&once) {
                    return ApiError::from(failure).into_response();
                }
                request.extensions_mut().insert(Arc::clone(&conditions));
            }
            Err(failure) => return ApiError::from(failure).into_response(),
        }
        match handle_and_record(handlers, &once, asked.found, request).await {
            Ok(response) => return response,
            Err(found) => kept = found.map(Some),
        }
    }
    busy_error().into_response()
}

/// What the engine knows the request by. All that tells it from others: method, path, query and body.
fn idempotent_request(
    handlers: &Handlers,
    KeyedRequest { route, parts, bytes, event, .. }: &KeyedRequest,
    actor: &Actor,
    name: &str,
) -> Option<IdempotentRequest> {
    let (path, query) = (parts.uri.path(), parts.uri.query().unwrap_or_default());
    let identity = [parts.method.as_str().as_bytes(), path.as_bytes(), query.as_bytes(), bytes.as_ref()];
    let is_final = route.shows.is_none() || !fields_schema::may_have_parameter(query);
    handlers.app.engine.idempotent_request(actor, *event, name, &identity, is_final, ApiResponse::CODEC)
}

/// The answer that a request is given, once it is kept; or what was kept before it.
async fn handle_and_record(
    handlers: &Handlers,
    once: &IdempotentRequest,
    found: MatchedRoute,
    request: Request,
) -> Result<Response, Result<IdempotencyMatch, Failure>> {
    let mut response = handlers.handle(found, request).await;
    let is_kept = is_recordable(&response);
    let replay = response.extensions().get::<ReplayedResponse>().copied();
    Handlers::add_error_texts(found, &mut response);
    if !is_kept {
        return Ok(response);
    }
    let is_replayed = replay.is_some();
    if replay.is_some_and(|replay| replay.is_final) || (once.is_final() && once.is_recorded()) {
        return Ok(finish_response(response, is_replayed));
    }
    let (response, bytes) = ApiResponse::buffer(response).await.map_err(Err)?;
    match handlers.app.engine.record_response(once, &bytes, response.status().is_success()).await {
        Ok(None) => Ok(finish_response(response, is_replayed)),
        Ok(Some(there)) => Err(Ok(there)),
        Err(failure) => Err(Err(failure)),
    }
}

/// Whether an answer came from a decision: a success, or a refusal that is none of what may be otherwise a moment
/// later, as when the operator has raised a quota.
fn is_recordable(response: &Response) -> bool {
    const PASSING: [StatusCode; 6] = [
        StatusCode::UNAUTHORIZED,
        StatusCode::PRECONDITION_FAILED,
        StatusCode::PAYLOAD_TOO_LARGE,
        StatusCode::UNPROCESSABLE_ENTITY,
        StatusCode::TOO_MANY_REQUESTS,
        StatusCode::SERVICE_UNAVAILABLE,
    ];
    let (status, error) = (response.status(), response.extensions().get::<ApiError>());
    let decided = error.map_or(status.is_success(), |error| {
        error.refusal().is_some_and(|refusal| !matches!(refusal, Refusal::QuotaExceeded { .. }))
    });
    decided && !PASSING.contains(&status)
}

/// The answer as it leaves, the first time and again.
fn finish_response(mut response: Response, is_replayed: bool) -> Response {
    if let Some(length) = response.body().size_hint().exact() {
        response.headers_mut().insert(header::CONTENT_LENGTH, length.into());
    }
    if is_replayed {
        response.headers_mut().insert(IDEMPOTENT_REPLAYED, TRUE);
    }
    response
}

fn key_in_use_error() -> ApiError {
    let reason = "A request with this Idempotency-Key is being answered at this moment";
    ApiError::new(StatusCode::CONFLICT, "idempotency_key_in_use", reason)
}
