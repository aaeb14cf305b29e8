//! `kassa migrate`: what it says, and its exit statuses.

use std::fs;
use std::path::Path;

use crate::commands::{CommandOutput, kassa, run_command};
use crate::server::Server;
use crate::sqlite_file::{KASSA_APPLICATION_ID, SqliteFile};
use crate::tenant::TestDatabase;

pub(crate) fn migrate(data: &Path, url: Option<&str>, arguments: &[&str]) -> CommandOutput {
    let mut command = kassa();
    command.arg("migrate").arg("--data").arg(data).args(arguments);
    run_command(command.envs(url.map(|url| ("KASSA_DATABASE", url))), "")
}

#[track_caller]
fn assert_output(ended: &CommandOutput, status: i32, lines: &[&str]) {
    assert_eq!((ended.status.code(), ended.stderr.as_str()), (Some(status), ""), "{ended:?}");
    assert_eq!(ended.stdout.lines().take(lines.len()).collect::<Vec<_>>(), lines, "{ended:?}");
}

const UP_TO_DATE: &str = "the schema is up to date";

#[test]
fn migrate_creates_a_schema_that_a_server_starts_on() {
    let (folder, tenant) = (tempfile::tempdir().unwrap(), TestDatabase::new());
    let data = folder.path().join("data");
    let at = |arguments: &[&str]| migrate(&data, Some(tenant.url()), arguments);
    at(&["--check"]).assert_failed_naming(&["nothing of Kassa"]);
    assert_output(&at(&[]), 0, &["applied: step 1: the tables"]);
    assert_output(&at(&["--check"]), 0, &[UP_TO_DATE]);
    assert_output(&at(&[]), 0, &[UP_TO_DATE]);
    assert!(!data.exists(), "nothing of it is in the folder");
    Server::run(&mut tenant.serve(&data)).stop();
}

#[test]
fn missing_steps_are_listed_and_nothing_is_changed() {
    let folder = tempfile::tempdir().unwrap();
    let sql = "CREATE TABLE migrations(number INTEGER PRIMARY KEY)";
    // Before the first step.
    let file = SqliteFile { application_id: KASSA_APPLICATION_ID, table: "migrations", sql, row: 0, wal: true }.bytes();
    fs::write(folder.path().join("kassa.db"), &file).unwrap();
    let at = |arguments: &[&str]| migrate(folder.path(), None, arguments);
    assert_output(&at(&["--check"]), 3, &["missing: step 1: the tables"]);
    assert!(fs::read(folder.path().join("kassa.db")).unwrap() == file, "it has changed");
    assert_output(&at(&[]), 0, &["applied: step 1: the tables"]);
    assert_output(&at(&["--check"]), 0, &[UP_TO_DATE]);
}

#[test]
fn a_database_of_a_server_that_runs_is_up_to_date() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    for arguments in [&["--check"][..], &[]] {
        assert_output(&migrate(folder.path(), None, arguments), 0, &[UP_TO_DATE]);
    }
    server.stop();
}

#[test]
fn a_database_that_cannot_be_migrated_is_reported_in_one_sentence() {
    let newer = "CREATE TABLE migrations(number INTEGER PRIMARY KEY)";
    let foreign = "CREATE TABLE notes(number INTEGER PRIMARY KEY)";
    for (application_id, table, sql, names) in [
        (KASSA_APPLICATION_ID, "migrations", newer, &["schema 99", "newer program"][..]),
        (0, "notes", foreign, &["another program"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = SqliteFile { application_id, table, sql, row: 99, wal: false }.bytes();
        fs::write(folder.path().join("kassa.db"), &file).unwrap();
        for arguments in [&["--check"][..], &[]] {
            migrate(folder.path(), None, arguments).assert_failed_naming(names);
        }
        assert!(fs::read(folder.path().join("kassa.db")).unwrap() == file, "{table}: it has changed");
    }
    let folder = tempfile::tempdir().unwrap();
    migrate(&folder.path().join("none"), None, &["--check"]).assert_failed_naming(&["none"]);
    migrate(folder.path(), None, &[]).assert_failed_naming(&["no data folder of Kassa"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was made");
}
