//! What may not be done as often as one likes (decisions §10). Each server counts for itself, in memory.

mod limiter;

use std::hash::{BuildHasher, RandomState};

use axum::extract::Request;
use axum::http::Method;
use kassa_domain::user::{Email, UserId};
use kassa_domain::{Actor, Refusal};
use kassa_engine::Failure;

use crate::app::{App, Config};
use crate::caller::{self, Caller};
use crate::error::ApiError;
use crate::peer::{self, Source};
use crate::v2;
use limiter::Limiter;

pub(crate) use limiter::TooOften;
pub use limiter::{BadRate, Rate};

/// How often things may be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rates {
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

impl Rates {
    /// No limits.
    pub const OFF: Self = Self {
        log_ins: Rate::OFF,
        log_in_failures: Rate::OFF,
        registrations: Rate::OFF,
        promocode_checks: Rate::OFF,
        key_requests: Rate::OFF,
    };
}

impl Default for Rates {
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
enum Holder {
    Key(u64),
    User(UserId),
}

/// Whose password is tried.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Tried {
    /// At a log-in, by its e-mail: whether there is such a user is told to nobody.
    OfEmail(Email),
    /// In a session, which need not be its user's own.
    OfUser(UserId),
}

/// What was done lately.
pub(crate) struct Limits {
    log_ins: Limiter<Source>,
    log_in_failures: Limiter<Tried>,
    registrations: Limiter<Source>,
    promocode_checks: Limiter<Holder>,
    key_requests: Limiter<Holder>,
    keys: RandomState,
}

impl Limits {
    pub(crate) fn new(rates: &Rates) -> Self {
        Self {
            log_ins: Limiter::new(rates.log_ins),
            log_in_failures: Limiter::new(rates.log_in_failures),
            registrations: Limiter::new(rates.registrations),
            promocode_checks: Limiter::new(rates.promocode_checks),
            key_requests: Limiter::new(rates.key_requests),
            keys: RandomState::new(),
        }
    }

    /// Whether a request may go on whose credential was looked at: nothing else of it has been.
    pub(crate) fn admit(&self, request: &Request, app: &App) -> Result<(), TooOften> {
        if self.key_requests.is_on()
            && let Some(key @ Holder::Key(_)) = self.holder(request)
        {
            self.key_requests.take(key, app.engine.now())?;
        }
        if request.method() != Method::POST {
            return Ok(());
        }
        match request.uri().path() {
            caller::WHOAMI => take(&self.log_ins, source(request, &app.config), app),
            caller::USERS => take(&self.registrations, source(request, &app.config), app),
            v2::CHECK => take(&self.promocode_checks, self.holder(request), app),
            _ => Ok(()),
        }
    }

    fn holder(&self, request: &Request) -> Option<Holder> {
        match &request.extensions().get::<Caller>()?.0 {
            Actor::Partner(_) => caller::key(request.headers()).map(|key| Holder::Key(self.keys.hash_one(key))),
            Actor::User(user) => Some(Holder::User(user.user)),
            Actor::Anonymous | Actor::Operator | Actor::System => None,
        }
    }
}

/// What comes of trying a password, unless too many were wrong. Whoever tries many at the same time has looked before
/// any of them failed: those that are beyond the limit are counted, too, so that nothing is gained by it.
pub(crate) async fn password_tried<T>(
    app: &App,
    tried: Tried,
    outcome: impl Future<Output = Result<T, Failure>>,
) -> Result<T, ApiError> {
    let failures = &app.limits.log_in_failures;
    failures.look(&tried, app.engine.now())?;
    let outcome = outcome.await;
    if let Err(Failure::Refused(Refusal::CredentialInvalid | Refusal::CurrentPasswordWrong)) = outcome {
        failures.note(tried, app.engine.now());
    }
    Ok(outcome?)
}

/// Where a request comes from. One that the program asks itself comes from nowhere, and is not counted.
fn source(request: &Request, config: &Config) -> Option<Source> {
    peer::source(request.extensions(), request.headers(), config.trusted_proxies)
}

fn take<K>(limiter: &Limiter<K>, key: Option<K>, app: &App) -> Result<(), TooOften>
where
    K: std::hash::Hash + Eq + Send + Sync + 'static,
{
    key.map_or(Ok(()), |key| limiter.take(key, app.engine.now()))
}
