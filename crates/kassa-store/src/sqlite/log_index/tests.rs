//! What is known of writers without a query is what a query would say, whoever writes.

use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};

use kassa_domain::hall_map::HallMap;
use kassa_domain::{Id, ReadSet, View};
use rusqlite::Connection;

use super::super::log_tests::{map, write_batch};
use super::super::readers::ReadClass;
use super::super::{Sqlite, connect};
use super::LogHeader;

const NODE: u16 = 7;

/// A database with one writer's row, and what another program writes it with.
fn open(path: &Path) -> (Sqlite, Connection) {
    let sqlite = Sqlite::open(path, false).unwrap();
    let other = connect(path, false).unwrap();
    let insert =
        "INSERT INTO nodes (number, last_id, next_order_number, order_numbers_end, version) VALUES (?1, 0, 0, 0, 1)";
    other.execute(insert, (NODE,)).unwrap();
    (sqlite, other)
}

fn write_version(connection: &Connection, version: i64) {
    connection.execute("UPDATE nodes SET version = ?1", (version,)).unwrap();
}

/// Whether writers are known while no look-up can begin.
async fn is_known_without_a_query(sqlite: &Sqlite) -> bool {
    let readers = &sqlite.inner.readers;
    let mut gate = Vec::new();
    while readers.free_connections(ReadClass::LookUp) > 0 {
        gate.push(readers.admit(ReadClass::LookUp).await.unwrap());
    }
    futures_util::FutureExt::now_or_never(sqlite.writer_versions()).is_some()
}

#[tokio::test]
async fn while_nobody_commits_writers_are_known_without_a_query() {
    let folder = tempfile::tempdir().unwrap();
    let (sqlite, other) = open(&folder.path().join("kassa.db"));
    sqlite.writer_versions().await.unwrap();
    assert!(!is_known_without_a_query(&sqlite).await, "no commit has shown yet that the index tells of commits");
    write_batch(&mut sqlite.writer().unwrap(), 1);
    sqlite.writer_versions().await.unwrap();
    assert!(is_known_without_a_query(&sqlite).await);
    write_version(&other, 2);
    assert!(!is_known_without_a_query(&sqlite).await, "another program has committed");
    assert_eq!(sqlite.writer_versions().await.unwrap(), [(NODE, 2)]);
    assert!(is_known_without_a_query(&sqlite).await);
}

#[tokio::test]
async fn a_log_that_starts_anew_hides_no_commit() {
    let folder = tempfile::tempdir().unwrap();
    let (sqlite, other) = open(&folder.path().join("kassa.db"));
    write_batch(&mut sqlite.writer().unwrap(), 1);
    for version in 2..50 {
        // The log is as long after each.
        write_version(&other, version);
        assert_eq!(sqlite.writer_versions().await.unwrap(), [(NODE, version)]);
        other.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(())).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_committed_before_one_asks_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let (sqlite, other) = open(&folder.path().join("kassa.db"));
    write_batch(&mut sqlite.writer().unwrap(), 1);
    let committed = std::sync::Arc::new(AtomicI64::new(1));
    let writing = tokio::task::spawn_blocking({
        let committed = std::sync::Arc::clone(&committed);
        move || {
            for version in 2..500 {
                write_version(&other, version);
                committed.store(version, Ordering::Release);
            }
        }
    });
    while !writing.is_finished() {
        let before = committed.load(Ordering::Acquire);
        let versions = sqlite.writer_versions().await.unwrap();
        assert!(versions[0].1 >= before, "{versions:?} after version {before} was committed");
    }
    writing.await.unwrap();
}

#[tokio::test]
async fn an_index_that_does_not_tell_of_a_commit_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let (sqlite, _other) = open(&folder.path().join("kassa.db"));
    write_batch(&mut sqlite.writer().unwrap(), 1);
    sqlite.writer_versions().await.unwrap();
    assert!(is_known_without_a_query(&sqlite).await);
    let log_index = &sqlite.inner.log_index;
    log_index.record_commit(log_index.header());
    assert!(!is_known_without_a_query(&sqlite).await);
    write_batch(&mut sqlite.writer().unwrap(), 2);
    sqlite.writer_versions().await.unwrap();
    assert!(!is_known_without_a_query(&sqlite).await, "it was trusted again");
}

#[tokio::test]
async fn a_batch_that_has_changed_no_row_refutes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (sqlite, _other) = open(&folder.path().join("kassa.db"));
    let mut writer = sqlite.writer().unwrap();
    write_batch(&mut writer, 1);
    let (kept, none) = (map(1), Id::root(9));
    let put_and_remove = &mut |view: &mut View| {
        view.hall_maps.put(HallMap { id: none, ..kept.clone() });
        view.hall_maps.remove(none);
        Ok(())
    };
    let read_set = ReadSet { hall_maps: vec![none], ..ReadSet::default() };
    writer.transact(&read_set, put_and_remove).unwrap();
    sqlite.writer_versions().await.unwrap();
    assert!(is_known_without_a_query(&sqlite).await);
}

#[tokio::test]
async fn programs_that_come_and_go_and_links_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (path, link) = (folder.path().join("kassa.db"), folder.path().join("link.db"));
    drop(open(&path));
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let sqlite = Sqlite::open(&link, false).unwrap();
    for version in 2..5 {
        // The last connection of all would remove the index.
        write_version(&connect(&path, false).unwrap(), version);
        write_batch(&mut sqlite.writer().unwrap(), 1);
    }
    assert_eq!(sqlite.writer_versions().await.unwrap(), [(NODE, 4)]);
    assert!(is_known_without_a_query(&sqlite).await);
}

#[cfg(target_os = "linux")]
#[test]
fn a_handle_that_is_closed_leaves_others_their_locks() {
    use std::os::unix::fs::MetadataExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kassa.db");
    let _sqlite = Sqlite::open(&path, false).unwrap();
    let inode = std::fs::metadata(folder.path().join("kassa.db-shm")).unwrap().ino();
    let is_locked = || {
        let locks = std::fs::read_to_string("/proc/locks").unwrap();
        locks.lines().any(|line| line.contains(&format!(":{inode} ")))
    };
    assert!(is_locked(), "SQLite locks the index while it is in use");
    drop(Sqlite::open(&path, false).unwrap());
    assert!(is_locked());
}

#[test]
fn a_header_without_a_log_or_half_written_says_nothing() {
    let mut copies = [0; 96];
    assert_eq!(LogHeader::parse(&copies), None, "nobody has made it");
    (copies[12], copies[60]) = (1, 1);
    assert_eq!(LogHeader::parse(&copies), None, "any log without a beginning has this one");
    (copies[35], copies[83]) = (7, 7);
    assert!(LogHeader::parse(&copies).is_some());
    copies[50] = 9;
    assert_eq!(LogHeader::parse(&copies), None, "the second copy is written first");
}
