//! Statements that are sent with their commit: all of them are there, or nothing is.

use super::connection::{Connection, TransactionFrame};
use super::lint::connect;
use super::params::Param;
use super::pipeline::Query;
use super::scratch::TestDatabase;
use super::statements;
use crate::cell::Cell;

/// A new row of a table of two numbers.
fn insert(key: impl Into<Cell<'static>>) -> Query<'static> {
    Query { text: "INSERT INTO seen (key, value) VALUES ($1, 0)".to_owned(), params: vec![Param::one(key)] }
}

/// Another value of all rows up to a key, of which there must be so many.
fn update(up_to: i64, rows: i64) -> Query<'static> {
    let text = statements::requiring_rows("UPDATE seen SET value = value + 1 WHERE key <= $1", 2);
    Query { text, params: vec![Param::one(up_to), Param::one(rows)] }
}

async fn seen(connection: &Connection) -> String {
    connection.query_json("SELECT COALESCE(string_agg(key || ':' || value, ' ' ORDER BY key), '') FROM seen").await
}

async fn given_table() -> (TestDatabase, Connection) {
    let (_postgres, scratch) = TestDatabase::new().await;
    let connection = connect(&scratch).await;
    // Of this session alone: others use the database after it.
    let table = "CREATE TEMPORARY TABLE seen (key BIGINT PRIMARY KEY, value BIGINT NOT NULL)";
    connection.execute(table).await.unwrap();
    (scratch, connection)
}

#[tokio::test]
async fn statements_and_their_commit_are_one() {
    let (_scratch, mut connection) = given_table().await;
    connection.run_pipeline(TransactionFrame::Begin, &[]).await.unwrap();
    connection.run_and_commit(&[insert(1_i64), insert(2_i64), update(2, 2)]).await.unwrap();
    assert_eq!(seen(&connection).await, "1:1 2:1");
}

#[tokio::test]
async fn what_fails_takes_the_commit_along_wherever_it_fails() {
    let (_scratch, mut connection) = given_table().await;
    connection.execute("INSERT INTO seen VALUES (1, 0)").await.unwrap();
    for why in ["a row is missing", "a key is taken", "an argument is no number"] {
        for at in 0..3 {
            let mut queries = vec![insert(2_i64), update(1, 1)];
            let fails = match why {
                "a row is missing" => update(3, 3),
                "a key is taken" => insert(1_i64),
                // The server never hears of it.
                _ => insert("three"),
            };
            queries.insert(at, fails);
            connection.run_pipeline(TransactionFrame::Begin, &[]).await.unwrap();
            let failure = connection.run_and_commit(&queries).await.unwrap_err();
            assert_eq!((failure.statement, failure.is_rolled_back), (Some(at), true), "{why}, {at}: {failure:?}");
            assert_eq!(failure.fault.is_unmet_requirement(), why == "a row is missing", "{failure:?}");
            connection.execute("ROLLBACK").await.unwrap();
            assert_eq!(seen(&connection).await, "1:0", "{why}, {at}");
        }
    }
}
