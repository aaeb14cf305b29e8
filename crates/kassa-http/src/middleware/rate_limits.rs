//! Limits on how often something can be done, as requests meet them, and who shares in what is limited.

use std::hash::Hash;

use axum::extract::Request;
use kassa_domain::Actor;
use kassa_domain::partner::PartnerId;
use kassa_engine::metrics::Limit;

use crate::app::AppState;
use crate::caller::{self, AnyCaller};
use crate::peer::{self, ClientNetwork};
use crate::rate_limits::{PromocodeChecker, RateLimitExceeded, RateLimiter};
use crate::route::RateLimit;

/// Whether a request may go on whose credential was looked at: nothing else of it has been. `limited` says which limit
/// its route has.
pub(super) fn admit(app: &AppState, limited: Option<RateLimit>, request: &Request) -> Result<(), RateLimitExceeded> {
    let limiters = &*app.rate_limiters;
    if limiters.key_requests.is_enabled() {
        try_acquire(app, Limit::KeyRequests, &limiters.key_requests, key_of_partner(request))?;
    }
    match limited {
        None => Ok(()),
        Some(RateLimit::LogIn) => try_acquire(app, Limit::LogIns, &limiters.log_ins, client_network(app, request)),
        Some(RateLimit::Registration) => {
            try_acquire(app, Limit::Registrations, &limiters.registrations, client_network(app, request))
        }
        Some(RateLimit::PasswordReset) => {
            try_acquire(app, Limit::PasswordResets, &limiters.password_resets, client_network(app, request))
        }
        Some(RateLimit::PromocodeCheck) => {
            let checker = request
                .extensions()
                .get()
                .and_then(|AnyCaller(actor)| PromocodeChecker::of(actor, client_network(app, request)));
            try_acquire(app, Limit::PromocodeChecks, &limiters.promocode_checks, checker)
        }
        Some(RateLimit::WebhookTest) => {
            try_acquire(app, Limit::WebhookTests, &limiters.webhook_tests, acting_partner(request))
        }
        Some(RateLimit::ShopOrder) => {
            let network = client_network(app, request).filter(|_| is_visitor(request));
            try_acquire(app, Limit::ShopOrders, &limiters.shop_orders, network)
        }
        Some(RateLimit::OrderLinks) => {
            try_acquire(app, Limit::OrderLinks, &limiters.order_links, client_network(app, request))
        }
        Some(RateLimit::ShopChange) => {
            let network = client_network(app, request).filter(|_| is_buyer(request));
            try_acquire(app, Limit::ShopChanges, &limiters.shop_changes, network)
        }
        Some(RateLimit::Export) => try_acquire(app, Limit::Exports, &limiters.exports, acting_partner(request)),
    }
}

fn is_visitor(request: &Request) -> bool {
    matches!(request.extensions().get(), Some(AnyCaller(Actor::Visitor(_))))
}

fn is_buyer(request: &Request) -> bool {
    matches!(request.extensions().get(), Some(AnyCaller(Actor::Buyer(_))))
}

/// The partner for which a request asks.
fn acting_partner(request: &Request) -> Option<PartnerId> {
    request.extensions().get().and_then(|AnyCaller(actor)| actor.acting_partner().ok())
}

/// The token of the key that a request came with, if that is good.
fn key_of_partner(request: &Request) -> Option<String> {
    match request.extensions().get::<AnyCaller>()?.0 {
        Actor::Partner(_) => caller::api_key(request.headers()),
        Actor::Anonymous | Actor::User(_) | Actor::Visitor(_) | Actor::Buyer(_) | Actor::Operator | Actor::System => {
            None
        }
    }
}

/// Where a request comes from. One that the program asks itself comes from nowhere, and is not counted.
fn client_network(app: &AppState, request: &Request) -> Option<ClientNetwork> {
    peer::client_network(request.extensions(), request.headers(), app.config.trusted_proxies)
}

fn try_acquire<K: Hash>(
    app: &AppState,
    limit: Limit,
    limiter: &RateLimiter<K>,
    key: Option<K>,
) -> Result<(), RateLimitExceeded> {
    let Some(key) = key else { return Ok(()) };
    limiter.try_acquire(&key, app.engine.now()).inspect_err(|_| app.engine.limit_hits().record(limit))
}
