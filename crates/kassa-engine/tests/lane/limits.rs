//! Full and closed.

use kassa_engine::Failure;

use crate::house::{Call, Database, Does, Gate, begin, give};

/// More commands than any queue should let wait.
const MANY: i64 = 100_000;

pub(crate) async fn a_full_queue_answers_busy(db: Database) {
    let engine = db.engine().await;
    let (gate, held) = Gate::hold(&engine);
    let mut waiting: Vec<Call<'_, _>> = Vec::new();
    let busy = loop {
        let key = i64::try_from(waiting.len()).unwrap() + 1;
        assert!(key < MANY, "the queue has no limit");
        let mut call: Call<'_, _> = Box::pin(give(&engine, Does::make_user(key)));
        // A command either waits or is answered at once.
        let answer = std::future::poll_fn(|task| std::task::Poll::Ready(call.as_mut().poll(task))).await;
        match answer {
            std::task::Poll::Pending => waiting.push(call),
            std::task::Poll::Ready(answer) => break answer,
        }
    };
    assert_eq!(busy, Err(Failure::Busy));
    assert_eq!(give(&engine, Does::make_user(MANY)).await, Err(Failure::Busy), "and again");
    gate.open();
    held.await.unwrap();
    let accepted = waiting.len();
    for call in waiting {
        call.await.unwrap();
    }
    assert_eq!(db.users(MANY).await.len(), accepted, "what waited was done, what was refused was not");
    give(&engine, Does::make_user(MANY)).await.unwrap();
}

pub(crate) async fn a_closed_engine_answers_busy(db: Database) {
    let engine = db.engine().await;
    engine.close().await;
    assert_eq!(give(&engine, Does::make_user(1)).await, Err(Failure::Busy));
    assert_eq!(db.users(1).await, [0; 0]);
    engine.close().await;
}

pub(crate) async fn closing_finishes_what_waits(db: Database) {
    let engine = db.engine().await;
    let (gate, held) = Gate::hold(&engine);
    let waiting: Vec<_> = (1..=20).map(|key| begin(give(&engine, Does::make_user(key)))).collect();
    let closing = begin(engine.close());
    assert_eq!(give(&engine, Does::make_user(21)).await, Err(Failure::Busy));
    gate.open();
    closing.await;
    held.await.unwrap();
    for call in waiting {
        call.await.unwrap();
    }
    assert_eq!(db.users(21).await, (1..=20).collect::<Vec<i64>>());
}
