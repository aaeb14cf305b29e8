//! Opening a database, and why that fails.

use kassa_domain::{Id, ReadSet};
use kassa_store::postgres::scratch::{self, TestDatabase, TestUser};
use kassa_store::postgres::{DatabaseUrl, Distribution, Postgres};
use kassa_store::{Store, StoreError};
use tokio_postgres::NoTls;

pub(crate) async fn execute(url: &str, text: &str) {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    let task = tokio::spawn(connection);
    client.batch_execute(text).await.unwrap();
    drop(client);
    task.await.unwrap().unwrap();
}

/// The one text that a statement gives.
pub(crate) async fn query_json(url: &str, text: &str) -> String {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    let task = tokio::spawn(connection);
    let found = client.query_one(text, &[]).await.unwrap().get(0);
    drop(client);
    task.await.unwrap().unwrap();
    found
}

fn parse_url(url: &str) -> DatabaseUrl {
    url.parse().unwrap()
}

async fn connect_error(url: &str) -> StoreError {
    Postgres::open(&parse_url(url)).await.err().unwrap()
}

#[tokio::test]
async fn an_empty_database_gets_its_tables_once() {
    let tenant = TestUser::new().await;
    let url = &tenant.url;
    let postgres = Postgres::connect(&parse_url(url)).await.unwrap();
    assert_eq!(postgres.status().await.unwrap().pending_migrations, None);
    let applied = postgres.migrate().await.unwrap();
    assert!(!applied.is_empty(), "{applied:?}");
    let survey = postgres.status().await.unwrap();
    assert_eq!((survey.pending_migrations, survey.in_use), (Some(Vec::new()), false));
    assert!(postgres.migrate().await.unwrap().is_empty());
    let view =
        Store::Postgres(postgres).view(&ReadSet { users: vec![Id::root(1)], ..ReadSet::default() }).await.unwrap();
    assert_eq!(view.users.rows().count(), 0);
    tenant.remove().await;
}

#[tokio::test]
async fn programs_that_start_together_make_the_tables_once() {
    let tenant = TestUser::new().await;
    let url = &tenant.url;
    let starts: Vec<_> = (0..6)
        .map(|_| {
            let url = parse_url(url);
            tokio::spawn(async move { Postgres::open(&url).await.map(drop) })
        })
        .collect();
    for start in starts {
        assert_eq!(start.await.unwrap(), Ok(()));
    }
    tenant.remove().await;
}

#[tokio::test]
async fn a_database_of_another_program_is_left_alone() {
    let tenant = TestUser::new().await;
    let url = &tenant.url;
    execute(url, "CREATE TABLE orders (id BIGINT)").await;
    let error = connect_error(url).await;
    assert!(matches!(&error, StoreError::Foreign(text) if text.contains("another program")), "{error}");
    execute(url, "DROP TABLE orders").await;
    Postgres::open(&parse_url(url)).await.unwrap();
    tenant.remove().await;
}

#[tokio::test]
async fn tables_are_not_spread_while_a_server_runs() {
    let (postgres, scratch) = TestDatabase::new().await;
    execute(
        &scratch.url,
        "INSERT INTO nodes (number, last_id, next_order_number, order_numbers_end, commit_marker, version, lease_till) \
         VALUES (1, 0, 0, 0, 0, 1, (extract(epoch FROM now()) * 1000)::bigint + 60000)",
    )
    .await;
    assert_eq!(postgres.distribute().await, Ok(Distribution::ServerRuns));
    execute(&scratch.url, "UPDATE nodes SET lease_till = 0").await;
    assert_ne!(postgres.distribute().await, Ok(Distribution::ServerRuns));
}

#[tokio::test]
async fn a_newer_schema_is_refused() {
    let (_postgres, scratch) = TestDatabase::new().await;
    execute(&scratch.url, "INSERT INTO kassa_migrations (number) VALUES (999)").await;
    let error = connect_error(&scratch.url).await;
    execute(&scratch.url, "DELETE FROM kassa_migrations WHERE number = 999").await;
    assert!(matches!(error, StoreError::NewerSchema { found: 999, .. }), "{error}");
}

#[tokio::test]
async fn an_unreachable_server_is_reported_in_one_sentence() {
    let server = scratch::server_url();
    let config: tokio_postgres::Config = server.parse().unwrap();
    let other_name = server.replacen(&format!("/{}", config.get_dbname().unwrap()), "/kassa_no_such", 1);
    for (url, reason) in [
        (other_name.as_str(), "no such database"),
        ("postgres://kassa@127.0.0.1:1/kassa", "Connection refused"),
        ("postgres://kassa@%2Fnowhere/kassa", "No such file"),
        ("postgres://kassa@nowhere.invalid/kassa", "nowhere"),
    ] {
        let error = connect_error(url).await;
        assert!(matches!(&error, StoreError::Unavailable(_)), "{url}: {error:?}");
        assert!(error.to_string().contains(reason) || url.contains("invalid"), "{url}: {error}");
    }
}

#[tokio::test]
async fn a_wrong_password_is_reported_without_repeating_it() {
    // The server of tests asks nobody for one.
    let port = serve_wrong_password_error().await;
    let error = connect_error(&format!("postgres://ann:s3cret@127.0.0.1:{port}/kassa?sslmode=disable")).await;
    let text = error.to_string();
    assert!(text.contains("ann") && text.contains("password") && !text.contains("s3cret"), "{text}");
}

/// A server that answers every log-in as PostgreSQL answers a wrong password; its port.
async fn serve_wrong_password_error() -> u16 {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        let (mut client, _) = listener.accept().await.unwrap();
        let mut buffer = [0; 1024];
        assert!(client.read(&mut buffer).await.unwrap() > 0);
        let fields = b"SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed\0\0";
        let mut message = vec![b'E'];
        message.extend(u32::try_from(fields.len() + 4).unwrap().to_be_bytes());
        message.extend(fields);
        client.write_all(&message).await.unwrap();
    });
    port
}
