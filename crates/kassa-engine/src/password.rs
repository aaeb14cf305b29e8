//! Passwords: Argon2id, on threads of their own, a few at a time, so that a flood of log-ins takes
//! neither the processor nor the memory from sales.

use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher, PasswordVerifier};
use tokio::sync::Semaphore;

use crate::failure::Failure;

/// Hashes at a time; each takes 19 MiB and some tens of milliseconds.
const AT_ONCE: usize = 2;
/// Hashes that wait; more are told to come back later.
const WAITING_MAX: usize = 64;

pub(crate) struct Passwords {
    places: Semaphore,
    queue: Semaphore,
}

impl Passwords {
    pub(crate) fn new() -> Self {
        Self { places: Semaphore::new(AT_ONCE), queue: Semaphore::new(AT_ONCE + WAITING_MAX) }
    }

    /// The hash of a new password.
    pub(crate) async fn hash(&self, password: String) -> Result<String, Failure> {
        let hashed = self.with_place(move || {
            let hash = Argon2::default().hash_password(password.as_bytes());
            hash.map(|hash| hash.to_string()).map_err(|error| error.to_string())
        });
        hashed.await?.map_err(|error| Failure::internal(&error))
    }

    /// Whether `password` fits `hash`. Without a hash it takes as long, and never fits: how long an
    /// answer takes does not tell whether an account exists.
    pub(crate) async fn fits(&self, password: String, hash: Option<String>) -> Result<bool, Failure> {
        self.with_place(move || {
            if let Some(hash) = hash {
                let verify = |hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok();
                PasswordHash::new(&hash).is_ok_and(verify)
            } else {
                drop(Argon2::default().hash_password(password.as_bytes()));
                false
            }
        })
        .await
    }

    async fn with_place<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
        let _waiting = self.queue.try_acquire().map_err(|_| Failure::Busy)?;
        let _place = self.places.acquire().await.map_err(|_| Failure::Unavailable)?;
        tokio::task::spawn_blocking(work).await.map_err(|error| Failure::internal(&error.to_string()))
    }
}
