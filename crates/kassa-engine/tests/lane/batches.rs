//! Many commands, few transactions.

use kassa_domain::Id;

use crate::harness::{Database, Gate, TestCommand, execute, start_call, user};

pub(crate) async fn a_reply_comes_after_its_rows_can_be_read(db: Database) {
    let engine = db.engine().await;
    for key in 1..=30 {
        execute(&engine, TestCommand::make_user(key)).await.unwrap();
        assert!(db.user(Id::root(key)).await.is_some(), "user {key} is not there after its reply");
    }
    // The same in batches: whoever is answered reads.
    let (gate, held) = Gate::hold(&engine);
    let calls: Vec<_> = (31..=60).map(|key| start_call(execute(&engine, TestCommand::make_user(key)))).collect();
    gate.open();
    held.await.unwrap();
    for (key, call) in (31..).zip(calls) {
        call.await.unwrap();
        assert!(db.user(Id::root(key)).await.is_some(), "user {key} is not there after its reply");
    }
}

pub(crate) async fn commands_that_wait_share_a_transaction(db: Database) {
    let engine = db.engine().await;
    let before = db.transactions().await;
    let (gate, held) = Gate::hold(&engine);
    let calls: Vec<_> = (1..=100).map(|key| start_call(execute(&engine, TestCommand::make_user(key)))).collect();
    gate.open();
    held.await.unwrap();
    for call in calls {
        call.await.unwrap();
    }
    assert_eq!(db.users(100).await.len(), 100);
    assert_eq!(db.transactions().await, before + 1);
}

pub(crate) async fn commands_of_one_batch_see_each_other_in_turn(db: Database) {
    let engine = db.engine().await;
    execute(&engine, TestCommand::make_user(1)).await.unwrap();
    let (gate, held) = Gate::hold(&engine);
    let calls: Vec<_> = (0..50).map(|_| start_call(execute(&engine, TestCommand::count_up(1)))).collect();
    gate.open();
    held.await.unwrap();
    for (revision, call) in (2..).zip(calls) {
        assert_eq!(call.await, Ok(revision));
    }
}

pub(crate) async fn a_crowd_of_commands_loses_no_change(db: Database) {
    let engine = db.engine().await;
    execute(&engine, TestCommand::make_user(1)).await.unwrap();
    let mut calls = tokio::task::JoinSet::new();
    for _ in 0..500 {
        let engine = engine.clone();
        calls.spawn(async move { execute(&engine, TestCommand::count_up(1)).await.unwrap() });
    }
    let mut revisions = calls.join_all().await;
    revisions.sort_unstable();
    assert_eq!(revisions, (2..=501).collect::<Vec<i64>>(), "each has its own turn");
    assert_eq!(db.user(Id::root(1)).await.unwrap().revision, 501);
}

pub(crate) async fn a_batch_has_a_limit_of_rows(db: Database) {
    let engine = db.engine().await;
    let before = db.transactions().await;
    let (gate, held) = Gate::hold(&engine);
    let calls: Vec<_> =
        (1..=14).map(|key| start_call(execute(&engine, TestCommand::make_user(key).with_weight(400)))).collect();
    gate.open();
    held.await.unwrap();
    for call in calls {
        call.await.unwrap();
    }
    assert_eq!(db.users(14).await, (1..=14).collect::<Vec<i64>>());
    assert_eq!(db.transactions().await, before + 2, "two batches of seven times 400 rows");
}

pub(crate) async fn heavy_commands_have_batches_of_their_own(db: Database) {
    let engine = db.engine().await;
    let before = db.transactions().await;
    let (gate, held) = Gate::hold(&engine);
    let calls: Vec<_> = [4_000, 8, 10_000, 8]
        .into_iter()
        .zip(1..)
        .map(|(weight, key)| start_call(execute(&engine, TestCommand::make_user(key).with_weight(weight))))
        .collect();
    gate.open();
    held.await.unwrap();
    for call in calls {
        call.await.unwrap();
    }
    assert_eq!(db.users(4).await, [1, 2, 3, 4]);
    assert_eq!(db.transactions().await, before + 3, "one for each heavy command, and one for the light ones");
}

pub(crate) async fn a_command_abandoned_in_the_queue_is_not_run(db: Database) {
    let engine = db.engine().await;
    let before = db.transactions().await;
    let (gate, held) = Gate::hold(&engine);
    // Abandoned commands take no room in a batch.
    for key in 1..=20 {
        drop(start_call(execute(&engine, TestCommand::make_user(key).with_weight(10_000))));
    }
    let stays = start_call(execute(&engine, TestCommand::make_user(21)));
    drop(start_call(execute(&engine, TestCommand::make_user(22))));
    gate.open();
    held.await.unwrap();
    stays.await.unwrap();
    assert_eq!((db.users(22).await, db.transactions().await), (vec![21], before + 1));
    execute(&engine, TestCommand::make_user(23)).await.unwrap();
}

pub(crate) async fn a_command_abandoned_while_running_is_committed(db: Database) {
    let engine = db.engine().await;
    let (gate, held) = Gate::hold_after_change(&engine, |view| view.users.put(user(1)));
    drop(held);
    gate.open();
    execute(&engine, TestCommand::make_user(2)).await.unwrap();
    assert_eq!(db.users(2).await, [1, 2]);
}
