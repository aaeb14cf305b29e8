//! What requests want besides what they say: that they are decided once (`Idempotency-ApiKey`), that what they
//! change is as it was (`If-Match`), or that they are told only what is new to them (`If-None-Match`)
//! (decisions §10).

pub(crate) mod entity_tags;
mod idempotency;
mod keys_in_use;
mod request;

use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderName, header};
use axum::response::{IntoResponse, Response};
use kassa_domain::Refusal;
use kassa_domain::precondition::Precondition;
use kassa_engine::RequestConditions;

use crate::caller;
use crate::error::ApiError;
use crate::middleware::Handlers;
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

/// Answers a write on its conditions. Those that nothing can meet are refused before anything else is looked at.
pub(crate) async fn handle_conditional(handlers: &Handlers, request: Request) -> Response {
    let Some(actor) = caller::authenticated_actor(&request).cloned() else { return handlers.handle(request).await };
    let (mut parts, body) = request.into_parts();
    let read = || {
        Ok::<_, ApiError>((request::idempotency_key(&parts.headers)?, entity_tags::if_match_revisions(&parts.headers)?))
    };
    let (key, revisions) = match read() {
        Ok(read) => read,
        Err(error) => return error.into_response(),
    };
    let path = parts.uri.path();
    if revisions.is_some() && !request::is_on_resource(path) {
        return ApiError::from(Refusal::PreconditionFailed).into_response();
    }
    let subject = request::resource_ref(path);
    let expects = revisions.map(|revisions| Precondition { resource: subject, revisions });
    let Some(name) = key else {
        parts.extensions.insert(Arc::new(RequestConditions { idempotency: None, precondition: expects }));
        return handlers.handle(Request::from_parts(parts, body)).await;
    };
    match request::buffer_body(handlers, &parts, body).await {
        Ok((bytes, _place)) => idempotency::handle_idempotent(handlers, (parts, bytes), (&actor, &name), expects).await,
        Err(error) => error.into_response(),
    }
}
