//! What requests want besides what they say: that they are decided once (`Idempotency-Key`), that what they
//! change is as it was (`If-Match`), or that they are told only what is new to them (`If-None-Match`).

mod idempotency;
mod keys_in_use;
mod request;

use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kassa_domain::Refusal;
use kassa_domain::precondition::Precondition;
use kassa_engine::RequestConditions;

use crate::caller;
use crate::error::ApiError;
use crate::middleware::Handlers;
use crate::response::entity_tags::{self, MalformedIfMatch};
use crate::route::{MatchedRoute, Route};
pub(crate) use idempotency::{PendingReplay, recorded_response};
pub(crate) use keys_in_use::KeysInUse;

pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Whether a write has conditions.
pub(crate) fn has_conditions(request: &Request) -> bool {
    let headers = request.headers();
    !request.method().is_safe()
        && (headers.contains_key(&IDEMPOTENCY_KEY) || headers.contains_key(header::IF_MATCH))
        && caller::authenticated_actor(request).is_some()
}

/// Answers a write on its conditions, before anything is said of its form. Those that nothing can meet are refused
/// here; what is expected of a row is looked at when the write is decided.
pub(crate) async fn handle_conditional(
    handlers: &Handlers,
    found: MatchedRoute,
    route: &'static Route,
    request: Request,
) -> Response {
    let Some(actor) = caller::authenticated_actor(&request).cloned() else {
        return handlers.handle(found, request).await;
    };
    let (mut parts, body) = request.into_parts();
    let name = match request::idempotency_key(&parts.headers, &actor) {
        Ok(name) => name,
        Err(error) => return error.into_response(),
    };
    let expects = match entity_tags::if_match_revisions(&parts.headers) {
        Ok(None) => None,
        Ok(Some(revisions)) => match route.resource {
            Some(resource) => Some(Precondition { resource: request::resource_ref(resource, &parts), revisions }),
            // A collection or a service has no tag that it could be expected to have.
            None => return ApiError::from(Refusal::PreconditionFailed).into_response(),
        },
        Err(MalformedIfMatch) => return malformed_if_match().into_response(),
    };
    let Some(name) = name else {
        parts.extensions.insert(Arc::new(RequestConditions { idempotency: None, precondition: expects }));
        return handlers.handle(found, Request::from_parts(parts, body)).await;
    };
    match request::buffer_body(&handlers.app, route, body).await {
        Ok((bytes, _place)) => {
            let event = request::event_tag(&handlers.routes, route, parts.uri.path(), &bytes);
            let asked = idempotency::KeyedRequest { found, route, parts, bytes, event };
            idempotency::handle_idempotent(handlers, asked, (&actor, &name), expects).await
        }
        Err(error) => error.into_response(),
    }
}

fn malformed_if_match() -> ApiError {
    let reason = "If-Match must be * or a list of tags in double quotes, as ETag gives them";
    ApiError::new(StatusCode::BAD_REQUEST, "bad_if_match", reason)
}
