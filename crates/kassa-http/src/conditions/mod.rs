//! What requests want besides what they say: that they are decided once (`Idempotency-Key`), that what they
//! change is as it was (`If-Match`), or that they are told only what is new to them (`If-None-Match`)
//! (decisions §10).

mod keys;
mod once;
mod request;
pub(crate) mod tags;

use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderName, header};
use axum::response::Response;
use kassa_domain::Refusal;
use kassa_domain::expectation::Expectation;
use kassa_engine::Conditions;

use crate::caller;
use crate::edge::Handlers;
use crate::error::ApiError;
pub(crate) use keys::Keys;
pub(crate) use once::{Replayed, Stored};

pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Whether a write has conditions.
pub(crate) fn are_in(request: &Request) -> bool {
    let headers = request.headers();
    !request.method().is_safe()
        && (headers.contains_key(&IDEMPOTENCY_KEY) || headers.contains_key(header::IF_MATCH))
        && caller::known(request).is_some()
}

/// Answers a write on its conditions.
pub(crate) async fn answer(handlers: &Handlers, request: Request) -> Response {
    let Some(actor) = caller::known(&request).cloned() else { return handlers.handle(request).await };
    let (mut parts, body) = request.into_parts();
    let read = || Ok::<_, ApiError>((request::key(&parts.headers)?, tags::expected(&parts.headers)?));
    let (key, revisions) = match read() {
        Ok(read) => read,
        Err(error) => return handlers.refuse(Request::from_parts(parts, body), error).await,
    };
    let path = parts.uri.path();
    if revisions.is_some() && !request::is_on_resource(path) {
        let error = Refusal::PreconditionFailed.into();
        return handlers.refuse(Request::from_parts(parts, body), error).await;
    }
    let subject = request::subject(path);
    let expects = revisions.map(|revisions| Expectation { subject, revisions });
    let Some(name) = key else {
        parts.extensions.insert(Arc::new(Conditions { once: None, expects }));
        return handlers.handle(Request::from_parts(parts, body)).await;
    };
    match request::read(handlers, &parts, body).await {
        Ok((bytes, _place)) => once::answer(handlers, (parts, bytes), (&actor, &name), expects).await,
        Err(error) => handlers.refuse_unread(parts, error).await,
    }
}
