//! Limits on how often something can be done, as requests meet them.

use std::hash::Hash;

use axum::extract::Request;
use kassa_domain::Actor;

use crate::app::AppState;
use crate::caller::{self, AnyCaller};
use crate::peer::{self, ClientNetwork};
use crate::rate_limits::{CredentialHolder, RateLimitExceeded, RateLimiter};
use crate::route::RateLimit;

/// Whether a request may go on whose credential was looked at: nothing else of it has been. `limited` says which limit
/// its route has.
pub(super) fn admit(app: &AppState, limited: Option<RateLimit>, request: &Request) -> Result<(), RateLimitExceeded> {
    let limiters = &*app.rate_limiters;
    if limiters.key_requests.is_enabled()
        && let Some(key @ CredentialHolder::Key(_)) = credential_holder(app, request)
    {
        limiters.key_requests.try_acquire(&key, app.engine.now())?;
    }
    match limited {
        None => Ok(()),
        Some(RateLimit::LogIn) => try_acquire(app, &limiters.log_ins, client_network(app, request)),
        Some(RateLimit::Registration) => try_acquire(app, &limiters.registrations, client_network(app, request)),
        Some(RateLimit::PromocodeCheck) => {
            try_acquire(app, &limiters.promocode_checks, credential_holder(app, request))
        }
    }
}

fn credential_holder(app: &AppState, request: &Request) -> Option<CredentialHolder> {
    match &request.extensions().get::<AnyCaller>()?.0 {
        Actor::Partner(_) => caller::api_key(request.headers()).map(|key| app.rate_limiters.key_holder(&key)),
        Actor::User(user) => Some(CredentialHolder::User(user.user)),
        Actor::Anonymous | Actor::Operator | Actor::System => None,
    }
}

/// Where a request comes from. One that the program asks itself comes from nowhere, and is not counted.
fn client_network(app: &AppState, request: &Request) -> Option<ClientNetwork> {
    peer::client_network(request.extensions(), request.headers(), app.config.trusted_proxies)
}

fn try_acquire<K: Hash>(app: &AppState, limiter: &RateLimiter<K>, key: Option<K>) -> Result<(), RateLimitExceeded> {
    key.map_or(Ok(()), |key| limiter.try_acquire(&key, app.engine.now()))
}
