//! Ids and order numbers, from one run of the engine to the next.

use std::collections::HashSet;

use kassa_domain::user::UserId;
use kassa_engine::{Engine, EngineParts, Secret, StartError};

use crate::harness::{Database, TestCommand, execute, user};

const HOUR_MS: i64 = 3_600_000;

/// Ids of that many commands, one after the other.
async fn ids(engine: &Engine, first: i64, count: i64) -> Vec<i64> {
    let mut ids = Vec::new();
    for key in first..first + count {
        ids.push(execute(engine, TestCommand::make_user(key)).await.unwrap());
    }
    ids
}

fn assert_growing(ids: &[i64]) {
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
}

pub(crate) async fn ids_grow_over_a_restart_even_when_the_clock_goes_back(db: Database) {
    let mut made = Vec::new();
    for run in 0..4 {
        let engine = db.engine().await;
        made.extend(ids(&engine, 1 + run * 10, 5).await);
        engine.close().await;
        db.clock.advance_ms(-HOUR_MS);
    }
    assert_growing(&made);
    let seconds: HashSet<i64> = made.iter().map(|id| UserId::root(*id).created_at().ms() / 1000).collect();
    assert_eq!(seconds.len(), 1, "they stay at the mark until the clock has come up to it");
}

pub(crate) async fn ids_grow_while_the_clock_goes_back(db: Database) {
    let engine = db.engine().await;
    let mut made = Vec::new();
    for (run, ms) in (0..).zip([0, -1, 5, -HOUR_MS, 2 * HOUR_MS, -1]) {
        db.clock.advance_ms(ms);
        made.extend(ids(&engine, 1 + run * 10, 3).await);
    }
    assert_growing(&made);
}

/// Takes that many order numbers, and tells the first.
fn take_numbers(key: i64, count: i64) -> TestCommand {
    TestCommand::new(move |cx, view| {
        let first = cx.order_number()?;
        for _ in 1..count {
            cx.order_number()?;
        }
        view.users.put(user(key));
        Ok(first)
    })
}

/// The first numbers of the commands `keys`, each of which takes `count`.
async fn numbers(engine: &Engine, keys: std::ops::RangeInclusive<i64>, count: i64) -> Vec<i64> {
    let mut numbers = Vec::new();
    for key in keys {
        numbers.push(execute(engine, take_numbers(key, count)).await.unwrap());
    }
    numbers
}

fn assert_disjoint(mut firsts: Vec<i64>, count: i64) {
    firsts.sort_unstable();
    assert!(firsts.windows(2).all(|pair| pair[0] + count <= pair[1]), "{firsts:?}");
}

pub(crate) async fn order_numbers_are_unique_over_restarts(db: Database) {
    let mut firsts = Vec::new();
    for run in 0..4 {
        let engine = db.engine().await;
        firsts.extend(numbers(&engine, 1 + run * 10..=5 + run * 10, 7).await);
        engine.close().await;
        db.clock.advance_ms(-HOUR_MS);
    }
    assert_disjoint(firsts, 7);
}

pub(crate) async fn order_numbers_go_on_in_the_next_block(db: Database) {
    let engine = db.engine().await;
    let firsts = numbers(&engine, 1..=25, 1_000).await;
    assert_disjoint(firsts, 1_000);
}

pub(crate) async fn concurrent_nodes_share_no_order_numbers_and_no_ids(db: Database) {
    let engine = db.engine().await;
    let other = db.engine().await;
    let (mut made, mut firsts) = (Vec::new(), Vec::new());
    for round in 0..5 {
        let key = 1 + round * 100;
        made.extend(ids(&engine, key, 3).await);
        made.extend(ids(&other, key + 10, 3).await);
        firsts.extend(numbers(&engine, key + 20..=key + 22, 1_000).await);
        firsts.extend(numbers(&other, key + 30..=key + 32, 1_000).await);
    }
    assert_eq!(made.iter().collect::<HashSet<_>>().len(), made.len());
    assert_disjoint(firsts, 1_000);
}

pub(crate) async fn another_secret_is_refused(db: Database) {
    db.engine().await.close().await;
    let secret = Secret::new("another secret of these tests, long enough").unwrap();
    let refused = Engine::start(EngineParts { secret, ..db.parts() }).await.err().unwrap();
    assert!(matches!(refused, StartError::WrongSecret), "{refused}");
    db.engine().await.close().await;
}
