//! Full and closed.

use std::sync::Arc;

use futures_util::FutureExt;
use kassa_domain::{Actor, Context, Id, View};
use kassa_engine::{Engine, Failure};

use crate::harness::{Call, Database, Gate, TestCommand, execute, start_call, user};

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

async fn execute_as(engine: &Engine, partner: i64, command: TestCommand) -> Result<i64, Failure> {
    engine.execute(&Actor::Partner(Id::root(partner)), command, |_, outcome| *outcome).await
}

pub(crate) async fn a_flood_of_one_partner_neither_delays_nor_refuses_another(db: Database) {
    let (engine, mut lanes) = Engine::start_manual(db.parts()).await.unwrap();
    let mut flood: Vec<Call<'_, _>> = Vec::new();
    let refused = loop {
        let key = i64::try_from(flood.len()).unwrap() + 1;
        assert!(key < MANY, "the queue has no limit");
        let mut call: Call<'_, _> = Box::pin(execute_as(&engine, 1, TestCommand::make_user(key)));
        match (&mut call).now_or_never() {
            None => flood.push(call),
            Some(answer) => break answer,
        }
    };
    assert_eq!(refused, Err(Failure::Busy));
    let mut others: Vec<_> = (2..10)
        .map(|partner| start_call(execute_as(&engine, partner, TestCommand::make_user(MANY + partner))))
        .collect();
    lanes[0].run_batch().await;
    for other in &mut others {
        assert!(matches!(other.now_or_never(), Some(Ok(_))), "all others are in the first batch");
    }
    let answered = flood.iter_mut().filter_map(FutureExt::now_or_never).count();
    assert!((1..1_000).contains(&answered), "{answered} of {}", flood.len());
}

pub(crate) async fn large_changes_of_one_partner_delay_no_order_of_another(db: Database) {
    let (engine, mut lanes) = Engine::start_manual(db.parts()).await.unwrap();
    let large = |key| execute_as(&engine, 1, TestCommand::make_user(key).with_weight(10_000));
    let mut waiting: Vec<_> = (1..=10).map(|key| start_call(large(key))).collect();
    assert_eq!(large(11).await, Err(Failure::TooManyHeavy));
    for key in 100..105 {
        let mut order = start_call(execute_as(&engine, 2, TestCommand::make_user(key)));
        lanes[0].run_batch().await;
        lanes[0].run_batch().await;
        assert!(matches!((&mut order).now_or_never(), Some(Ok(_))), "behind one large change at most");
    }
    let done = waiting.iter_mut().filter_map(FutureExt::now_or_never).count();
    assert_eq!(done, 5, "each came between two orders");
}

pub(crate) async fn slow_commands_of_one_partner_delay_no_order_of_another(db: Database) {
    const SLOW_MS: i64 = 30;
    let (engine, mut lanes) = Engine::start_manual(db.parts()).await.unwrap();
    let slow = |key| {
        let clock = Arc::clone(&db.clock);
        let decide = move |_: &mut Context<'_>, view: &mut View| {
            view.users.put(user(key));
            clock.advance_ms(SLOW_MS);
            Ok(key)
        };
        start_call(execute_as(&engine, 1, TestCommand::new(decide)))
    };
    let mut waiting: Vec<_> = (1..=10).map(&slow).collect();
    // Nobody knew how slow they are: of the batch that has begun, only one is decided.
    lanes[0].run_batch().await;
    let answered = |waiting: &mut Vec<Call<'_, _>>| waiting.iter_mut().filter_map(FutureExt::now_or_never).count();
    assert_eq!(answered(&mut waiting), 1);
    drop(waiting.remove(0));
    for key in 100..105 {
        waiting.push(slow(key));
        let mut order = start_call(execute_as(&engine, 2, TestCommand::make_user(key + 100)));
        lanes[0].run_batch().await;
        lanes[0].run_batch().await;
        assert!(matches!((&mut order).now_or_never(), Some(Ok(_))), "behind one slow command at most");
    }
    while !waiting.is_empty() {
        lanes[0].run_batch().await;
        waiting.retain_mut(|call| call.now_or_never().is_none());
    }
    assert_eq!(db.users(10).await, (1..=10).collect::<Vec<i64>>(), "none is lost");
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
