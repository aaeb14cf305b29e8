//! Steps of the schema on databases that others work with, and that others bring up to date, too.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use kassa_domain::user::{Account, User};
use kassa_domain::{Id, Needs, Timestamp, View};
use tokio::runtime::Builder;

use super::Postgres;
use super::connection::{Connection, Role, Target};
use super::migrating::{Claim, Worker, migrate};
use super::schema::{STEPS, missing};
use super::scratch::Tenant;
use super::tls::Tls;
use super::writer::PostgresWriter;
use crate::error::StoreError;
use crate::steps::{Step, newest};

/// The step after those that there are.
fn next(text: &'static str) -> Step {
    Step { number: newest(STEPS) + 1, about: "of a test", text }
}

fn steps(last: &[Step]) -> Vec<Step> {
    [STEPS, last].concat()
}

fn target(tenant: &Tenant) -> Target {
    let url: super::DatabaseUrl = tenant.url.parse().unwrap();
    Target { tls: Tls::new(&url).unwrap(), url }
}

async fn connection(target: &Target) -> Connection {
    Connection::open(target, Role::Reader).await.unwrap()
}

async fn number(connection: &Connection, text: &str) -> i64 {
    connection.row(text, &[]).await.unwrap().unwrap().get(0)
}

/// Waits until a statement gives this number.
async fn until(connection: &Connection, text: &str, wanted: i64) {
    let look = async {
        while number(connection, text).await != wanted {
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
        first_name: None,
        last_name: None,
        created_at: Timestamp::from_ms(0),
        updated_at: Timestamp::from_ms(0),
        revision,
    }
}

#[tokio::test]
async fn a_database_of_the_first_step_keeps_its_rows() {
    let tenant = Tenant::new().await;
    let target = target(&tenant);
    assert_eq!(migrate(&target, &STEPS[..1]).await, Ok(STEPS[..1].to_vec()));
    let rows = "INSERT INTO nodes (node, id_mark, number_next, number_end, version) VALUES (3, 40, 5, 6, 7); \
        INSERT INTO facts (name, value, version) VALUES ('secret_fingerprint', 'abc', 1)";
    connection(&target).await.execute(rows).await.unwrap();
    let postgres = Postgres::open(&target.url).await.unwrap();
    let survey = postgres.survey().await.unwrap();
    assert_eq!((survey.missing, survey.in_use), (Some(Vec::new()), true));
    let view = postgres.view(&Needs { nodes: vec![3], ..Needs::default() }).await.unwrap();
    assert_eq!((view.nodes.get(3).unwrap().id_mark, view.nodes.version(3)), (40, Some(7)));
    tenant.remove().await;
}

#[tokio::test]
async fn a_running_program_works_on_while_the_next_steps_are_applied() {
    let tenant = Tenant::new().await;
    let target = target(&tenant);
    let postgres = Postgres::open(&target.url).await.unwrap();
    let (over, batches) = (AtomicBool::new(false), AtomicU32::new(0));
    let sell = async {
        let mut writer = PostgresWriter::new(target.clone(), 1);
        let needs = Needs { users: vec![Id::root(1)], ..Needs::default() };
        while !over.load(Ordering::Relaxed) {
            let mut decide = |view: &mut View| {
                let revision = view.users.get(Id::root(1)).map_or(0, |user| user.revision);
                view.users.put(user(revision + 1));
                Ok(())
            };
            writer.transact(&needs, &mut decide).await.unwrap();
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
        let last = next(
            "ALTER TABLE users ADD COLUMN IF NOT EXISTS nickname TEXT; \
             DROP INDEX CONCURRENTLY IF EXISTS users_nickname; \
             CREATE INDEX CONCURRENTLY users_nickname ON users (nickname)",
        );
        assert_eq!(migrate(&target, &steps(&[last])).await, Ok(vec![last]));
        some_more().await;
        over.store(true, Ordering::Relaxed);
    };
    tokio::join!(sell, upgrade);
    let connection = connection(&target).await;
    assert_eq!(number(&connection, "SELECT revision FROM users").await, i64::from(batches.into_inner()));
    let valid = "SELECT count(*) FROM pg_index WHERE indexrelid = 'users_nickname'::regclass AND indisvalid";
    assert_eq!(number(&connection, valid).await, 1);
    let refused = StoreError::NewerSchema { found: newest(STEPS) + 1, known: newest(STEPS) };
    assert_eq!(postgres.survey().await, Err(refused), "but it is not started again");
    tenant.remove().await;
}

#[tokio::test]
async fn a_table_in_use_is_waited_for_and_others_are_not_held_up() {
    let tenant = Tenant::new().await;
    let target = target(&tenant);
    Postgres::open(&target.url).await.unwrap();
    let (reader, other) = (connection(&target).await, connection(&target).await);
    // As a backup does, for hours.
    let reads = "SET idle_in_transaction_session_timeout = 0; BEGIN; SELECT count(*) FROM users";
    reader.execute(reads).await.unwrap();
    let last = steps(&[next("ALTER TABLE users ADD COLUMN IF NOT EXISTS nickname TEXT")]);
    let upgrade = tokio::spawn({
        let target = target.clone();
        async move { migrate(&target, &last).await }
    });
    let waits = "SELECT count(*) FROM pg_locks WHERE relation = 'users'::regclass AND NOT granted";
    for _ in 0..2 {
        until(&other, waits, 1).await;
        // Behind the one that waits, who gives up before this one does.
        other.execute("SELECT count(*) FROM users").await.unwrap();
    }
    assert!(!upgrade.is_finished());
    reader.execute("COMMIT").await.unwrap();
    assert_eq!(upgrade.await.unwrap().map(|applied| applied.len()), Ok(1));
    tenant.remove().await;
}

#[tokio::test]
async fn programs_that_migrate_together_do_each_step_once() {
    let tenant = Tenant::new().await;
    let target = target(&tenant);
    // Each row is a time that a step was run.
    let first = next("CREATE TABLE IF NOT EXISTS runs (step BIGINT); INSERT INTO runs SELECT 1 FROM pg_sleep(0.2)");
    let second = Step { number: first.number + 1, about: "of a test", text: "INSERT INTO runs VALUES (2)" };
    let all = steps(&[first, second]);
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
    assert_eq!(number(&connection, "SELECT count(*) FROM runs").await, 2);
    assert_eq!(number(&connection, "SELECT count(*) FROM kassa_migrations WHERE state = 'done'").await, newest(&all));
    tenant.remove().await;
}

#[tokio::test]
async fn the_claim_of_a_program_that_dies_is_taken_over() {
    let tenant = Tenant::new().await;
    let target = target(&tenant);
    migrate(&target, STEPS).await.unwrap();
    let last = next("CREATE TABLE IF NOT EXISTS half (id BIGINT)");
    // As a program of its own: with it go its connections.
    let program = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let its_target = target.clone();
    program.spawn(async move {
        let worker = Worker::start(&its_target).await.unwrap();
        assert_eq!(worker.claim(&last).await, Ok(Claim::Ours));
        worker.execute("CREATE TABLE half (id BIGINT)").await.unwrap();
        // It is in the middle of a statement that takes long.
        worker.execute("SELECT pg_sleep(600)").await
    });
    let connection = connection(&target).await;
    let sessions = "SELECT count(*) FROM pg_stat_activity WHERE usename = current_user AND ";
    until(&connection, &format!("{sessions} query LIKE 'SELECT pg_sleep%' AND state = 'active'"), 1).await;
    let takes_over = tokio::spawn({
        let target = target.clone();
        async move { migrate(&target, &steps(&[last])).await }
    });
    until(&connection, &format!("{sessions} query LIKE 'SELECT state FROM kassa_migrations%'"), 1).await;
    assert_eq!(missing(&connection, &steps(&[last])).await, Ok(Some(vec![last])));
    assert!(!takes_over.is_finished(), "it waits as long as the other is there");
    program.shutdown_background();
    assert_eq!(takes_over.await.unwrap(), Ok(vec![last]));
    until(&connection, &format!("{sessions} query LIKE 'SELECT pg_sleep%'"), 0).await;
    tenant.remove().await;
}

#[tokio::test]
async fn a_step_that_failed_half_way_is_finished_by_the_next() {
    let tenant = Tenant::new().await;
    let target = target(&tenant);
    let last =
        next("CREATE TABLE IF NOT EXISTS early (id BIGINT); ALTER TABLE late ADD COLUMN IF NOT EXISTS more BIGINT");
    let error = migrate(&target, &steps(&[last])).await.unwrap_err();
    assert!(error.to_string().contains(&format!("step {} ", last.number)), "{error}");
    let connection = connection(&target).await;
    assert_eq!(missing(&connection, &steps(&[last])).await, Ok(Some(vec![last])), "all before it are done");
    assert_eq!(number(&connection, "SELECT count(*) FROM early").await, 0);
    connection.execute("CREATE TABLE late (id BIGINT)").await.unwrap();
    assert_eq!(migrate(&target, &steps(&[last])).await, Ok(vec![last]));
    assert_eq!(number(&connection, "SELECT count(more) FROM late").await, 0);
    tenant.remove().await;
}

#[tokio::test]
async fn the_record_of_an_older_program_is_understood() {
    let tenant = Tenant::new().await;
    let target = target(&tenant);
    migrate(&target, STEPS).await.unwrap();
    let connection = connection(&target).await;
    let as_it_was = "ALTER TABLE kassa_migrations DROP COLUMN state, DROP COLUMN worker, DROP COLUMN claimed_at, \
        DROP COLUMN done_at";
    connection.execute(as_it_was).await.unwrap();
    assert_eq!(missing(&connection, STEPS).await, Ok(Some(Vec::new())));
    let last = next("CREATE TABLE IF NOT EXISTS more (id BIGINT)");
    assert_eq!(migrate(&target, &steps(&[last])).await, Ok(vec![last]));
    assert_eq!(missing(&connection, &steps(&[last])).await, Ok(Some(Vec::new())));
    tenant.remove().await;
}

#[tokio::test]
async fn the_end_of_a_step_is_as_durable_as_the_operator_wants_it() {
    let tenant = Tenant::new().await;
    let target = target(&tenant);
    migrate(&target, STEPS).await.unwrap();
    tenant.order(&format!("ALTER ROLE {} SET synchronous_commit = remote_apply", tenant.name)).await;
    let connection = connection(&target).await;
    let watch = "CREATE TABLE seen (setting TEXT); CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS \
        $$ BEGIN INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$; \
        CREATE TRIGGER see AFTER UPDATE ON kassa_migrations FOR EACH ROW WHEN (NEW.state = 'done') \
        EXECUTE FUNCTION see()";
    connection.execute(watch).await.unwrap();
    let last = next("INSERT INTO seen VALUES (current_setting('synchronous_commit'))");
    assert_eq!(migrate(&target, &steps(&[last])).await, Ok(vec![last]));
    let seen = connection.json("SELECT string_agg(setting, ', ' ORDER BY setting) FROM seen").await;
    assert_eq!(seen, "off, remote_apply");
    tenant.remove().await;
}
