//! What may not be done as often as one likes. Each server counts for itself, in memory.

mod rate_limiter;

use std::hash::{BuildHasher, RandomState};

use kassa_domain::user::{Email, UserId};

use crate::error::ApiError;
use crate::peer::ClientNetwork;
pub use rate_limiter::{InvalidRate, Rate};
pub(crate) use rate_limiter::{RateLimitExceeded, RateLimiter};

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
pub(crate) enum CredentialHolder {
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
    pub(crate) log_ins: RateLimiter<ClientNetwork>,
    pub(crate) log_in_failures: RateLimiter<PasswordTarget>,
    pub(crate) registrations: RateLimiter<ClientNetwork>,
    pub(crate) promocode_checks: RateLimiter<CredentialHolder>,
    pub(crate) key_requests: RateLimiter<CredentialHolder>,
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

    /// Who calls with this key.
    pub(crate) fn key_holder(&self, key: &str) -> CredentialHolder {
        CredentialHolder::Key(self.key_hasher.hash_one(key))
    }
}

impl From<RateLimitExceeded> for ApiError {
    fn from(RateLimitExceeded { wait_s }: RateLimitExceeded) -> Self {
        Self::too_many_requests(wait_s)
    }
}
