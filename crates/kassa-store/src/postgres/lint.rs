//! What holds for each statement of a batch: it prepares, and an index serves it. Where Citus looks for the rows, it also says
//! which shard they are on, and any engine understands it that speaks PostgreSQL's language and shards by tag.

use std::panic::catch_unwind;

use kassa_domain::seat_row_inventory::SeatRowInventory;
use kassa_domain::ticket::Ticket;
use kassa_domain::{Id, every_table};
use serde_json::Value;

use super::connection::{ConnectTarget, Connection, ConnectionRole, DISCARD_PLANS};
use super::distribute::UNIQUE_ACROSS_SHARDS;
use super::load::LoadPlan;
use super::scratch::TestDatabase;
use super::seat_picking;
use super::shards::TableNames;
use super::statements;
use super::tls::Tls;
use crate::rows::{Column, ColumnKind, MappedRow};
use crate::selectors::full_read_set;

const INVENTORIES: &str = SeatRowInventory::TABLE;

/// Every statement that a batch may consist of: where each is about rows of one tag, and where the server has all of them.
fn statements() -> Vec<String> {
    let [mut all, those_of_tags] = [TableNames::of_spread_tables(), TableNames::default()].map(statements_by);
    all.extend(those_of_tags);
    all.sort_unstable();
    all.dedup();
    all
}

/// Every statement that a batch may consist of, where it calls tables by these names.
fn statements_by(names: TableNames<'_>) -> Vec<String> {
    let mut read_set = full_read_set();
    read_set.normalize();
    let others = [Id::root(1)];
    let mut load = LoadPlan::for_read_set(&read_set, true, names);
    load.add_row_inventories(&read_set, &others);
    let mut texts: Vec<String> = load.queries.into_iter().map(|ask| ask.text).collect();
    texts.extend([seat_picking::best_row_inventories(INVENTORIES), seat_picking::longest_runs(INVENTORIES)]);
    macro_rules! writes {
        ($($field:ident: $row:ty,)*) => {
            $({
                let table = names.of::<$row>(None, false);
                texts.extend([statements::update::<$row>(&table), statements::delete::<$row>(&table)]);
                texts.push(if table.spans_tags {
                    statements::insert::<$row>(&table)
                } else {
                    statements::insert_values::<$row>(&table, 2)
                });
            })*
        };
    }
    every_table!(writes);
    let changes: Vec<&String> =
        texts.iter().filter(|text| text.starts_with("UPDATE") || text.starts_with("DELETE")).collect();
    let requiring: Vec<String> =
        changes.into_iter().map(|text| statements::requiring_rows(text, params_of(text) + 1)).collect();
    texts.extend(requiring);
    texts
}

/// How many parameters a statement has.
fn params_of(text: &str) -> usize {
    (1..=99).take_while(|at| text.contains(&format!("${at}"))).count()
}

/// The tables whose rows belong to an event.
fn tagged_tables() -> Vec<&'static str> {
    let mut tables = Vec::new();
    macro_rules! collect {
        ($($field:ident: $row:ty,)*) => {
            $(if <$row>::is_tagged() { tables.push(<$row>::TABLE); })*
        };
    }
    every_table!(collect);
    tables
}

pub(super) async fn connect(scratch: &TestDatabase) -> Connection {
    connect_as(scratch, ConnectionRole::Writer).await
}

pub(super) async fn connect_as(scratch: &TestDatabase, role: ConnectionRole) -> Connection {
    let url = scratch.url.parse().unwrap();
    let target = ConnectTarget { tls: Tls::new(&url).unwrap(), url };
    Connection::open(&target, role).await.unwrap()
}

fn words(text: &str) -> Vec<&str> {
    text.split(|sign: char| !(sign.is_alphanumeric() || sign == '_')).filter(|word| !word.is_empty()).collect()
}

/// Whether two partners deal at all is asked when a partner is shown, and not on the way of any order.
const ACROSS_EVENTS: &str = "FROM deals AS t WHERE t.agent = $1 AND t.organizer = $2";

#[test]
fn a_statement_on_rows_of_an_event_names_the_tag() {
    let tables = tagged_tables();
    assert!(tables.contains(&"orders") && tables.contains(&"tickets"), "{tables:?}");
    let texts = statements_by(TableNames::of_spread_tables());
    for text in texts.iter().filter(|text| !text.contains(ACROSS_EVENTS)) {
        if !words(text).iter().any(|word| tables.contains(word)) {
            continue;
        }
        let of_one_shard =
            text.contains("t.tag = $1") || text.contains("(tag, ") && text.contains("VALUES ($1::bigint");
        assert!(of_one_shard, "{text}");
    }
}

/// What the schema has of a kind that a sharded database cannot keep, by a condition on its catalogue.
async fn names_found(connection: &Connection, what: &str) -> String {
    connection.query_json(&format!("SELECT string_agg(name, ', ') FROM ({what}) AS found(name)")).await
}

/// What is unique over all shards. In one database the index is the last line of defence against two orders with one
/// number, or two batches at one place of the feed; who spreads the tables replaces it before.
const ACROSS_SHARDS: &str = "change_batches_place, orders_number";

#[tokio::test]
async fn what_is_unique_among_rows_of_an_event_is_unique_in_its_shard() {
    let (_postgres, scratch) = TestDatabase::new().await;
    let connection = connect(&scratch).await;
    let mut spread: Vec<String> = Vec::new();
    macro_rules! collect {
        ($($field:ident: $row:ty,)*) => {
            $(spread.extend(<$row>::shard_column().map(|column| format!("('{}', '{column}')", <$row>::TABLE)));)*
        };
    }
    every_table!(collect);
    let without_column = |spread: &str| {
        format!(
            "SELECT i.indexrelid::regclass::text FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid \
             JOIN (VALUES {spread}) AS spread(name, its_column) ON spread.name = c.relname \
             WHERE i.indisunique AND c.relnamespace = current_schema()::regnamespace \
             AND NOT EXISTS (SELECT 1 FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attname = its_column \
             AND a.attnum = ANY (i.indkey::smallint[])) ORDER BY 1"
        )
    };
    let without = without_column(&spread.join(", "));
    assert_eq!(names_found(&connection, &without).await, ACROSS_SHARDS);
    let replaced: Vec<&str> = UNIQUE_ACROSS_SHARDS.iter().map(|(_, statements)| *statements).collect();
    connection.execute(&format!("BEGIN; {}", replaced.join("; "))).await.unwrap();
    assert_eq!(names_found(&connection, &without).await, "");
    // Users are in one place.
    assert!(names_found(&connection, &without_column("('users', 'tag')")).await.contains("users_pkey"));
}

#[tokio::test]
async fn the_schema_has_nothing_that_a_sharded_engine_lacks() {
    let (_postgres, scratch) = TestDatabase::new().await;
    let connection = connect(&scratch).await;
    // The stamps of batches are of one place: a table that is in one place has them.
    let foreign = [
        "SELECT relname::text FROM pg_class WHERE relkind IN ('S', 'v', 'm', 'f') \
         AND relnamespace = current_schema()::regnamespace AND relname <> 'change_batches_stamp_seq'",
        "SELECT tgname::text FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid \
         WHERE c.relnamespace = current_schema()::regnamespace",
        "SELECT conname::text FROM pg_constraint WHERE contype NOT IN ('p', 'u', 'c') \
         AND connamespace = current_schema()::regnamespace",
        "SELECT attname::text FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid \
         WHERE (attidentity <> '' OR attgenerated <> '') AND c.relnamespace = current_schema()::regnamespace \
         AND (relname, attname) <> ('change_batches', 'stamp')",
    ];
    for what in foreign {
        assert_eq!(names_found(&connection, what).await, "", "{what}");
    }
    connection.execute("BEGIN; CREATE TABLE other (id BIGSERIAL REFERENCES users (id))").await.unwrap();
    for what in [foreign[0], foreign[1], foreign[2]] {
        assert_ne!(names_found(&connection, what).await, "", "it is not noticed: {what}");
    }
}

#[test]
fn a_statement_has_nothing_that_a_sharded_engine_lacks() {
    /// Of one engine only, or across shards.
    const FOREIGN: &[&str] = &[
        "LATERAL",
        "RECURSIVE",
        "LISTEN",
        "NOTIFY",
        "ctid",
        "xmin",
        "SKIP",
        "NOWAIT",
        "SHARE",
        "nextval",
        "now",
        "current_timestamp",
        "random",
        "MERGE",
        "TABLESAMPLE",
        "CURSOR",
        "LOCK",
        "TRUNCATE",
        "pg_advisory_lock",
        "pg_advisory_xact_lock",
        "REGCLASS",
        "OVER",
        "ROLLUP",
        "INTERSECT",
        "EXCEPT",
    ];
    for text in statements_by(TableNames::of_spread_tables()) {
        let named: Vec<&str> = words(&text)
            .into_iter()
            .filter(|word| FOREIGN.iter().any(|foreign| foreign.eq_ignore_ascii_case(word)))
            .collect();
        assert!(named.is_empty(), "{named:?} in {text}");
    }
}

#[tokio::test]
async fn a_statement_is_served_by_an_index() {
    let (_postgres, scratch) = TestDatabase::new().await;
    let connection = connect(&scratch).await;
    // A planner takes any way through an empty table.
    connection.execute(&full_tables()).await.unwrap();
    connection.execute("SET plan_cache_mode = force_generic_plan").await.unwrap();
    let texts = statements();
    assert!(texts.len() > 150, "{}", texts.len());
    for text in &texts {
        check(&plan(&connection, text).await, text);
    }
    for slow in ["SELECT id FROM orders WHERE value = $1", "SELECT id FROM orders ORDER BY tag, id"] {
        let plan = plan(&connection, slow).await;
        assert!(catch_unwind(|| check(&plan, slow)).is_err(), "it is not noticed: {slow}\n{plan:#}");
    }
}

/// Rows that a statement has looked at in vain.
fn rows_in_vain(plan: &Value) -> f64 {
    match plan {
        Value::Array(parts) => parts.iter().map(rows_in_vain).sum(),
        Value::Object(node) => {
            let own = node.get("Rows Removed by Filter").and_then(Value::as_f64).unwrap_or(0.0);
            own + node.values().map(rows_in_vain).sum::<f64>()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0.0,
    }
}

/// Statistics know one event. A planner that sees the tag of another expects no rows of it, and reads all of them.
#[tokio::test]
async fn tickets_of_an_event_that_is_newer_than_statistics_are_found_by_their_keys() {
    let (_postgres, scratch) = TestDatabase::new().await;
    let connection = connect(&scratch).await;
    // As readers have it.
    let text = statements::by_key::<Ticket>(&TableNames::of_spread_tables().of::<Ticket>(None, false), true);
    let fill = [1, 2].map(|tag| tickets_of_tag(tag, 9_000));
    let begin = format!("BEGIN; {}; ANALYZE tickets; {}; PREPARE statement AS {text}", fill[0], fill[1]);
    connection.execute(&begin).await.unwrap();
    let explain = "EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE statement(2, '{200001, 208999}')";
    let found: Value = serde_json::from_str(&connection.query_json(explain).await).unwrap();
    assert!(rows_in_vain(&found) < 10.0, "{found:#}");
    connection.execute("SET LOCAL plan_cache_mode = force_custom_plan").await.unwrap();
    let found: Value = serde_json::from_str(&connection.query_json(explain).await).unwrap();
    assert!(rows_in_vain(&found) > 1_000.0, "it is not noticed: {found:#}");
}

/// New tickets of an event.
fn tickets_of_tag(tag: u8, count: u32) -> String {
    format!(
        "INSERT INTO tickets (tag, id, event, set_id, number, sector, state, version) \
         SELECT {tag}, {tag}00000 + g, {tag}, {tag}, g, '', 0, 1 FROM generate_series(1, {count}) AS g"
    )
}

/// How many rows all parts of a plan have given.
fn rows_given(plan: &Value) -> f64 {
    match plan {
        Value::Array(parts) => parts.iter().map(rows_given).sum(),
        Value::Object(node) => {
            let number = |name: &str| node.get(name).and_then(Value::as_f64).unwrap_or(0.0);
            number("Actual Rows") * number("Actual Loops") + node.values().map(rows_given).sum::<f64>()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0.0,
    }
}

/// The rows that all parts of an update of so many tickets of each event give, with its plan.
async fn rows_of_update(connection: &Connection, names: TableNames<'_>, tags: &[u32], each: u32) -> (f64, Value) {
    let table = names.of::<Ticket>(None, false);
    let array = |values: Vec<String>| format!("'{{{}}}'", values.join(", "));
    let ids: Vec<String> =
        tags.iter().flat_map(|tag| (1..=each).map(move |number| format!("{tag}{number:05}"))).collect();
    let every = |value: &str| array(vec![value.to_owned(); ids.len()]);
    let its_tags = if table.spans_tags {
        array(tags.iter().flat_map(|tag| (0..each).map(|_| tag.to_string())).collect())
    } else {
        tags[0].to_string()
    };
    let mut arguments = vec![its_tags, array(ids.clone())];
    arguments.extend(["1", "3", "NULL", "NULL", "NULL", "NULL"].map(every));
    let prepared = format!("PREPARE statement AS {}", statements::update::<Ticket>(&table));
    connection.execute(&prepared).await.unwrap();
    let found = explain_update(connection, &arguments.join(", ")).await;
    connection.execute("DEALLOCATE statement").await.unwrap();
    found
}

async fn explain_update(connection: &Connection, arguments: &str) -> (f64, Value) {
    let explain = format!("EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE statement({arguments})");
    let plan: Value = serde_json::from_str(&connection.query_json(&explain).await).unwrap();
    (rows_given(&plan), plan)
}

/// A planner that knows nothing of a table joins each row of the statement with each row that it finds.
#[tokio::test]
async fn an_update_of_many_rows_of_several_events_looks_for_each_of_them_once() {
    const EACH: u32 = 100;
    let (_postgres, scratch) = TestDatabase::new().await;
    let connection = connect(&scratch).await;
    let tickets = [1, 2].map(|tag| tickets_of_tag(tag, EACH));
    connection.execute(&format!("BEGIN; {}; {}", tickets[0], tickets[1])).await.unwrap();
    let (given, plan) = rows_of_update(&connection, TableNames::default(), &[1, 2], EACH).await;
    assert!(given <= f64::from(2 * EACH) * 4.0, "{given}: {plan:#}");
    let (given, plan) = rows_of_update(&connection, TableNames::of_spread_tables(), &[1], EACH).await;
    assert!(given >= f64::from(EACH) * 40.0, "it is not noticed: {given}: {plan:#}");
}

/// A plan that was made when there were three rows reads all that came since, until it is made anew.
#[tokio::test]
async fn a_plan_that_is_made_anew_looks_for_rows_by_their_keys_whatever_statistics_say() {
    const LATER: u32 = 2_000;
    let (_postgres, scratch) = TestDatabase::new().await;
    let connection = connect(&scratch).await;
    let text = statements::update::<Ticket>(&TableNames::default().of::<Ticket>(None, false));
    let arguments = "'{1, 1}', '{100001, 100002}', '{1, 1}', '{3, 3}', '{NULL, NULL}', '{NULL, NULL}', '{NULL, NULL}', '{NULL, NULL}'";
    // No test before has left pages in it.
    let table = "CREATE TEMPORARY TABLE tickets (LIKE tickets INCLUDING ALL)";
    let prepared = format!("PREPARE statement AS {text}; EXECUTE statement({arguments})");
    let begin = format!("BEGIN; {table}; {}; ANALYZE tickets; {prepared}", tickets_of_tag(1, 3));
    connection.execute(&begin).await.unwrap();
    connection.execute(&tickets_of_tag(2, LATER)).await.unwrap();
    let (given, plan) = explain_update(&connection, arguments).await;
    assert!(given >= f64::from(LATER), "it is not noticed: {given}: {plan:#}");
    connection.execute(DISCARD_PLANS).await.unwrap();
    let (given, plan) = explain_update(&connection, arguments).await;
    assert!(given <= 10.0, "{given}: {plan:#}");
}

/// How the server would run a statement, whatever its arguments.
async fn plan(connection: &Connection, text: &str) -> Value {
    let params = params_of(text);
    let prepared = connection.execute(&format!("PREPARE statement AS {text}")).await;
    prepared.unwrap_or_else(|fault| panic!("{text}\n{fault:?}"));
    let arguments = if params == 0 { String::new() } else { format!("({})", vec!["NULL"; params].join(", ")) };
    let plan = connection.query_json(&format!("EXPLAIN (FORMAT JSON) EXECUTE statement{arguments}")).await;
    connection.execute("DEALLOCATE statement").await.unwrap();
    serde_json::from_str(&plan).unwrap()
}

/// Makes copies of the tables, of many rows without meaning, for the time of a transaction.
fn full_tables() -> String {
    let mut text = "BEGIN; CREATE SCHEMA kassa_full; ".to_owned();
    let mut copy = |table: &str, columns: &[Column]| {
        let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
        let values = columns.iter().map(|column| match column.kind {
            ColumnKind::Int => "g",
            ColumnKind::Text | ColumnKind::Json => "'x' || g",
            ColumnKind::Blob | ColumnKind::Compressed => "decode(md5(g::text), 'hex')",
        });
        let (names, values) = (names.join(", "), values.collect::<Vec<_>>().join(", "));
        let copy = format!(
            "CREATE TABLE kassa_full.{table} (LIKE {table} INCLUDING INDEXES INCLUDING DEFAULTS INCLUDING IDENTITY); \
             INSERT INTO kassa_full.{table} ({names}, version) SELECT {values}, 1 FROM generate_series(1, 3000) AS g; \
             ANALYZE kassa_full.{table}; "
        );
        text.push_str(&copy);
    };
    macro_rules! copies {
        ($($field:ident: $row:ty,)*) => {
            $(copy(<$row>::TABLE, <$row>::COLUMNS);)*
        };
    }
    every_table!(copies);
    text + "SET LOCAL search_path = kassa_full"
}

/// No table is read row by row, and no index from its beginning to its end.
fn check(plan: &Value, text: &str) {
    match plan {
        Value::Array(parts) => parts.iter().for_each(|part| check(part, text)),
        Value::Object(node) => {
            if let Some(kind) = node.get("Node Type").and_then(Value::as_str) {
                assert_ne!(kind, "Seq Scan", "{text}\n{plan:#}");
                if kind.contains("Index") {
                    assert!(node.contains_key("Index Cond"), "{text}\n{plan:#}");
                }
            }
            node.values().for_each(|part| check(part, text));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
