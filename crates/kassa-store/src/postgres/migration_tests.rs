//! Steps of the schema on databases that others work with, and that others bring up to date, too.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use kassa_domain::user::{Account, User};
use kassa_domain::{Id, ReadSet, Timestamp, View};
use tokio::runtime::Builder;

use super::Postgres;
use super::connection::{ConnectTarget, Connection, ConnectionRole};
use super::migrator::{MigrationClaim, MigrationWorker, migrate};
use super::schema::pending_migrations;
use super::scratch::TestUser;
use super::shards::{Placement, SharedShards};
use super::tls::Tls;
use super::writer::PostgresWriter;
use crate::error::StoreError;
use crate::schema_migrations::{POSTGRES_MIGRATIONS, SchemaMigration, latest_number, next_step};

/// The step after those that there are.
fn test_migration(text: &'static str) -> SchemaMigration {
    next_step(POSTGRES_MIGRATIONS, text)
}

fn migrations_with(last: &[SchemaMigration]) -> Vec<SchemaMigration> {
    [POSTGRES_MIGRATIONS, last].concat()
}

fn target(tenant: &TestUser) -> ConnectTarget {
    let url: super::DatabaseUrl = tenant.url.parse().unwrap();
    ConnectTarget { tls: Tls::new(&url).unwrap(), url }
}

async fn connection(target: &ConnectTarget) -> Connection {
    Connection::open(target, ConnectionRole::Reader).await.unwrap()
}

async fn query_number(connection: &Connection, text: &str) -> i64 {
    connection.query_row(text, &[]).await.unwrap().unwrap().get(0)
}

/// Waits until a statement gives this number.
async fn wait_until(connection: &Connection, text: &str, wanted: i64) {
    let look = async {
        while query_number(connection, text).await != wanted {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), look).await.unwrap_or_else(|_| panic!("never {wanted}: {text}"));
}

fn user(revision: i64) -> User {
    User {
        id: Id::root(1),
        email: "ann@example.org".parse().unwrap(),
        account: Account::Customer,
        second_factor: None,
        confirm_by: None,
        first_name: None,
        last_name: None,
        operator_since: None,
        suspension: None,
        created_at: Timestamp::from_ms(0),
        updated_at: Timestamp::from_ms(0),
        revision,
    }
}

#[tokio::test]
async fn a_database_of_the_first_migration_keeps_its_rows() {
    let tenant = TestUser::new().await;
    let target = target(&tenant);
    assert_eq!(migrate(&target, &POSTGRES_MIGRATIONS[..1]).await, Ok(POSTGRES_MIGRATIONS[..1].to_vec()));
    let rows = "INSERT INTO nodes (number, last_id, next_order_number, order_numbers_end, version) VALUES (3, 40, 5, 6, 7); \
        INSERT INTO installation_settings (name, value, version) VALUES ('secret_fingerprint', 'abc', 1)";
    connection(&target).await.execute(rows).await.unwrap();
    let postgres = Postgres::open(&target.url).await.unwrap();
    let survey = postgres.status().await.unwrap();
    assert_eq!((survey.pending_migrations, survey.in_use), (Some(Vec::new()), true));
    let view = postgres.view(&ReadSet { nodes: vec![3], ..ReadSet::default() }).await.unwrap();
    assert_eq!((view.nodes.get(3).unwrap().last_id, view.nodes.version(3)), (40, Some(7)));
    tenant.remove().await;
}

#[tokio::test]
async fn a_running_program_keeps_working_while_migrations_are_applied() {
    let tenant = TestUser::new().await;
    let target = target(&tenant);
    let postgres = Postgres::open(&target.url).await.unwrap();
    let (over, batches) = (AtomicBool::new(false), AtomicU32::new(0));
    let sell = async {
        let mut writer = PostgresWriter::new(&target, Placement::new(SharedShards::default(), 0), 1);
        let read_set = ReadSet { users: vec![Id::root(1)], ..ReadSet::default() };
        while !over.load(Ordering::Relaxed) {
            let mut decide = |view: &mut View| {
                let revision = view.users.get(Id::root(1)).map_or(0, |user| user.revision);
                view.users.put(user(revision + 1));
                Ok(())
            };
            writer.transact(&read_set, &mut decide).await.unwrap();
            batches.fetch_add(1, Ordering::Relaxed);
        }
    };
    let upgrade = async {
        let some_more = || async {
            let before = batches.load(Ordering::Relaxed);
            while batches.load(Ordering::Relaxed) < before + 20 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        some_more().await;
        let last = test_migration(
            "ALTER TABLE users ADD COLUMN IF NOT EXISTS nickname TEXT; \
             DROP INDEX CONCURRENTLY IF EXISTS users_nickname; \
             CREATE INDEX CONCURRENTLY users_nickname ON users (nickname)",
        );
        assert_eq!(migrate(&target, &migrations_with(&[last])).await, Ok(vec![last]));
        some_more().await;
        over.store(true, Ordering::Relaxed);
    };
    tokio::join!(sell, upgrade);
    let connection = connection(&target).await;
    assert_eq!(query_number(&connection, "SELECT revision FROM users").await, i64::from(batches.into_inner()));
    let valid = "SELECT count(*) FROM pg_index WHERE indexrelid = 'users_nickname'::regclass AND indisvalid";
    assert_eq!(query_number(&connection, valid).await, 1);
    // It may be started again, too.
    assert_eq!(postgres.migrate().await, Ok(Vec::new()));
    Postgres::open(&target.url).await.unwrap();
    tenant.remove().await;
}

#[tokio::test]
async fn programs_too_old_for_a_step_are_refused_from_its_beginning_on() {
    let tenant = TestUser::new().await;
    let target = target(&tenant);
    let postgres = Postgres::open(&target.url).await.unwrap();
    let known = latest_number(POSTGRES_MIGRATIONS);
    let beside = test_migration("CREATE TABLE IF NOT EXISTS more (id BIGINT)");
    let alone = SchemaMigration { number: known + 2, oldest_program: known + 2, ..beside };
    let worker = MigrationWorker::start(&target).await.unwrap();
    assert_eq!(worker.claim(&beside).await, Ok(MigrationClaim::Acquired));
    assert_eq!(postgres.migrate().await, Ok(Vec::new()));
    assert_eq!(worker.claim(&alone).await, Ok(MigrationClaim::Acquired));
    let refused = StoreError::NewerSchema { found: known + 2, needed: known + 2, known };
    assert_eq!(postgres.migrate().await, Err(refused.clone()));
    assert_eq!(Postgres::open(&target.url).await.err(), Some(refused));
    tenant.remove().await;
}

#[tokio::test]
async fn a_step_that_no_older_program_may_meet_is_not_applied_while_one_is_at_work() {
    let tenant = TestUser::new().await;
    let target = target(&tenant);
    let postgres = Postgres::open(&target.url).await.unwrap();
    let connection = connection(&target).await;
    let leased = "INSERT INTO nodes (number, last_id, next_order_number, order_numbers_end, version, lease_till) \
        VALUES (3, 40, 5, 6, 7, extract(epoch FROM clock_timestamp()) * 1000 + 600000)";
    connection.execute(leased).await.unwrap();
    let beside = test_migration("CREATE TABLE IF NOT EXISTS more (id BIGINT)");
    assert_eq!(migrate(&target, &migrations_with(&[beside])).await, Ok(vec![beside]));
    let alone = SchemaMigration { number: beside.number + 1, oldest_program: beside.number + 1, ..beside };
    let all = migrations_with(&[beside, alone]);
    let error = migrate(&target, &all).await.unwrap_err();
    assert!(error.to_string().contains("stop all of them"), "{error}");
    // It was not begun, and bars nobody.
    assert_eq!(postgres.migrate().await, Ok(Vec::new()));
    connection.execute("UPDATE nodes SET lease_till = 0").await.unwrap();
    assert_eq!(migrate(&target, &all).await, Ok(vec![alone]));
    assert!(postgres.migrate().await.is_err());
    tenant.remove().await;
}

#[tokio::test]
async fn a_migration_waits_for_a_busy_table_without_blocking_others() {
    let tenant = TestUser::new().await;
    let target = target(&tenant);
    Postgres::open(&target.url).await.unwrap();
    let (reader, other) = (connection(&target).await, connection(&target).await);
    // As a backup does, for hours.
    let reads = "SET idle_in_transaction_session_timeout = 0; BEGIN; SELECT count(*) FROM users";
    reader.execute(reads).await.unwrap();
    let last = migrations_with(&[test_migration("ALTER TABLE users ADD COLUMN IF NOT EXISTS nickname TEXT")]);
    let upgrade = tokio::spawn({
        let target = target.clone();
        async move { migrate(&target, &last).await }
    });
    let waits = "SELECT count(*) FROM pg_locks WHERE relation = 'users'::regclass AND NOT granted";
    for _ in 0..2 {
        wait_until(&other, waits, 1).await;
        // Behind the one that waits, who gives up before this one does.
        other.execute("SELECT count(*) FROM users").await.unwrap();
    }
    assert!(!upgrade.is_finished());
    reader.execute("COMMIT").await.unwrap();
    assert_eq!(upgrade.await.unwrap().map(|applied| applied.len()), Ok(1));
    tenant.remove().await;
}

#[tokio::test]
async fn concurrent_migrators_apply_each_migration_once() {
    let tenant = TestUser::new().await;
    let target = target(&tenant);
    // Each row is a time that a step was run.
    let first =
        test_migration("CREATE TABLE IF NOT EXISTS runs (step BIGINT); INSERT INTO runs SELECT 1 FROM pg_sleep(0.2)");
    let second = SchemaMigration { number: first.number + 1, sql: "INSERT INTO runs VALUES (2)", ..first };
    let all = migrations_with(&[first, second]);
    let starts: Vec<_> = (0..5)
        .map(|_| {
            let (target, all) = (target.clone(), all.clone());
            tokio::spawn(async move { migrate(&target, &all).await })
        })
        .collect();
    let mut applied = Vec::new();
    for start in starts {
        applied.extend(start.await.unwrap().unwrap());
    }
    applied.sort_unstable_by_key(|step| step.number);
    assert_eq!(applied, all);
    let connection = connection(&target).await;
    assert_eq!(query_number(&connection, "SELECT count(*) FROM runs").await, 2);
    assert_eq!(
        query_number(&connection, "SELECT count(*) FROM kassa_migrations WHERE state = 'done'").await,
        latest_number(&all)
    );
    tenant.remove().await;
}

#[tokio::test]
async fn the_claim_of_a_program_that_dies_is_taken_over() {
    let tenant = TestUser::new().await;
    let target = target(&tenant);
    migrate(&target, POSTGRES_MIGRATIONS).await.unwrap();
    let last = test_migration("CREATE TABLE IF NOT EXISTS half (id BIGINT)");
    // As a program of its own: with it go its connections.
    let program = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let its_target = target.clone();
    program.spawn(async move {
        let worker = MigrationWorker::start(&its_target).await.unwrap();
        assert_eq!(worker.claim(&last).await, Ok(MigrationClaim::Acquired));
        worker.execute("CREATE TABLE half (id BIGINT)").await.unwrap();
        // It is in the middle of a statement that takes long.
        worker.execute("SELECT pg_sleep(600)").await
    });
    let connection = connection(&target).await;
    let sessions = "SELECT count(*) FROM pg_stat_activity WHERE usename = current_user AND ";
    wait_until(&connection, &format!("{sessions} query LIKE 'SELECT pg_sleep%' AND state = 'active'"), 1).await;
    let takes_over = tokio::spawn({
        let target = target.clone();
        async move { migrate(&target, &migrations_with(&[last])).await }
    });
    wait_until(&connection, &format!("{sessions} query LIKE 'SELECT state FROM kassa_migrations%'"), 1).await;
    assert_eq!(pending_migrations(&connection, &migrations_with(&[last])).await, Ok(Some(vec![last])));
    assert!(!takes_over.is_finished(), "it waits as long as the other is there");
    program.shutdown_background();
    assert_eq!(takes_over.await.unwrap(), Ok(vec![last]));
    wait_until(&connection, &format!("{sessions} query LIKE 'SELECT pg_sleep%'"), 0).await;
    tenant.remove().await;
}

#[tokio::test]
async fn a_failed_migration_is_finished_by_the_next_run() {
    let tenant = TestUser::new().await;
    let target = target(&tenant);
    let last = test_migration(
        "CREATE TABLE IF NOT EXISTS early (id BIGINT); ALTER TABLE late ADD COLUMN IF NOT EXISTS more BIGINT",
    );
    let error = migrate(&target, &migrations_with(&[last])).await.unwrap_err();
    assert!(error.to_string().contains(&format!("step {} ", last.number)), "{error}");
    let connection = connection(&target).await;
    assert_eq!(
        pending_migrations(&connection, &migrations_with(&[last])).await,
        Ok(Some(vec![last])),
        "all before it are done"
    );
    assert_eq!(query_number(&connection, "SELECT count(*) FROM early").await, 0);
    connection.execute("CREATE TABLE late (id BIGINT)").await.unwrap();
    assert_eq!(migrate(&target, &migrations_with(&[last])).await, Ok(vec![last]));
    assert_eq!(query_number(&connection, "SELECT count(more) FROM late").await, 0);
    tenant.remove().await;
}

#[tokio::test]
async fn the_migration_record_of_an_older_program_is_understood() {
    let tenant = TestUser::new().await;
    let target = target(&tenant);
    migrate(&target, POSTGRES_MIGRATIONS).await.unwrap();
    let connection = connection(&target).await;
    let as_it_was = "ALTER TABLE kassa_migrations DROP COLUMN state, DROP COLUMN worker, DROP COLUMN claimed_at, \
        DROP COLUMN done_at, DROP COLUMN oldest_program";
    connection.execute(as_it_was).await.unwrap();
    assert_eq!(pending_migrations(&connection, POSTGRES_MIGRATIONS).await, Ok(Some(Vec::new())));
    let last = test_migration("CREATE TABLE IF NOT EXISTS more (id BIGINT)");
    assert_eq!(migrate(&target, &migrations_with(&[last])).await, Ok(vec![last]));
    assert_eq!(pending_migrations(&connection, &migrations_with(&[last])).await, Ok(Some(Vec::new())));
    tenant.remove().await;
}

#[tokio::test]
async fn a_finished_migration_is_as_durable_as_configured() {
    let tenant = TestUser::new().await;
    let target = target(&tenant);
    migrate(&target, POSTGRES_MIGRATIONS).await.unwrap();
    tenant.execute(&format!("ALTER ROLE {} SET synchronous_commit = remote_apply", tenant.name)).await;
    let connection = connection(&target).await;
    let watch = "CREATE TABLE seen (setting TEXT); CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS \
        $$ BEGIN INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$; \
        CREATE TRIGGER see AFTER UPDATE ON kassa_migrations FOR EACH ROW WHEN (NEW.state = 'done') \
        EXECUTE FUNCTION see()";
    connection.execute(watch).await.unwrap();
    let last = test_migration("INSERT INTO seen VALUES (current_setting('synchronous_commit'))");
    assert_eq!(migrate(&target, &migrations_with(&[last])).await, Ok(vec![last]));
    let seen = connection.query_json("SELECT string_agg(setting, ', ' ORDER BY setting) FROM seen").await;
    assert_eq!(seen, "off, remote_apply");
    tenant.remove().await;
}
