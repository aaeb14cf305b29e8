//! Full and closed.

use futures_util::FutureExt as _;
use kassa_engine::{Engine, Failure};

use crate::harness::{Call, Database, Gate, TestCommand, execute, start_call};

/// More commands than any queue should let wait.
const MANY: i64 = 100_000;

/// Fills the queue of the lane of shard 0, which must stand at a gate.
pub(crate) async fn fill_queue(engine: &Engine) -> Vec<Call<'_, Result<i64, Failure>>> {
    let mut waiting: Vec<Call<'_, _>> = Vec::new();
    loop {
        let key = i64::try_from(waiting.len()).unwrap() + 1;
        assert!(key < MANY, "the queue has no limit");
        let mut call: Call<'_, _> = Box::pin(execute(engine, TestCommand::make_user(key)));
        // A command either waits or is answered at once.
        let answer = std::future::poll_fn(|task| std::task::Poll::Ready(call.as_mut().poll(task))).await;
        match answer {
            std::task::Poll::Pending => waiting.push(call),
            std::task::Poll::Ready(answer) => {
                assert_eq!(answer, Err(Failure::Busy));
                return waiting;
            }
        }
    }
}

pub(crate) async fn a_full_queue_answers_busy(db: Database) {
    let engine = db.engine().await;
    let (gate, held) = Gate::hold(&engine);
    let waiting = fill_queue(&engine).await;
    assert_eq!(execute(&engine, TestCommand::make_user(MANY)).await, Err(Failure::Busy), "and again");
    gate.open();
    held.await.unwrap();
    let accepted = waiting.len();
    for call in waiting {
        call.await.unwrap();
    }
    assert_eq!(db.users(MANY).await.len(), accepted, "what waited was done, what was refused was not");
    execute(&engine, TestCommand::make_user(MANY)).await.unwrap();
}

pub(crate) async fn a_closed_engine_answers_busy(db: Database) {
    let engine = db.engine().await;
    engine.close().await;
    assert_eq!(execute(&engine, TestCommand::make_user(1)).await, Err(Failure::Busy));
    assert_eq!(db.users(1).await, [0; 0]);
    engine.close().await;
}

pub(crate) async fn closing_finishes_what_waits(db: Database) {
    let engine = db.engine().await;
    let (gate, held) = Gate::hold(&engine);
    let waiting: Vec<_> = (1..=20).map(|key| start_call(execute(&engine, TestCommand::make_user(key)))).collect();
    let closing = start_call(engine.close());
    assert_eq!(execute(&engine, TestCommand::make_user(21)).await, Err(Failure::Busy));
    gate.open();
    closing.await;
    for call in waiting.into_iter().chain([held]) {
        assert!(matches!(call.now_or_never(), Some(Ok(_))), "all are answered by now");
    }
    assert_eq!(db.users(21).await, (1..=20).collect::<Vec<i64>>());
}
