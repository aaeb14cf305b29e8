//! A database that says nothing.

use std::time::Duration;

use kassa_engine::Failure;
use kassa_store::Store;
use kassa_store::postgres::scratch::TestDatabase;
use tokio::time::timeout;

use crate::harness::{Database, TestCommand, execute, start_call};

/// How long somebody waits for a lane whose batch does not end, on a machine that is busy.
const BATCH_WAIT_MAX: Duration = Duration::from_secs(5);
/// No time at all for somebody who comes later.
const ANSWER_WITHIN: Duration = Duration::from_secs(1);

/// So much that nothing else fits into its batch.
fn large(key: i64) -> TestCommand {
    TestCommand::make_user(key).with_weight(10_000)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn callers_are_turned_away_while_a_batch_hangs() {
    let (postgres, scratch) = TestDatabase::new().await;
    let db = Database::over(Store::Postgres(postgres), ());
    let engine = db.engine().await;
    for round in 0..2 {
        let key = |at: i64| 10 * round + at;
        execute(&engine, TestCommand::make_user(key(1))).await.unwrap();
        scratch.block_writers().await;
        let stuck = start_call(execute(&engine, large(key(2))));
        // The first is the one that the lane has in its hand, the other is in the queue.
        let (one, other) = (execute(&engine, large(key(3))), execute(&engine, large(key(4))));
        let waited = Box::pin(timeout(BATCH_WAIT_MAX, async { tokio::join!(one, other) })).await;
        assert_eq!(waited, Ok((Err(Failure::Unavailable), Err(Failure::Unavailable))));
        assert!(!engine.can_write());
        for at in 5..9 {
            let later = timeout(ANSWER_WITHIN, execute(&engine, TestCommand::make_user(key(at)))).await;
            assert_eq!(later, Ok(Err(Failure::Unavailable)));
        }
        scratch.unblock_writers().await;
        stuck.await.unwrap();
        execute(&engine, TestCommand::make_user(key(9))).await.unwrap();
        assert!(engine.can_write());
    }
    assert_eq!(db.users(19).await, [1, 2, 9, 11, 12, 19], "what was refused was not done");
    engine.close().await;
}
