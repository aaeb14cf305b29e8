//! The numbers of lanes: nobody shares one, and what was lost writes nothing.

use std::collections::BTreeSet;
use std::time::Duration;

use kassa_domain::id::NODES_MAX;
use kassa_domain::node::{NODE_LEASE_MS, Node};
use kassa_domain::user::User;
use kassa_domain::{Context, ReadSet, ShardTag, Timestamp, View};
use kassa_engine::{Clock as _, Engine, EngineParts, Failure, Secret, StartError};
use tokio::task::JoinSet;

use crate::harness::{Database, Gate, NODE, TestCommand, execute, start_call, user};
use crate::limits::fill_queue;

/// Makes the user of this key, and tells the number under which it was made.
fn create_user(key: i64) -> TestCommand {
    TestCommand::new(move |cx, view| {
        view.users.put(user(key));
        Ok(i64::from(cx.node.number))
    })
}

/// Tells the number of a shard's lane.
fn lane_number(shard: i64) -> TestCommand {
    TestCommand::new(|cx: &mut Context<'_>, _: &mut View| Ok(i64::from(cx.node.number)))
        .on(ShardTag::from_i64(shard).unwrap())
}

/// With as many lanes as servers have where several may write.
fn with_lanes(db: &Database) -> EngineParts {
    EngineParts { lanes: db.store.lanes_max().min(4), ..db.parts() }
}

/// The numbers of all lanes of an engine.
async fn numbers(engine: &Engine) -> Vec<i64> {
    let mut numbers = BTreeSet::new();
    for shard in 0..4 {
        numbers.insert(execute(engine, lane_number(shard)).await.unwrap());
    }
    numbers.into_iter().collect()
}

impl Database {
    async fn node(&self, node: u16) -> Node {
        let view = self.store.view(&ReadSet { nodes: vec![node], ..ReadSet::default() }).await.unwrap();
        view.nodes.get(node).unwrap().clone()
    }

    /// Changes the rows of writers behind the back of all engines.
    pub(crate) async fn update_nodes(&self, nodes: Vec<u16>, change: impl Fn(Node) -> Node + Send + Sync) {
        let read_set = ReadSet { nodes: nodes.clone(), ..ReadSet::default() };
        let mut put = |view: &mut View| {
            for node in &nodes {
                let row = view.nodes.get(*node).cloned().unwrap_or_else(|| Node::new(*node));
                view.nodes.put(change(row));
            }
            Ok(())
        };
        self.store.writer(7).unwrap().transact(&read_set, &mut put).await.unwrap();
    }

    /// Somebody else has claimed these numbers, and keeps them.
    async fn steal(&self, nodes: Vec<u16>) {
        let till = self.clock.now().plus_ms(NODE_LEASE_MS);
        self.update_nodes(nodes, |row| Node { epoch: row.epoch + 1, lease_till: till, ..row }).await;
    }
}

pub(crate) async fn engines_that_start_together_share_no_number(db: Database) {
    let mut starts: JoinSet<Engine> = JoinSet::new();
    for _ in 0..6 {
        let parts = with_lanes(&db);
        starts.spawn(async { Engine::start(parts).await.unwrap() });
    }
    let engines = starts.join_all().await;
    let mut all = Vec::new();
    for engine in &engines {
        all.extend(numbers(engine).await);
    }
    let count = engines.len() * with_lanes(&db).lanes;
    all.sort_unstable();
    let lowest: Vec<i64> = (0..).take(count).collect();
    assert_eq!(all, lowest);
}

pub(crate) async fn a_lane_whose_number_was_taken_writes_nothing_and_goes_on_under_another(db: Database) {
    let engine = db.engine().await;
    assert_eq!(execute(&engine, create_user(1)).await, Ok(0));
    db.steal(vec![0]).await;
    let stolen = db.node(0).await;
    assert_eq!(execute(&engine, create_user(2)).await, Err(Failure::Unavailable));
    assert_eq!((db.users(9).await, db.node(0).await), (vec![1], stolen), "nothing was written late");
    assert_eq!(execute(&engine, create_user(3)).await, Ok(1));
    assert_eq!(db.users(9).await, [1, 3]);
}

pub(crate) async fn only_acknowledged_commands_of_a_fenced_lane_are_written(db: Database) {
    let engine = db.engine().await;
    db.steal(vec![0]).await;
    let mut calls = JoinSet::new();
    for key in 1..=20 {
        let engine = engine.clone();
        // Each fills a batch.
        calls.spawn(async move { (key, execute(&engine, create_user(key).with_weight(10_000)).await) });
    }
    let mut made = Vec::new();
    for (key, answer) in calls.join_all().await {
        match answer {
            Ok(number) => {
                assert_eq!(number, 1);
                made.push(key);
            }
            Err(failure) => assert_eq!(failure, Failure::Unavailable),
        }
    }
    assert!(made.len() < 20, "the first batch was lost for sure");
    made.sort_unstable();
    assert_eq!(db.users(20).await, made);
}

pub(crate) async fn an_expired_lease_is_renewed_while_nobody_else_claims_the_number(db: Database) {
    let engine = db.engine().await;
    for (key, ms) in (1..).zip([NODE_LEASE_MS, 1, 3_600_000, -7_200_000]) {
        db.clock.advance_ms(ms);
        assert_eq!(execute(&engine, create_user(key)).await, Ok(0));
        assert_eq!(db.node(0).await.lease_till, db.clock.now().plus_ms(NODE_LEASE_MS), "it is renewed");
    }
}

pub(crate) async fn a_starting_engine_claims_a_number_whose_lease_has_expired(db: Database) {
    let engine = db.engine().await;
    db.clock.advance_ms(NODE_LEASE_MS - 1);
    let other = db.engine().await;
    assert_eq!((numbers(&engine).await, numbers(&other).await), (vec![0], vec![1]));
    db.clock.advance_ms(1);
    let successor = db.engine().await;
    assert_eq!(numbers(&successor).await, [0]);
    assert_eq!(execute(&engine, create_user(1)).await, Err(Failure::Unavailable));
    assert_eq!((execute(&engine, create_user(2)).await, execute(&successor, create_user(3)).await), (Ok(2), Ok(0)));
    assert_eq!(db.users(9).await, [2, 3]);
}

pub(crate) async fn lanes_that_do_not_write_keep_their_numbers(db: Database) {
    let engine = Engine::start(with_lanes(&db)).await.unwrap();
    let before = db.transactions().await;
    for (ms, writes) in [(0, 0), (3_334, 0), (1, 1), (3_334, 1), (5_000, 2)] {
        db.clock.advance_ms(ms);
        engine.renew_leases().await.unwrap();
        assert_eq!(db.transactions().await, before + writes, "after {ms} ms");
    }
    for number in numbers(&engine).await {
        let node = db.node(u16::try_from(number).unwrap()).await;
        assert_eq!(node.lease_till, db.clock.now().plus_ms(NODE_LEASE_MS), "number {number}");
    }
}

pub(crate) async fn a_number_is_given_back_at_the_end(db: Database) {
    for epoch in 1..=3 {
        let engine = Engine::start(with_lanes(&db)).await.unwrap();
        assert_eq!(execute(&engine, create_user(epoch)).await, Ok(0), "shard 0 is of the first lane");
        assert_eq!(db.node(NODE).await.epoch, epoch);
        engine.close().await;
        assert!(db.node(NODE).await.is_claimable(db.clock.now()));
        // A clock that goes back does not take it away again.
        db.clock.advance_ms(-3_600_000);
    }
}

pub(crate) async fn a_number_is_given_back_when_the_start_fails(db: Database) {
    db.engine().await.close().await;
    let secret = Secret::new("another secret of these tests, long enough").unwrap();
    assert!(Engine::start(EngineParts { secret, ..with_lanes(&db) }).await.is_err());
    assert!(db.node(NODE).await.is_claimable(db.clock.now()));
    assert_eq!(numbers(&db.engine().await).await, [0]);
}

pub(crate) async fn when_all_numbers_are_taken_nobody_starts(db: Database) {
    db.steal((0..NODES_MAX).collect()).await;
    let refused = Engine::start(db.parts()).await.err().unwrap();
    assert!(matches!(refused, StartError::NumbersTaken), "{refused}");
    assert!(refused.to_string().contains("1024"), "{refused}");
    db.clock.advance_ms(NODE_LEASE_MS);
    assert_eq!(numbers(&db.engine().await).await, [0]);
}

pub(crate) async fn a_lane_without_a_number_answers_unavailable_until_it_gets_one(db: Database) {
    let engine = db.engine().await;
    db.steal((0..NODES_MAX).collect()).await;
    for key in 1..=3 {
        assert_eq!(execute(&engine, create_user(key)).await, Err(Failure::Unavailable));
        assert!(!engine.can_write());
    }
    db.update_nodes(vec![7], |row| Node { lease_till: Timestamp::from_ms(0), ..row }).await;
    let mut given = execute(&engine, create_user(4)).await;
    // It may have looked just before.
    for _ in 0..100 {
        if given.is_ok() {
            break;
        }
        given = execute(&engine, create_user(4)).await;
    }
    assert_eq!((given, db.users(9).await), (Ok(7), vec![4]));
    assert!(engine.can_write());
    engine.close().await;
    assert!(db.node(7).await.is_claimable(db.clock.now()));
}

pub(crate) async fn a_lane_that_gets_no_number_can_be_closed(db: Database) {
    let engine = db.engine().await;
    db.steal((0..NODES_MAX).collect()).await;
    assert_eq!(execute(&engine, create_user(1)).await, Err(Failure::Unavailable));
    engine.close().await;
    assert_eq!(db.users(9).await, [0; 0]);
}

pub(crate) async fn a_lane_takes_a_new_block_when_its_order_numbers_are_gone(db: Database) {
    let engine = db.engine().await;
    let take = |key| {
        TestCommand::new(move |cx, view| {
            view.users.put(user(key));
            cx.order_number()
        })
    };
    let first = execute(&engine, take(1)).await.unwrap();
    // The lane knows of thousands.
    db.update_nodes(vec![NODE], |row| Node { next_order_number: row.order_numbers_end, ..row }).await;
    let second = execute(&engine, take(2)).await.unwrap();
    assert!(second >= first + 10_000, "{first} {second}");
    assert_eq!(execute(&engine, take(3)).await, Ok(second + 1));
}

pub(crate) async fn a_database_takes_as_many_lanes_as_it_says(db: Database) {
    let max = db.store.lanes_max();
    for lanes in [0, max + 1] {
        let refused = Engine::start(EngineParts { lanes, ..db.parts() }).await.err().unwrap();
        assert!(matches!(refused, StartError::LaneCount(..)), "{refused}");
    }
    let engine = Engine::start(EngineParts { lanes: max, ..db.parts() }).await.unwrap();
    assert_eq!(execute(&engine, create_user(1)).await, Ok(0));
    engine.close().await;
}

/// Where several may write: one event's commands meet in one lane, and do not wait for those of another.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lanes_do_not_wait_for_each_other() {
    let db = Database::postgres().await;
    let engine = Engine::start(with_lanes(&db)).await.unwrap();
    assert_eq!(numbers(&engine).await, [0, 1, 2, 3]);
    for shard in 0..4 {
        let other_event = shard + 4 * (1 + shard);
        assert_eq!(
            execute(&engine, lane_number(shard)).await,
            execute(&engine, lane_number(other_event)).await,
            "they share a lane"
        );
    }
    // The lane of shard 0 stands still.
    let (gate, held) = Gate::hold(&engine);
    let waits = start_call(execute(&engine, lane_number(0)));
    for shard in 1..4 {
        execute(&engine, create_user(shard).on(ShardTag::from_i64(shard).unwrap())).await.unwrap();
    }
    assert_eq!(db.users(9).await, [1, 2, 3]);
    gate.open();
    held.await.unwrap();
    assert_eq!(waits.await, Ok(0));
    engine.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_lane_does_not_let_leases_expire() {
    let db = Database::postgres().await;
    let engine = Engine::start(with_lanes(&db)).await.unwrap();
    let (gate, held) = Gate::hold(&engine);
    let waiting = fill_queue(&engine).await;
    db.clock.advance_ms(NODE_LEASE_MS / 2);
    let now = db.clock.now();
    let renewing = start_call(engine.renew_leases());
    for other in 1..4 {
        let renewed = async { while db.node(other).await.lease_till != now.plus_ms(NODE_LEASE_MS) {} };
        tokio::time::timeout(Duration::from_mins(1), renewed).await.expect("a lane that is not full renews its lease");
    }
    assert_eq!(db.node(0).await.lease_till, now.plus_ms(NODE_LEASE_MS / 2));
    gate.open();
    held.await.unwrap();
    // The full lane does so before all that waits.
    assert_eq!(renewing.await, Ok(()));
    assert_eq!(db.node(0).await.lease_till, now.plus_ms(NODE_LEASE_MS));
    drop(waiting);
    engine.close().await;
}

/// Ids and order numbers of lanes that write at the same time are each one's own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lanes_share_no_ids_and_no_order_numbers() {
    let db = Database::postgres().await;
    let engine = Engine::start(with_lanes(&db)).await.unwrap();
    let mut running: JoinSet<(i64, i64)> = JoinSet::new();
    for key in 1..=200 {
        let engine = engine.clone();
        running.spawn(async move {
            let shard = ShardTag::from_i64(key).unwrap();
            let take = move |key, of: fn(&mut Context<'_>) -> i64| {
                TestCommand::new(move |cx, view| {
                    view.users.put(user(key));
                    Ok(of(cx))
                })
                .on(shard)
            };
            let id = execute(&engine, take(key, |cx| cx.root_id::<User>().key())).await.unwrap();
            (id, execute(&engine, take(1_000 + key, |cx| cx.order_number().unwrap())).await.unwrap())
        });
    }
    let (ids, numbers): (BTreeSet<i64>, BTreeSet<i64>) = running.join_all().await.into_iter().unzip();
    assert_eq!((ids.len(), numbers.len()), (200, 200));
}
