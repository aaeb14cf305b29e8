//! A data folder with things in it that this program did not make: it is named and left alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::commands::{kassa_admin, kassa_serve, run_command};
use crate::sqlite_file::{KASSA_APPLICATION_ID, SqliteFile};

const SECRET: &str = "a secret that is long enough for it";

/// The files of a folder by name.
fn files_by_name(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

/// Starts a server and a command on a folder with this file; both must fail, name these things, and
/// leave the file as it is.
#[track_caller]
fn assert_refused(name: &str, content: &[u8], names: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), content).unwrap();
    for mut command in [kassa_serve(folder.path()), kassa_admin(folder.path(), ["list", "users"])] {
        let ended = run_command(command.env("KASSA_SECRET", SECRET), "");
        ended.assert_failed_naming(names);
        let mut files = files_by_name(folder.path());
        // Empty, and so no change that anybody could mind.
        assert_eq!(files.remove("lock").unwrap_or_default(), b"");
        assert_eq!(files.keys().collect::<Vec<_>>(), [name], "{ended:?}");
        let at = files[name].iter().zip(content).position(|(is, was)| is != was);
        assert_eq!((files[name].len(), at), (content.len(), None), "{name} has changed: {ended:?}");
    }
}

#[test]
fn a_folder_with_other_files_is_left_alone() {
    assert_refused("thesis.txt", b"all my work", &["thesis.txt"]);
}

#[test]
fn a_folder_with_other_files_and_a_lock_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lock"), "").unwrap();
    fs::write(folder.path().join("thesis.txt"), "all my work").unwrap();
    run_command(&mut kassa_serve(folder.path()), "").assert_failed_naming(&["thesis.txt"]);
    assert_eq!(files_by_name(folder.path()).into_keys().collect::<Vec<_>>(), ["lock", "thesis.txt"]);
}

#[test]
fn a_database_that_is_not_sqlite_is_left_alone() {
    assert_refused("kassa.db", &[b'x'; 5_000], &["kassa.db"]);
}

#[test]
fn a_database_that_is_not_sqlite_is_named_before_its_secret() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("kassa.db"), [b'x'; 5_000]).unwrap();
    run_command(&mut kassa_serve(folder.path()), "").assert_failed_naming(&["kassa.db", "no database of Kassa"]);
}

#[test]
fn a_database_of_another_program_is_left_alone() {
    let sql = "CREATE TABLE notes(number INTEGER PRIMARY KEY)";
    let file = SqliteFile { application_id: 0, table: "notes", sql, row: 1, wal: false };
    assert_refused("kassa.db", &file.bytes(), &["kassa.db", "another program"]);
}

#[test]
fn a_newer_schema_is_left_alone() {
    let sql = "CREATE TABLE migrations(number INTEGER PRIMARY KEY)";
    let file = SqliteFile { application_id: KASSA_APPLICATION_ID, table: "migrations", sql, row: 99, wal: true };
    assert_refused("kassa.db", &file.bytes(), &["schema 99", "newer program"]);
}

#[test]
fn a_data_folder_that_is_a_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    fs::write(&data, "text").unwrap();
    let path = data.display().to_string();
    run_command(&mut kassa_serve(&data), "").assert_failed_naming(&[&path]);
    assert_eq!(fs::read(&data).unwrap(), b"text");
}

#[test]
fn a_command_makes_no_data_folder() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let path = data.display().to_string();
    run_command(&mut kassa_admin(&data, ["list", "users"]), "").assert_failed_naming(&[&path]);
    assert!(!data.exists());
    run_command(&mut kassa_admin(folder.path(), ["list", "users"]), "")
        .assert_failed_naming(&["no data folder of Kassa"]);
    assert!(files_by_name(folder.path()).is_empty());
}
