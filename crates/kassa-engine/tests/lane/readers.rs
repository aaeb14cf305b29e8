//! Who reads how much of lists.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use kassa_engine::metrics::MetricsText;
use kassa_engine::{Engine, EngineParts, Failure, ListTurn, ReadLimits, Reader};
use kassa_store::postgres::scratch::TestDatabase;
use kassa_store::queries::UsersFilter;
use kassa_store::{PageWindow, Store};
use tokio::time::Instant;

use crate::harness::{Database, TestCommand, execute, start_call};

fn network(host: u8) -> Reader {
    Reader::Network(IpAddr::from([192, 0, 2, host]))
}

async fn start(db: &Database) -> Engine {
    let read_limits = ReadLimits { lists_per_reader: 1, ..ReadLimits::default() };
    Engine::start(EngineParts { read_limits, ..db.parts() }).await.unwrap()
}

async fn read_page(engine: &Engine) -> Result<(), Failure> {
    engine.page(UsersFilter, PageWindow::first(10)).await.map(|_| ())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_lists_by_many_connections_takes_one_turn_at_a_time() {
    const ROUNDS: u64 = 50;
    // Its folder is there as long as connections are opened.
    let database = Database::sqlite().await;
    let engine = start(&database).await;
    let (served, is_over) = (AtomicU64::new(0), AtomicBool::new(false));
    let greedy = join_all((0..32).map(async |_| {
        while !is_over.load(Ordering::Relaxed) {
            engine.read_as(network(1), read_page(&engine)).await.unwrap();
            served.fetch_add(1, Ordering::Relaxed);
            tokio::task::yield_now().await;
        }
    }));
    let modest = async {
        while served.load(Ordering::Relaxed) < 100 {
            tokio::task::yield_now().await;
        }
        let before = served.load(Ordering::Relaxed);
        for _ in 0..ROUNDS {
            engine.read_as(network(2), read_page(&engine)).await.unwrap();
        }
        is_over.store(true, Ordering::Relaxed);
        served.load(Ordering::Relaxed) - before
    };
    let (_, meanwhile) = tokio::join!(greedy, modest);
    // First come first served, each page would wait for those of 32 connections.
    assert!(meanwhile < 8 * ROUNDS, "{meanwhile} pages of the one while the other read {ROUNDS}");
}

#[tokio::test]
async fn a_turn_ends_with_the_work_or_before_the_wait_for_a_client() {
    let engine = start(&Database::memory().await).await;
    let other = engine.clone();
    let held = tokio::spawn(async move {
        other
            .read_as(network(1), async {
                read_page(&other).await.unwrap();
                ListTurn::end();
                std::future::pending::<()>().await;
            })
            .await;
    });
    for _ in 0..3 {
        engine.read_as(network(1), read_page(&engine)).await.unwrap();
    }
    held.abort();
    // What a reader's stream reads in a task of its own is its own, too.
    let (reader, nobody) = engine
        .read_as(network(1), async { (ListTurn::inherit(async { ListTurn::reader() }), ListTurn::reader()) })
        .await;
    assert_eq!((tokio::spawn(reader).await.unwrap(), nobody), (Some(network(1)), Some(network(1))));
    assert_eq!(ListTurn::reader(), None);
}

#[tokio::test]
async fn who_waits_too_long_for_a_turn_is_told_that_the_service_is_busy() {
    let engine = start(&Database::memory().await).await;
    tokio::time::pause();
    let busy = engine.read_as(network(1), async {
        read_page(&engine).await.unwrap();
        // Its own second request, and one of somebody else.
        let own = engine.read_as(network(1), read_page(&engine)).await;
        engine.read_as(network(2), read_page(&engine)).await.unwrap();
        // Who has a turn goes on with it.
        read_page(&engine).await.unwrap();
        own
    });
    assert_eq!(busy.await, Err(Failure::Busy));
    engine.read_as(network(1), read_page(&engine)).await.unwrap();
}

/// How long a reader waits for a turn after it had one of this length, and another one meanwhile.
async fn waits_after_a_turn_of(took: Duration, writes: bool) -> (Duration, Duration) {
    let (engine, mut lanes) = Engine::start_manual(EngineParts {
        read_limits: ReadLimits { lists: 2, lists_per_reader: 1, ..ReadLimits::default() },
        ..Database::memory().await.parts()
    })
    .await
    .unwrap();
    let wait = async |reader| {
        let start = Instant::now();
        engine.read_as(reader, read_page(&engine)).await.unwrap();
        start.elapsed()
    };
    tokio::time::pause();
    let turn = async {
        read_page(&engine).await.unwrap();
        if writes {
            let made = start_call(execute(&engine, TestCommand::make_user(1)));
            lanes[0].run_batch().await;
            made.await.unwrap();
        }
        tokio::time::advance(took).await;
    };
    engine.read_as(network(1), turn).await;
    let waits = (wait(network(2)).await, wait(network(1)).await);
    tokio::time::resume();
    waits
}

#[tokio::test]
async fn a_long_turn_in_which_somebody_wrote_is_followed_by_a_rest() {
    let ms = Duration::from_millis;
    for (took, writes, rest) in [(5, true, 0), (200, false, 0), (200, true, 200), (5_000, true, 250)] {
        let (of_another, own) = waits_after_a_turn_of(ms(took), writes).await;
        assert_eq!(of_another, ms(0), "{took} ms, writes: {writes}");
        // Timers are exact to a millisecond.
        assert!((ms(rest)..=ms(rest + 1)).contains(&own), "{took} ms, writes: {writes}: {own:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_lasts_as_long_as_the_database_reads_though_its_request_is_gone() {
    let (postgres, scratch) = TestDatabase::new().await;
    let database = Database::over(Store::Postgres(postgres), ());
    let read_limits = ReadLimits { lists: 1, lists_per_reader: 1, ..ReadLimits::default() };
    let engine = Engine::start(EngineParts { read_limits, ..database.parts() }).await.unwrap();
    let limits = "SET idle_in_transaction_session_timeout = 0";
    scratch.execute(&format!("{limits}; BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE")).await.unwrap();
    let is_stuck = async {
        while !scratch.has_lock_waiters().await {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        read = engine.read_as(network(1), read_page(&engine)) => panic!("{read:?} of a table that is locked"),
        () = is_stuck => {}
    }
    let next = start_call(engine.read_as(network(2), read_page(&engine)));
    let mut metrics = MetricsText::default();
    engine.write_metrics(&mut metrics);
    assert!(metrics.finish().contains("\nkassa_list_reads_waiting 1\n"), "it asks the database");
    scratch.unblock_writers().await;
    next.await.unwrap();
}
