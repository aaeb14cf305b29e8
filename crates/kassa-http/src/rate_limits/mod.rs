//! What may not be done as often as one likes (decisions §10). Each server counts for itself, in memory.

mod rate_limiter;

use std::hash::{BuildHasher, RandomState};

use axum::extract::Request;
use kassa_domain::user::{Email, UserId};
use kassa_domain::{Actor, Refusal};
use kassa_engine::Failure;

use crate::app::{AppState, HttpConfig};
use crate::caller::{self, AnyCaller};
use crate::error::ApiError;
use crate::peer::{self, ClientNetwork};
use crate::route::RateLimit;
use rate_limiter::RateLimiter;

pub(crate) use rate_limiter::RateLimitExceeded;
pub use rate_limiter::{InvalidRate, Rate};

/// How often things may be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateLimits {
    /// Log-ins of one address.
    pub log_ins: Rate,
    /// Wrong passwords for one e-mail; as many, in the sessions of one user, when it changes its own.
    pub log_in_failures: Rate,
    /// Registrations of one address.
    pub registrations: Rate,
    /// Checks of promocodes with one key, or by one user.
    pub promocode_checks: Rate,
    /// Requests with one key, of any kind.
    pub key_requests: Rate,
}

impl RateLimits {
    /// No limits.
    pub const OFF: Self = Self {
        log_ins: Rate::OFF,
        log_in_failures: Rate::OFF,
        registrations: Rate::OFF,
        promocode_checks: Rate::OFF,
        key_requests: Rate::OFF,
    };
}

impl Default for RateLimits {
    fn default() -> Self {
        Self {
            log_ins: Rate::per_minute(30),
            log_in_failures: Rate::per_minute(10),
            registrations: Rate::per_minute(30),
            promocode_checks: Rate::per_minute(60),
            key_requests: Rate::OFF,
        }
    }
}

/// Who has a credential. Of a key, only a hash is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum CredentialHolder {
    Key(u64),
    User(UserId),
}

/// Whose password is tried.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PasswordTarget {
    /// At a log-in, by its e-mail: whether there is such a user is told to nobody.
    Email(Email),
    /// In a session, which need not be its user's own.
    User(UserId),
}

/// What was done lately.
pub(crate) struct RateLimiters {
    log_ins: RateLimiter<ClientNetwork>,
    log_in_failures: RateLimiter<PasswordTarget>,
    registrations: RateLimiter<ClientNetwork>,
    promocode_checks: RateLimiter<CredentialHolder>,
    key_requests: RateLimiter<CredentialHolder>,
    key_hasher: RandomState,
}

impl RateLimiters {
    pub(crate) fn new(rates: &RateLimits) -> Self {
        Self {
            log_ins: RateLimiter::new(rates.log_ins),
            log_in_failures: RateLimiter::new(rates.log_in_failures),
            registrations: RateLimiter::new(rates.registrations),
            promocode_checks: RateLimiter::new(rates.promocode_checks),
            key_requests: RateLimiter::new(rates.key_requests),
            key_hasher: RandomState::new(),
        }
    }

    /// Whether a request may go on whose credential was looked at: nothing else of it has been. `limited` says which
    /// limit its route has.
    pub(crate) fn admit(
        &self,
        request: &Request,
        limited: Option<RateLimit>,
        app: &AppState,
    ) -> Result<(), RateLimitExceeded> {
        if self.key_requests.is_enabled()
            && let Some(key @ CredentialHolder::Key(_)) = self.credential_holder(request)
        {
            self.key_requests.try_acquire(key, app.engine.now())?;
        }
        match limited {
            None => Ok(()),
            Some(RateLimit::LogIn) => try_acquire(&self.log_ins, client_network(request, &app.config), app),
            Some(RateLimit::Registration) => {
                try_acquire(&self.registrations, client_network(request, &app.config), app)
            }
            Some(RateLimit::PromocodeCheck) => {
                try_acquire(&self.promocode_checks, self.credential_holder(request), app)
            }
        }
    }

    fn credential_holder(&self, request: &Request) -> Option<CredentialHolder> {
        match &request.extensions().get::<AnyCaller>()?.0 {
            Actor::Partner(_) => {
                caller::api_key(request.headers()).map(|key| CredentialHolder::Key(self.key_hasher.hash_one(key)))
            }
            Actor::User(user) => Some(CredentialHolder::User(user.user)),
            Actor::Anonymous | Actor::Operator | Actor::System => None,
        }
    }
}

impl From<RateLimitExceeded> for ApiError {
    fn from(RateLimitExceeded { wait_s }: RateLimitExceeded) -> Self {
        Self::too_many_requests(wait_s)
    }
}

/// What comes of trying a password, unless too many were wrong. Whoever tries many at the same time has looked before
/// any of them failed: those that are beyond the limit are counted, too, so that nothing is gained by it.
pub(crate) async fn limit_password_attempts<T>(
    app: &AppState,
    tried: PasswordTarget,
    outcome: impl Future<Output = Result<T, Failure>>,
) -> Result<T, ApiError> {
    let failures = &app.rate_limiters.log_in_failures;
    failures.check(&tried, app.engine.now())?;
    let outcome = outcome.await;
    if let Err(Failure::Refused(Refusal::CredentialInvalid | Refusal::CurrentPasswordWrong)) = outcome {
        failures.record(tried, app.engine.now());
    }
    Ok(outcome?)
}

/// Where a request comes from. One that the program asks itself comes from nowhere, and is not counted.
fn client_network(request: &Request, config: &HttpConfig) -> Option<ClientNetwork> {
    peer::client_network(request.extensions(), request.headers(), config.trusted_proxies)
}

fn try_acquire<K>(limiter: &RateLimiter<K>, key: Option<K>, app: &AppState) -> Result<(), RateLimitExceeded>
where
    K: std::hash::Hash + Eq + Send + Sync + 'static,
{
    key.map_or(Ok(()), |key| limiter.try_acquire(key, app.engine.now()))
}
