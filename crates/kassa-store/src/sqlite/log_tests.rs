//! The write-ahead log under readers that overlap, and a writer that never rests.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use futures_util::future::join_all;
use kassa_domain::change::Revision;
use kassa_domain::hall_map::{HallMap, HallMapId};
use kassa_domain::{Id, ReadSet, Timestamp, View};
use tokio::time::Instant;

use super::checkpoint::{LOG_LIMITS, LogLimits};
use super::{Sqlite, SqliteWriter};
use crate::READ_TIME_LIMIT;
use crate::error::StoreError;
use crate::lists::{Conditions, Filter, PageWindow, Predicate};

/// Bytes that each batch writes: little, so that there are many, and few moments in which all of the log is moved.
const BATCH_BYTES: usize = 20_000;
/// Short ones, so that it takes seconds to reach them: 1 and 2 MiB.
const SHORT_LOG: LogLimits = LogLimits { long: 256, too_long: 512 };
/// Readers, each of which begins again as soon as it has ended: more than there are connections.
const READERS: usize = 6;
/// What is written, at most, until the last of those who read has ended: a busy machine lets them take their time.
const WRITTEN_MEANWHILE: u64 = 8 * 1024 * 1024;
/// The most that the log may take up: what it may have before readers wait, what is written until the last of them has
/// ended, and as much again while the rest is moved.
fn log_bytes_max(limits: LogLimits) -> u64 {
    2 * limits.bytes_kept().unsigned_abs() + WRITTEN_MEANWHILE
}

/// A list that counts so far before it gives its row.
struct CountingList(i64);

impl Filter for CountingList {
    type Row = HallMap;

    fn conditions(&self, conditions: &mut Conditions) {
        let count =
            "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < ?) SELECT count(*) FROM c";
        conditions.add(Predicate::sql(format!("id < ({count}) + id"), [self.0.into()]));
    }
}

/// What a run of writes and reads has seen.
#[derive(Debug, Default)]
struct LogReport {
    batches: u64,
    lists: u64,
    lookups: u64,
    log_bytes_max: u64,
    batch_p99: Duration,
    batch_max: Duration,
    lookup_max: Duration,
}

fn map_id() -> HallMapId {
    Id::root(1)
}

fn read_set() -> ReadSet {
    ReadSet { hall_maps: vec![map_id()], ..ReadSet::default() }
}

/// The row that a batch writes.
pub(super) fn map(number: u64) -> HallMap {
    HallMap {
        id: map_id(),
        venue: Id::root(2),
        name: number.to_string(),
        desc: Some("x".repeat(BATCH_BYTES)),
        sectors: Vec::new(),
        created_at: Timestamp::from_ms(0),
        updated_at: Timestamp::from_ms(0),
        revision: Revision::stored(1, None),
    }
}

/// Writes one row, all of it.
pub(super) fn write_batch(writer: &mut SqliteWriter, number: u64) {
    let map = map(number);
    let decide = &mut |view: &mut View| {
        view.hall_maps.put(map.clone());
        Ok(())
    };
    writer.transact(&read_set(), decide).unwrap();
}

/// Writes while `goes_on`, beside readers that overlap; the log is looked at after each batch.
async fn run(path: &Path, limits: LogLimits, goes_on: impl Fn(&LogReport) -> bool + Send + 'static) -> LogReport {
    let sqlite = Sqlite::open_with_log(path, Some(limits), None).unwrap();
    let mut writer = sqlite.writer().unwrap();
    write_batch(&mut writer, 0);
    let (is_over, lists, lookups) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let observed = sqlite.clone();
    let writing = async {
        let written = tokio::task::spawn_blocking(move || {
            let (mut report, mut times) = (LogReport::default(), Vec::new());
            while goes_on(&report) {
                report.batches += 1;
                let start = Instant::now();
                write_batch(&mut writer, report.batches);
                times.push(start.elapsed());
                report.log_bytes_max = report.log_bytes_max.max(observed.log_bytes());
            }
            times.sort_unstable();
            report.batch_p99 = times[times.len() * 99 / 100];
            report.batch_max = times[times.len() - 1];
            report
        });
        let report = written.await.unwrap();
        is_over.store(true, Ordering::Relaxed);
        report
    };
    let reading = join_all((0..READERS).map(async |_| {
        while !is_over.load(Ordering::Relaxed) {
            let page = sqlite.page(CountingList(1_500_000), PageWindow::first(1)).await.unwrap();
            assert_eq!(page.rows.len(), 1);
            lists.fetch_add(1, Ordering::Relaxed);
        }
    }));
    let looking_up = async {
        let mut longest = Duration::ZERO;
        while !is_over.load(Ordering::Relaxed) {
            let start = Instant::now();
            assert_eq!(sqlite.view(&read_set()).await.unwrap().hall_maps.rows().count(), 1);
            longest = longest.max(start.elapsed());
            lookups.fetch_add(1, Ordering::Relaxed);
            tokio::task::yield_now().await;
        }
        longest
    };
    let (report, _, lookup_max) = tokio::join!(writing, reading, looking_up);
    LogReport { lists: lists.into_inner(), lookups: lookups.into_inner(), lookup_max, ..report }
}

fn assert_bounded(report: &LogReport, limits: LogLimits) {
    println!("{report:?}");
    assert!(report.lists > 0 && report.lookups > 0, "{report:?}");
    assert!(report.lookup_max < READ_TIME_LIMIT, "a look-up has waited for lists: {report:?}");
    assert!(report.batches * BATCH_BYTES as u64 > 2 * log_bytes_max(limits), "too little to tell: {report:?}");
    assert!(report.log_bytes_max <= log_bytes_max(limits), "{report:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_is_bounded_under_overlapping_readers() {
    let folder = tempfile::tempdir().unwrap();
    let enough = 3 * log_bytes_max(SHORT_LOG) / BATCH_BYTES as u64 + 1;
    let path = folder.path().join("kassa.db");
    assert_bounded(&run(&path, SHORT_LOG, move |so_far| so_far.batches < enough).await, SHORT_LOG);
}

/// The same for as many seconds as `KASSA_LOG_SECONDS` says, 600 unless it does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes ten minutes"]
async fn the_log_is_bounded_for_ten_minutes() {
    let folder = tempfile::tempdir().unwrap();
    let seconds = std::env::var("KASSA_LOG_SECONDS").map_or(600, |seconds| seconds.parse().unwrap());
    let start = Instant::now();
    let lasts = move |_: &LogReport| start.elapsed() < Duration::from_secs(seconds);
    assert_bounded(&run(&folder.path().join("kassa.db"), LOG_LIMITS, lasts).await, LOG_LIMITS);
}

#[tokio::test]
async fn a_read_that_takes_too_long_is_ended_and_another_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let sqlite = Sqlite::open(&folder.path().join("kassa.db"), false).unwrap();
    write_batch(&mut sqlite.writer().unwrap(), 0);
    sqlite.set_read_time_limit(Duration::from_millis(50));
    for _ in 0..2 * super::LIST_CONNECTIONS {
        let ended = sqlite.page(CountingList(i64::MAX), PageWindow::first(1)).await;
        assert_eq!(ended.unwrap_err(), StoreError::ReadTimeout);
    }
    sqlite.set_read_time_limit(Duration::from_mins(1));
    assert_eq!(sqlite.page(CountingList(1_000), PageWindow::first(1)).await.unwrap().rows.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lookups_do_not_wait_for_lists() {
    let folder = tempfile::tempdir().unwrap();
    let sqlite = Sqlite::open(&folder.path().join("kassa.db"), false).unwrap();
    write_batch(&mut sqlite.writer().unwrap(), 0);
    sqlite.set_read_time_limit(Duration::from_secs(2));
    // They end by the time limit alone, and take all connections until then.
    let endless = || {
        tokio::spawn({
            let sqlite = sqlite.clone();
            async move { sqlite.page(CountingList(i64::MAX), PageWindow::first(1)).await }
        })
    };
    let lists: Vec<_> = (0..super::LIST_CONNECTIONS).map(|_| endless()).collect();
    while sqlite.inner.readers.free_connections(super::ReadClass::List) > 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(sqlite.view(&read_set()).await.unwrap().hall_maps.rows().count(), 1);
    assert!(lists.iter().all(|list| !list.is_finished()), "the look-up has waited for a list");
    for list in lists {
        assert_eq!(list.await.unwrap().unwrap_err(), StoreError::ReadTimeout);
    }
}
