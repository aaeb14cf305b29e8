//! Passwords: Argon2id, a few at a time, on threads of their own with a low priority. A flood of log-ins takes neither
//! the processor nor the memory from sales.

use std::sync::Arc;
use std::thread;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher, PasswordVerifier};
use tokio::sync::{Semaphore, oneshot};

use crate::failure::Failure;
use crate::metrics::{Limit, LimitHits};
use crate::thread_priority;

/// Hashes at a time; each takes 19 MiB and some tens of milliseconds.
const CONCURRENT_MAX: usize = 2;
/// Maximum number of waiting hashes; more are rejected as busy.
const WAITING_MAX: usize = 64;
pub(crate) struct PasswordPool {
    slots: Arc<Semaphore>,
    queue: Semaphore,
    limit_hits: Arc<LimitHits>,
}

impl PasswordPool {
    pub(crate) fn new(limit_hits: Arc<LimitHits>) -> Self {
        let slots = Arc::new(Semaphore::new(CONCURRENT_MAX));
        Self { slots, queue: Semaphore::new(CONCURRENT_MAX + WAITING_MAX), limit_hits }
    }

    /// The hash of a new password.
    pub(crate) async fn hash(&self, password: String) -> Result<String, Failure> {
        let hashed = self.run(move || {
            let hash = Argon2::default().hash_password(password.as_bytes());
            hash.map(|hash| hash.to_string()).map_err(|error| error.to_string())
        });
        hashed.await?.map_err(|error| Failure::internal(&error))
    }

    /// Whether `password` matches `hash`. Without a hash it takes as long, and never matches: the time of an answer does
    /// not reveal whether an account exists.
    pub(crate) async fn verify(&self, password: String, hash: Option<String>) -> Result<bool, Failure> {
        self.run(move || {
            if let Some(hash) = hash {
                // The library compares in constant time.
                let verify = |hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok();
                PasswordHash::new(&hash).is_ok_and(verify)
            } else {
                drop(Argon2::default().hash_password(password.as_bytes()));
                false
            }
        })
        .await
    }

    /// Runs `work` on a thread of its own. Its slot is free when it is done, not when its caller has gone.
    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
        let _waiting = self.queue.try_acquire().map_err(|_| {
            self.limit_hits.record(Limit::PasswordQueue);
            Failure::Busy
        })?;
        let slot = Arc::clone(&self.slots).acquire_owned().await.map_err(|_| Failure::Unavailable)?;
        let (reply, answer) = oneshot::channel();
        let run = move || {
            thread_priority::lower("password hashing");
            let done = work();
            drop(slot);
            // The caller may have gone.
            let _ = reply.send(done);
        };
        let started = thread::Builder::new().name("password".to_owned()).spawn(run);
        started.map_err(|error| Failure::internal(&error.to_string()))?;
        answer.await.map_err(|_| Failure::internal("the work on a password panicked"))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

    use futures_util::FutureExt;
    use futures_util::future::join_all;

    use super::*;

    /// Work that signals its start, and ends when its gate is dropped.
    fn blocked_work() -> (impl FnOnce() + Send + 'static, oneshot::Receiver<()>, SyncSender<()>) {
        let (begun, begins) = oneshot::channel();
        let (gate, closed): (SyncSender<()>, Receiver<()>) = sync_channel(0);
        let work = move || {
            let _ = begun.send(());
            // It is never sent anything: it waits until the other end is gone.
            let _ = closed.recv();
        };
        (work, begins, gate)
    }

    #[tokio::test]
    async fn a_password_matches_its_hash_only() {
        let passwords = PasswordPool::new(Arc::default());
        let hash = passwords.hash("correct horse".to_owned()).await.unwrap();
        for (password, hash, fits) in [
            ("correct horse", Some(hash.clone()), true),
            ("Correct horse", Some(hash), false),
            ("correct horse", None, false),
            ("correct horse", Some("no hash".to_owned()), false),
        ] {
            assert_eq!(passwords.verify(password.to_owned(), hash).await, Ok(fits), "{password}");
        }
    }

    #[tokio::test]
    async fn a_full_queue_answers_busy() {
        let passwords = PasswordPool::new(Arc::default());
        let works: Vec<_> = (0..CONCURRENT_MAX + WAITING_MAX).map(|_| blocked_work()).collect();
        let (mut waiting, mut gates) = (Vec::new(), Vec::new());
        for (work, _, gate) in works {
            waiting.push(Box::pin(passwords.run(work)));
            gates.push(gate);
        }
        for wait in &mut waiting {
            assert_eq!(wait.now_or_never(), None, "it works, or waits");
        }
        assert_eq!(passwords.run(|| ()).now_or_never(), Some(Err(Failure::Busy)));
        assert_eq!(passwords.limit_hits.get(Limit::PasswordQueue), 1);
        drop(gates);
        assert!(join_all(waiting).await.iter().all(Result::is_ok));
    }

    #[tokio::test]
    async fn hashing_is_bounded_and_has_low_priority() {
        static AT_WORK: AtomicUsize = AtomicUsize::new(0);
        let passwords = PasswordPool::new(Arc::default());
        let together = join_all((0..WAITING_MAX).map(|_| {
            passwords.run(|| {
                let others = AT_WORK.fetch_add(1, Ordering::SeqCst);
                let hashed = Argon2::default().hash_password(b"correct horse").is_ok();
                AT_WORK.fetch_sub(1, Ordering::SeqCst);
                assert!(hashed);
                others
            })
        }));
        let most = together.await.into_iter().map(Result::unwrap).max();
        assert!(most < Some(CONCURRENT_MAX), "{most:?}");
        #[cfg(target_os = "linux")]
        {
            let niceness = || rustix::process::getpriority_process(None).unwrap();
            let expected = (niceness() + thread_priority::NICENESS).min(19);
            assert_eq!(passwords.run(niceness).await, Ok(expected));
        }
    }

    #[tokio::test]
    async fn abandoned_work_keeps_its_slot() {
        let passwords = PasswordPool::new(Arc::default());
        let mut gates = Vec::new();
        for _ in 0..CONCURRENT_MAX {
            let (work, begins, gate) = blocked_work();
            let mut left = Box::pin(passwords.run(work));
            assert_eq!((&mut left).now_or_never(), None);
            begins.await.unwrap();
            gates.push(gate);
        }
        let mut next = Box::pin(passwords.run(|| 7));
        assert_eq!((&mut next).now_or_never(), None, "the slots are taken by work that nobody waits for");
        drop(gates);
        assert_eq!(next.await, Ok(7));
    }

    #[tokio::test]
    async fn a_panic_frees_its_slot() {
        let passwords = PasswordPool::new(Arc::default());
        for _ in 0..=CONCURRENT_MAX {
            let failed = passwords.run(|| panic!("a mistake")).await;
            assert!(matches!(failed, Err::<(), _>(Failure::Internal(_))), "{failed:?}");
        }
        assert_eq!(passwords.run(|| 7).await, Ok(7));
    }
}
