//! Passwords: Argon2id, a few at a time, on threads of their own that give way to all others. So a flood of log-ins
//! takes neither the processor nor the memory from sales.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::{io, thread};

use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher, PasswordVerifier};
use parking_lot::Mutex;
use tokio::sync::oneshot;

use crate::failure::Failure;

/// Hashes at a time; each takes 19 MiB and some tens of milliseconds.
const AT_ONCE: usize = 2;
/// Hashes that wait; more are told to come back later.
const WAITING_MAX: usize = 64;
/// How much the threads give way: where the processor is short, each gets about a tenth of what a lane gets, so that
/// people can still log in.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

type Task = Box<dyn FnOnce() + Send>;

pub(crate) struct Passwords {
    queue: SyncSender<Task>,
}

impl Passwords {
    /// Starts the threads. They end with the value.
    pub(crate) fn start() -> io::Result<Self> {
        let (queue, waiting) = sync_channel(WAITING_MAX);
        let waiting = Arc::new(Mutex::new(waiting));
        for at in 0..AT_ONCE {
            let waiting = Arc::clone(&waiting);
            thread::Builder::new().name(format!("password-{at}")).spawn(move || work(&waiting))?;
        }
        Ok(Self { queue })
    }

    /// The hash of a new password.
    pub(crate) async fn hash(&self, password: String) -> Result<String, Failure> {
        let hashed = self.done(move || {
            let hash = Argon2::default().hash_password(password.as_bytes());
            hash.map(|hash| hash.to_string()).map_err(|error| error.to_string())
        });
        hashed.await?.map_err(|error| Failure::internal(&error))
    }

    /// Whether `password` fits `hash`. Without a hash it takes as long, and never fits: how long an
    /// answer takes does not tell whether an account exists.
    pub(crate) async fn fits(&self, password: String, hash: Option<String>) -> Result<bool, Failure> {
        self.done(move || {
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

    /// What `work` comes to, once a thread has done it. What nobody waits for any more is left out.
    async fn done<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Failure> {
        let (reply, answer) = oneshot::channel();
        let task = move || {
            if !reply.is_closed() {
                // Who has gone meanwhile does not want it.
                let _ = reply.send(work());
            }
        };
        self.queue.try_send(Box::new(task)).map_err(|_| Failure::Busy)?;
        answer.await.map_err(|_| Failure::internal("a password could not be worked on"))
    }
}

fn work(waiting: &Mutex<Receiver<Task>>) {
    give_way();
    loop {
        let next = waiting.lock().recv();
        let Ok(task) = next else { return };
        if catch_unwind(AssertUnwindSafe(task)).is_err() {
            tracing::error!("the work on a password panicked");
        }
    }
}

/// Elsewhere a thread has no niceness of its own.
#[cfg(target_os = "linux")]
fn give_way() {
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::warn!(%error, "log-ins take as much of the processor as sales");
    }
}

#[cfg(not(target_os = "linux"))]
fn give_way() {}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::FutureExt;
    use futures_util::future::join_all;

    use super::*;

    /// Holds every thread up until the sender is dropped.
    async fn held_up(passwords: &Passwords) -> SyncSender<()> {
        let (gate, closed) = sync_channel::<()>(0);
        let closed = Arc::new(Mutex::new(closed));
        let mut started = Vec::new();
        for _ in 0..AT_ONCE {
            let (closed, (begun, begins)) = (Arc::clone(&closed), oneshot::channel());
            let holds = move || {
                let _ = begun.send(());
                let _ = closed.lock().recv();
            };
            passwords.queue.send(Box::new(holds)).unwrap();
            started.push(begins);
        }
        for begins in started {
            begins.await.unwrap();
        }
        gate
    }

    #[tokio::test]
    async fn a_password_fits_its_hash_and_no_other() {
        let passwords = Passwords::start().unwrap();
        let hash = passwords.hash("correct horse".to_owned()).await.unwrap();
        for (password, hash, fits) in [
            ("correct horse", Some(hash.clone()), true),
            ("Correct horse", Some(hash), false),
            ("correct horse", None, false),
            ("correct horse", Some("no hash".to_owned()), false),
        ] {
            assert_eq!(passwords.fits(password.to_owned(), hash).await, Ok(fits), "{password}");
        }
    }

    #[tokio::test]
    async fn what_finds_no_place_is_told_to_come_back() {
        let passwords = Passwords::start().unwrap();
        let gate = held_up(&passwords).await;
        let mut waiting: Vec<_> = (0..WAITING_MAX).map(|_| Box::pin(passwords.done(|| ()))).collect();
        for wait in &mut waiting {
            assert_eq!(wait.now_or_never(), None, "it waits");
        }
        assert_eq!(passwords.done(|| ()).now_or_never(), Some(Err(Failure::Busy)));
        drop(gate);
    }

    #[tokio::test]
    async fn a_few_are_hashed_at_a_time_and_give_way() {
        static AT_WORK: AtomicUsize = AtomicUsize::new(0);
        let passwords = Passwords::start().unwrap();
        let together = join_all((0..WAITING_MAX).map(|_| {
            passwords.done(|| {
                let others = AT_WORK.fetch_add(1, Ordering::SeqCst);
                let hashed = Argon2::default().hash_password(b"correct horse").is_ok();
                AT_WORK.fetch_sub(1, Ordering::SeqCst);
                assert!(hashed);
                others
            })
        }));
        let most = together.await.into_iter().map(Result::unwrap).max();
        assert!(most < Some(AT_ONCE), "{most:?}");
        #[cfg(target_os = "linux")]
        {
            let niceness = || rustix::process::getpriority_process(None).unwrap();
            let expected = (niceness() + NICENESS).min(19);
            assert_eq!(passwords.done(niceness).await, Ok(expected));
        }
    }

    #[tokio::test]
    async fn what_nobody_waits_for_is_left_out() {
        let passwords = Passwords::start().unwrap();
        let gate = held_up(&passwords).await;
        let (done, was_done) = sync_channel(1);
        let mut left = Box::pin(passwords.done(move || done.send(()).unwrap()));
        assert_eq!((&mut left).now_or_never(), None);
        drop(left);
        drop(gate);
        passwords.done(|| ()).await.unwrap();
        assert!(was_done.recv().is_err(), "it was not done, and the way to tell is gone");
    }

    #[tokio::test]
    async fn a_panic_takes_no_thread_away() {
        let passwords = Passwords::start().unwrap();
        for _ in 0..=AT_ONCE {
            let failed = passwords.done(|| panic!("a mistake")).await;
            assert!(matches!(failed, Err::<(), _>(Failure::Internal(_))), "{failed:?}");
        }
        assert_eq!(passwords.done(|| 7).await, Ok(7));
    }
}
