//! Steps of the schema on files that others work with, and that others bring up to date, too.

use std::path::Path;

use kassa_domain::change::{Attribution, Audience, Author, BatchId, Change, ChangeType, Facts, Subject};
use kassa_domain::precondition::ResourceRef;
use kassa_domain::{Id, ReadSet};
use rusqlite::Connection;

use super::schema::{migrate, pending_migrations};
use super::{DataFolder, Sqlite, connect, execute};
use crate::error::StoreError;
use crate::schema_migrations::{SQLITE_MIGRATIONS, SchemaMigration, latest_number, next_step};

/// The step after those that there are.
fn test_migration(text: &'static str) -> SchemaMigration {
    next_step(SQLITE_MIGRATIONS, text)
}

fn migrations_with(last: SchemaMigration) -> Vec<SchemaMigration> {
    [SQLITE_MIGRATIONS, &[last]].concat()
}

fn writer(path: &Path) -> Connection {
    connect(path, false).unwrap()
}

fn count(connection: &Connection, table: &str) -> i64 {
    connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

#[test]
fn a_running_program_keeps_working_after_the_next_migration() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kassa.db");
    let old = writer(&path);
    assert_eq!(migrate(&old, &SQLITE_MIGRATIONS[..1]), Ok(SQLITE_MIGRATIONS[..1].to_vec()));
    let sell = || {
        let insert = "INSERT INTO installation_settings (name, value, version) VALUES (random(), '', 1)";
        execute(&old, insert).unwrap();
        execute(&old, "UPDATE installation_settings SET value = 'x', version = version + 1").unwrap();
    };
    sell();
    let last = test_migration(
        "ALTER TABLE installation_settings ADD COLUMN more INTEGER; CREATE INDEX settings_more ON installation_settings (more)",
    );
    assert_eq!(pending_migrations(&path, &migrations_with(last)).unwrap().unwrap().last(), Some(&last));
    assert_eq!(migrate(&writer(&path), &migrations_with(last)).unwrap().last(), Some(&last));
    sell();
    assert_eq!(count(&old, "installation_settings WHERE value = 'x' AND more IS NULL"), 2);
    assert_eq!(pending_migrations(&path, &migrations_with(last)), Ok(Some(Vec::new())));
    // It may be started again, too.
    assert_eq!(migrate(&writer(&path), SQLITE_MIGRATIONS), Ok(Vec::new()));
    assert_eq!(pending_migrations(&path, SQLITE_MIGRATIONS), Ok(Some(Vec::new())));
    let known = latest_number(SQLITE_MIGRATIONS);
    let alone = SchemaMigration { number: known + 2, oldest_program: known + 2, sql: "", ..last };
    migrate(&writer(&path), &[migrations_with(last), vec![alone]].concat()).unwrap();
    let refused = StoreError::NewerSchema { found: known + 2, needed: known + 2, known };
    assert_eq!(migrate(&writer(&path), SQLITE_MIGRATIONS), Err(refused.clone()));
    assert_eq!(pending_migrations(&path, SQLITE_MIGRATIONS), Err(refused));
}

#[test]
fn a_step_that_no_older_program_may_meet_is_not_applied_beside_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let before = SQLITE_MIGRATIONS.iter().position(SchemaMigration::wants_no_other).unwrap();
    migrate(&writer(&folder.path().join("kassa.db")), &SQLITE_MIGRATIONS[..before]).unwrap();
    let server = DataFolder::open_for_server(folder.path()).unwrap();
    let command = DataFolder::open_shared(folder.path()).unwrap();
    assert!(matches!(command.migrate(), Err(StoreError::Locked(_))));
    assert!(matches!(command.database().map(drop), Err(StoreError::Locked(_))));
    assert_eq!(command.pending_migrations().unwrap().unwrap(), SQLITE_MIGRATIONS[before..]);
    drop(server);
    assert_eq!(command.migrate().unwrap(), SQLITE_MIGRATIONS[before..]);
    // Beside a server that is up to date, there is nothing to wait for.
    let _server = DataFolder::open_for_server(folder.path()).unwrap();
    command.database().unwrap();
}

#[test]
fn a_copy_leaves_nothing_of_a_newer_schema_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kassa.db");
    migrate(&writer(&path), SQLITE_MIGRATIONS).unwrap();
    let source = || DataFolder::open_shared(folder.path()).unwrap().copy_source().map(drop);
    assert_eq!(source(), Ok(()));
    let last = test_migration("ALTER TABLE events ADD COLUMN more INTEGER");
    migrate(&writer(&path), &migrations_with(last)).unwrap();
    let known = latest_number(SQLITE_MIGRATIONS);
    assert_eq!(source(), Err(StoreError::NewerSchema { found: known + 1, needed: known + 1, known }));
}

#[test]
fn the_migration_record_of_an_older_program_is_understood() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kassa.db");
    migrate(&writer(&path), SQLITE_MIGRATIONS).unwrap();
    execute(&writer(&path), "ALTER TABLE migrations DROP COLUMN oldest_program").unwrap();
    assert_eq!(pending_migrations(&path, SQLITE_MIGRATIONS), Ok(Some(Vec::new())));
    let known = latest_number(SQLITE_MIGRATIONS);
    // It has noted nothing but the number.
    execute(&writer(&path), &format!("INSERT INTO migrations (number) VALUES ({})", known + 1)).unwrap();
    let refused = StoreError::NewerSchema { found: known + 1, needed: known + 1, known };
    assert_eq!(pending_migrations(&path, SQLITE_MIGRATIONS), Err(refused));
    execute(&writer(&path), &format!("DELETE FROM migrations WHERE number > {known}")).unwrap();
    let last = test_migration("CREATE TABLE more (id INTEGER)");
    assert_eq!(migrate(&writer(&path), &migrations_with(last)), Ok(vec![last]));
    assert_eq!(pending_migrations(&path, SQLITE_MIGRATIONS), Ok(Some(Vec::new())));
}

#[test]
fn concurrent_migrators_apply_each_migration_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kassa.db");
    drop(writer(&path));
    // It cannot be done twice.
    let all = migrations_with(test_migration("CREATE TABLE once (id INTEGER)"));
    let mut applied: Vec<SchemaMigration> = std::thread::scope(|scope| {
        let starts: Vec<_> = (0..4).map(|_| scope.spawn(|| migrate(&writer(&path), &all).unwrap())).collect();
        starts.into_iter().flat_map(|start| start.join().unwrap()).collect()
    });
    applied.sort_unstable_by_key(|step| step.number);
    assert_eq!(applied, all);
}

#[test]
fn a_failed_migration_is_rolled_back_and_applied_by_the_next_run() {
    let folder = tempfile::tempdir().unwrap();
    let connection = writer(&folder.path().join("kassa.db"));
    migrate(&connection, SQLITE_MIGRATIONS).unwrap();
    let last = test_migration("CREATE TABLE early (id INTEGER); ALTER TABLE late ADD COLUMN more INTEGER");
    let error = migrate(&connection, &migrations_with(last)).unwrap_err();
    assert!(error.to_string().contains(&format!("step {} ", last.number)), "{error}");
    assert_eq!(count(&connection, "sqlite_schema WHERE name = 'early'"), 0);
    execute(&connection, "CREATE TABLE late (id INTEGER)").unwrap();
    assert_eq!(migrate(&connection, &migrations_with(last)), Ok(vec![last]));
    assert_eq!((count(&connection, "early"), count(&connection, "late WHERE more IS NULL")), (0, 0));
}

#[test]
fn events_off_sale_that_have_orders_keep_occupying_their_venue() {
    let folder = tempfile::tempdir().unwrap();
    let connection = writer(&folder.path().join("kassa.db"));
    migrate(&connection, &SQLITE_MIGRATIONS[..6]).unwrap();
    for (id, status) in [(1, "stand_by"), (2, "stand_by"), (3, "public"), (4, "canceled")] {
        let event = format!(
            "INSERT INTO events VALUES ({id}, 1, '{status}', 0, 9, 7, NULL, 0, '{{}}', '', 1, 1, 1, 0, 0, 1, 1, NULL, NULL, NULL, NULL)"
        );
        execute(&connection, &event).unwrap();
        if id != 2 {
            let order = format!(
                "INSERT INTO orders VALUES ({id}, 0, {id}, 1, 1, {id}, 'expired', 0, NULL, NULL, 0, 0, 0, '', 0, 0, 1, 1, NULL)"
            );
            execute(&connection, &order).unwrap();
        }
    }
    migrate(&connection, SQLITE_MIGRATIONS).unwrap();
    assert_eq!(
        (count(&connection, "events WHERE withdrawn = 1 AND id = 1"), count(&connection, "events WHERE withdrawn = 1")),
        (1, 1)
    );
}

#[tokio::test]
async fn changes_that_were_written_before_they_were_compressed_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kassa.db");
    let connection = connect(&path, false).unwrap();
    migrate(&connection, &SQLITE_MIGRATIONS[..16]).unwrap();
    let id = BatchId { node: 1, epoch: 2, number: 3 };
    let venue = Id::root(7);
    let change = Change {
        kind: ChangeType::VenueCreated,
        subject: Subject::Resource(ResourceRef::Venue(venue)),
        version: 1,
        event: None,
        audience: Audience::of(Id::root(1)),
        facts: Facts::none(),
        attribution: Attribution { author: Author::System, address: None },
        previous: None,
    };
    let insert = "INSERT INTO change_batches VALUES (1, 2, 3, 1, 0, ?1, 1)";
    connection.execute(insert, [postcard::to_allocvec(&[change.clone()][..]).unwrap()]).unwrap();
    migrate(&connection, SQLITE_MIGRATIONS).unwrap();
    let store = Sqlite::open(&path, false).unwrap();
    let view = store.view(&ReadSet { change_batches_to_read: vec![id], ..ReadSet::default() }).await.unwrap();
    assert_eq!(*view.change_batches.get(id).unwrap().changes, [change]);
}
