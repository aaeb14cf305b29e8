//! A copy that is brought up to date by what was fetched of the log, beside a writer that never rests.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use rusqlite::Connection;

use super::{LogPiece, LogPosition, LogTap, PageFile};
use crate::sqlite::checkpoint::LogLimits;
use crate::sqlite::log_tests::write_batch;
use crate::sqlite::{Sqlite, verify_database};

/// Very short ones, so that the log starts anew often.
const SHORT_LOG: LogLimits = LogLimits { long: 64, too_long: 128 };

fn open(path: &Path, from: Option<LogPosition>) -> (Sqlite, Arc<LogTap>) {
    let tap = Arc::new(LogTap::open(path, from).unwrap());
    (Sqlite::open_with_log(path, Some(SHORT_LOG), Some(Arc::clone(&tap))).unwrap(), tap)
}

fn apply(piece: &LogPiece, copy: &Path) {
    PageFile::open(copy).unwrap().put(&piece.pages).unwrap();
}

/// The number of the last batch that is in a database, which is whole.
fn last_batch(database: &Path) -> u64 {
    let (folder, copy) = (tempfile::tempdir().unwrap(), "copy.db");
    let copy = folder.path().join(copy);
    std::fs::copy(database, &copy).unwrap();
    PageFile::open(&copy).unwrap().settle().unwrap();
    verify_database(&copy).unwrap();
    let connection = Connection::open(&copy).unwrap();
    let name: String = connection.query_row("SELECT name FROM hall_maps", (), |row| row.get(0)).unwrap();
    name.parse().unwrap()
}

/// Ends the writing, also where what follows fails.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Writes while `follow` says that it wants more. It is given the number of the last batch that has committed.
fn while_writing(sqlite: &Sqlite, first: u64, mut follow: impl FnMut(u64) -> bool) -> u64 {
    let (written, is_over) = (AtomicU64::new(first), AtomicBool::new(false));
    let mut writer = sqlite.writer().unwrap();
    write_batch(&mut writer, first);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Acquire) {
                let next = written.load(Ordering::Acquire) + 1;
                write_batch(&mut writer, next);
                written.store(next, Ordering::Release);
            }
        });
        let _end = End(&is_over);
        while follow(written.load(Ordering::Acquire)) {}
    });
    written.into_inner()
}

#[test]
fn a_copy_follows_the_log_without_a_gap_whatever_else_is_done_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("kassa.db"), folder.path().join("copy.db"));
    let (sqlite, tap) = open(&path, None);
    write_batch(&mut sqlite.writer().unwrap(), 0);
    assert!(!tap.is_following());
    tap.begin().unwrap();
    assert!(tap.is_following());
    tap.copy_to(&copy).unwrap();
    let (mut logs, mut seen) = (BTreeSet::new(), 0);
    let last = while_writing(&sqlite, 1, |written| {
        // Another program moves the log, too, as far as it is let.
        let other = Connection::open(&path).unwrap();
        other.busy_timeout(Duration::ZERO).unwrap();
        other.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(())).unwrap();
        // It may meet the writer, and is refused then.
        let _ = other.execute("UPDATE hall_maps SET venue = venue", ());
        if let Some(piece) = tap.fetch().unwrap() {
            logs.insert(piece.end.salts);
            // One that could not be kept comes again, with what follows it.
            if logs.len() % 3 == 0 {
                tap.put_back(piece);
            } else {
                apply(&piece, &copy);
                let found = last_batch(&copy);
                assert!(found >= written, "{found} {written}");
                seen += 1;
            }
        }
        assert!(tap.is_following());
        logs.len() < 20 || seen < 20
    });
    if let Some(piece) = tap.fetch().unwrap() {
        apply(&piece, &copy);
    }
    assert_eq!(last_batch(&copy), last);
    assert_eq!(tap.fetch().unwrap(), None, "nothing is told twice");
}

#[test]
fn a_program_that_starts_anew_goes_on_where_the_one_before_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    let (path, copy) = (folder.path().join("kassa.db"), folder.path().join("copy.db"));
    let mut position = None;
    for round in 0..4 {
        let (sqlite, tap) = open(&path, position);
        if round == 0 {
            write_batch(&mut sqlite.writer().unwrap(), 0);
            tap.begin().unwrap();
            tap.copy_to(&copy).unwrap();
        }
        assert!(tap.is_following(), "{round}");
        let mut fetched = 0;
        let last = while_writing(&sqlite, 1_000 * (round + 1), |_| {
            if let Some(piece) = tap.fetch().unwrap() {
                apply(&piece, &copy);
                position = Some(piece.end);
                fetched += 1;
            }
            fetched < 10
        });
        // The end of it is fetched by the next one.
        assert!(last_batch(&copy) <= last);
        if round % 2 == 0 {
            let piece = tap.fetch().unwrap();
            piece.inspect(|piece| apply(piece, &copy)).inspect(|piece| position = Some(piece.end));
            assert_eq!(last_batch(&copy), last);
        }
    }
    // Whoever opens it alone, and goes, takes the log away.
    let other = Connection::open(&path).unwrap();
    other.execute("UPDATE hall_maps SET venue = venue", ()).unwrap();
    drop(other);
    let (sqlite, tap) = open(&path, position);
    write_batch(&mut sqlite.writer().unwrap(), 9_999);
    assert_eq!(tap.fetch().unwrap(), None);
    assert!(!tap.is_following(), "what was done meanwhile is not known");
}

#[test]
fn what_a_program_took_and_did_not_tell_before_it_died_is_not_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kassa.db");
    let (sqlite, tap) = open(&path, None);
    write_batch(&mut sqlite.writer().unwrap(), 0);
    tap.begin().unwrap();
    write_batch(&mut sqlite.writer().unwrap(), 1);
    let position = tap.fetch().unwrap().unwrap().end;
    let salts = || super::frames::end_of_log(&tap.log).unwrap().unwrap().salts;
    // It starts anew, once what it had is in memory.
    while_writing(&sqlite, 2, |_| salts() == position.salts);
    assert!(tap.is_following());
    let first_salt = salts()[0];
    drop((sqlite, tap));
    let (_sqlite, tap) = open(&path, Some(position));
    assert!(!tap.is_following(), "{position} {first_salt}");
}
