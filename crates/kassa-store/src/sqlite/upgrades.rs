//! Steps of the schema on files that others work with, and that others bring up to date, too.

use std::path::Path;

use rusqlite::Connection;

use super::schema::{STEPS, migrate, missing};
use super::{connect, run};
use crate::error::StoreError;
use crate::steps::{Step, newest};

/// The step after those that there are.
fn next(text: &'static str) -> Step {
    Step { number: newest(STEPS) + 1, about: "of a test", text }
}

fn steps(last: Step) -> Vec<Step> {
    [STEPS, &[last]].concat()
}

fn writer(path: &Path) -> Connection {
    connect(path, false).unwrap()
}

fn count(connection: &Connection, table: &str) -> i64 {
    connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

#[test]
fn a_running_program_works_on_with_a_database_of_the_next_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kassa.db");
    let old = writer(&path);
    assert_eq!(migrate(&old, &STEPS[..1]), Ok(STEPS[..1].to_vec()));
    let sell = || {
        let insert = "INSERT INTO facts (name, value, version) VALUES (random(), '', 1)";
        run(&old, insert).unwrap();
        run(&old, "UPDATE facts SET value = 'x', version = version + 1").unwrap();
    };
    sell();
    let last = next("ALTER TABLE facts ADD COLUMN more INTEGER; CREATE INDEX facts_more ON facts (more)");
    assert_eq!(missing(&path, &steps(last)).unwrap().unwrap().last(), Some(&last));
    assert_eq!(migrate(&writer(&path), &steps(last)).unwrap().last(), Some(&last));
    sell();
    assert_eq!(count(&old, "facts WHERE value = 'x' AND more IS NULL"), 2);
    assert_eq!(missing(&path, &steps(last)), Ok(Some(Vec::new())));
    let refused = StoreError::NewerSchema { found: last.number, known: newest(STEPS) };
    assert_eq!(migrate(&writer(&path), STEPS), Err(refused.clone()), "but it is not started again");
    assert_eq!(missing(&path, STEPS), Err(refused));
}

#[test]
fn programs_that_migrate_together_do_each_step_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kassa.db");
    drop(writer(&path));
    // It cannot be done twice.
    let all = steps(next("CREATE TABLE once (id INTEGER)"));
    let mut applied: Vec<Step> = std::thread::scope(|scope| {
        let starts: Vec<_> = (0..4).map(|_| scope.spawn(|| migrate(&writer(&path), &all).unwrap())).collect();
        starts.into_iter().flat_map(|start| start.join().unwrap()).collect()
    });
    applied.sort_unstable_by_key(|step| step.number);
    assert_eq!(applied, all);
}

#[test]
fn a_step_that_fails_half_way_leaves_nothing_and_is_done_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let connection = writer(&folder.path().join("kassa.db"));
    migrate(&connection, STEPS).unwrap();
    let last = next("CREATE TABLE early (id INTEGER); ALTER TABLE late ADD COLUMN more INTEGER");
    let error = migrate(&connection, &steps(last)).unwrap_err();
    assert!(error.to_string().contains(&format!("step {} ", last.number)), "{error}");
    assert_eq!(count(&connection, "sqlite_schema WHERE name = 'early'"), 0);
    run(&connection, "CREATE TABLE late (id INTEGER)").unwrap();
    assert_eq!(migrate(&connection, &steps(last)), Ok(vec![last]));
    assert_eq!((count(&connection, "early"), count(&connection, "late WHERE more IS NULL")), (0, 0));
}
