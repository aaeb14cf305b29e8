//! One query for all who ask at the same time.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::error::StoreError;

/// A query that many ask. One runs at a time, and whoever asks meanwhile waits for the next one: so each gets an answer
/// that was asked of the database after it had come. Clones share it.
pub(super) struct SharedQuery<T>(Arc<Mutex<Waiting<T>>>);

struct Waiting<T> {
    is_running: bool,
    replies: Vec<oneshot::Sender<Result<T, StoreError>>>,
}

impl<T> Default for SharedQuery<T> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Waiting { is_running: false, replies: Vec::new() })))
    }
}

impl<T: Clone + Send + 'static> SharedQuery<T> {
    /// Asks. The query runs in a task of its own: no caller that goes away takes it along.
    pub(super) async fn ask<F>(&self, runtime: &Handle, query: impl Fn() -> F + Send + 'static) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, StoreError>> + Send,
    {
        let (reply, answer) = oneshot::channel();
        let is_first = {
            let mut waiting = self.0.lock();
            waiting.replies.push(reply);
            !std::mem::replace(&mut waiting.is_running, true)
        };
        if is_first {
            let mut running = Running { waiting: Arc::clone(&self.0), is_over: false };
            runtime.spawn(async move {
                while let Some(replies) = running.take() {
                    let answer = query().await;
                    for reply in replies {
                        // It may have gone.
                        let _ = reply.send(answer.clone());
                    }
                }
            });
        }
        answer.await.unwrap_or_else(|_| Err(StoreError::Unavailable("a query was given up".to_owned())))
    }
}

/// Runs queries as long as somebody waits for one. However that ends, nobody waits for it afterwards.
struct Running<T> {
    waiting: Arc<Mutex<Waiting<T>>>,
    is_over: bool,
}

impl<T> Running<T> {
    /// Those that wait; `None` at the end.
    fn take(&mut self) -> Option<Vec<oneshot::Sender<Result<T, StoreError>>>> {
        let mut waiting = self.waiting.lock();
        self.is_over = waiting.replies.is_empty();
        waiting.is_running = !self.is_over;
        waiting.is_running.then(|| std::mem::take(&mut waiting.replies))
    }
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        // At its usual end another one may have begun already.
        if !self.is_over {
            *self.waiting.lock() = Waiting { is_running: false, replies: Vec::new() };
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use tokio::sync::Semaphore;
    use tokio::task::JoinSet;

    use super::*;

    /// A query that counts how often it was begun, and ends as often as it may.
    #[derive(Default)]
    struct Database {
        begun: AtomicU32,
        may_end: Option<Semaphore>,
    }

    fn ask(shared: &Arc<SharedQuery<u32>>, database: &Arc<Database>, tasks: &mut JoinSet<Result<u32, StoreError>>) {
        let (shared, database) = (Arc::clone(shared), Arc::clone(database));
        tasks.spawn(async move {
            shared
                .ask(&Handle::current(), move || {
                    let database = Arc::clone(&database);
                    async move {
                        let number = database.begun.fetch_add(1, Ordering::SeqCst) + 1;
                        if let Some(may_end) = &database.may_end {
                            may_end.acquire().await.unwrap().forget();
                        }
                        assert!(number < 3, "the third fails");
                        Ok(number)
                    }
                })
                .await
        });
    }

    #[tokio::test]
    async fn who_asks_while_a_query_runs_gets_the_answer_of_the_next() {
        let database = Arc::new(Database { may_end: Some(Semaphore::new(0)), ..Database::default() });
        let (shared, mut first, mut later) = (Arc::default(), JoinSet::new(), JoinSet::new());
        ask(&shared, &database, &mut first);
        while database.begun.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        for _ in 0..10 {
            ask(&shared, &database, &mut later);
        }
        while shared.0.lock().replies.len() < 10 {
            tokio::task::yield_now().await;
        }
        database.may_end.as_ref().unwrap().add_permits(2);
        assert_eq!(first.join_all().await, [Ok(1)]);
        assert_eq!(later.join_all().await, vec![Ok(2); 10], "all of them share one");
        assert!(!shared.0.lock().is_running);
    }

    #[tokio::test]
    async fn a_query_that_fails_in_the_middle_leaves_nobody_waiting() {
        let (database, shared) = (Arc::new(Database::default()), Arc::default());
        for expected in [Some(1), Some(2), None] {
            let mut tasks = JoinSet::new();
            ask(&shared, &database, &mut tasks);
            assert_eq!(tasks.join_all().await[0].as_ref().ok().copied(), expected);
        }
        assert!(!shared.0.lock().is_running);
    }
}
