//! PostgreSQL itself is asked how it would run each list, over tables that are as full as real ones.

use std::fmt::Write as _;

use kassa_domain::every_table;
use kassa_store::cell::Cell;
use kassa_store::postgres::scratch::Scratch;
use kassa_store::queries::Statement;
use kassa_store::rows::{Column, Kind, Mapped};
use serde_json::Value;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

use crate::cases::{Way, cases};

/// What is always short: rows that wait for the house, and go when it has dealt with them.
const SHORT: &[&str] = &["jobs", "mails"];

/// Full tables; they go with the connection.
struct Plans {
    client: Client,
    _scratch: Scratch,
}

impl Plans {
    async fn new() -> Self {
        let (_postgres, scratch) = Scratch::new().await;
        let (client, connection) = tokio_postgres::connect(&scratch.url, NoTls).await.unwrap();
        tokio::spawn(connection);
        let plans = Self { client, _scratch: scratch };
        plans.client.batch_execute(&full_tables()).await.unwrap();
        plans
    }

    async fn of(&self, statement: &Statement) -> Value {
        let messages = self.client.simple_query(&format!("EXPLAIN (FORMAT JSON) {}", spelled(statement))).await;
        let messages = messages.unwrap_or_else(|error| panic!("{}: {error:?}", statement.text));
        let text: String = messages
            .iter()
            .filter_map(|message| if let SimpleQueryMessage::Row(row) = message { row.get(0) } else { None })
            .collect();
        serde_json::from_str(&text).unwrap()
    }

    /// How a statement would run that may not sort, if there is another way at all.
    async fn unsorted(&self, statement: &Statement) -> Value {
        self.client.batch_execute("SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off").await.unwrap();
        let plan = self.of(statement).await;
        self.client.batch_execute("SET LOCAL enable_sort = on; SET LOCAL enable_bitmapscan = on").await.unwrap();
        plan
    }
}

/// Makes many rows in a transaction that is never committed: some partners, events and users have many of them.
fn full_tables() -> String {
    let mut text = "BEGIN; ".to_owned();
    let mut fill = |table: &str, columns: &[Column]| {
        let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
        let values: Vec<String> = columns.iter().map(|column| value(table, column)).collect();
        let rows = match table {
            "orders" | "users" => 40_000,
            "tickets" => 20_000,
            _ => 6_000,
        };
        // Writing to a String does not fail.
        let _ = write!(
            text,
            "INSERT INTO {table} ({}, version) SELECT {}, 1 FROM generate_series(1, {rows}) AS g; ANALYZE {table}; ",
            names.join(", "),
            values.join(", ")
        );
    };
    macro_rules! fill {
        ($($field:ident: $row:ty,)*) => {
            $(fill(<$row>::TABLE, <$row>::COLUMNS);)*
        };
    }
    every_table!(fill);
    text
}

/// The value of a column in the row `g`.
fn value(table: &str, column: &Column) -> String {
    let text = match (table, column.name) {
        (_, "id" | "number" | "node") | ("managers", "user_id") | ("sets", "amount" | "sold") => "g",
        ("sets", "tag") | (_, "event") => "g % 400",
        (_, "tag") => "g % 500",
        (_, "org" | "obj" | "partner" | "author") => "g % 3000",
        (_, "vendor" | "subj") => "(g / 5) % 3000",
        (_, "user_id") => "g * 7 % 40000",
        (_, "set_id" | "venue") => "g % 800",
        (_, "order_id") => "g / 2",
        ("orders", "status") => "(ARRAY['executed', 'done', 'done', 'canceled', 'expired', 'expired'])[1 + g % 6]",
        ("deals", "status") => "(ARRAY['new', 'accepted', 'terminated'])[1 + g % 3]",
        ("refund_requests", "status") => "(ARRAY['new', 'approved', 'rejected'])[1 + g % 3]",
        ("refund_requests", "finished_at") => "CASE WHEN g % 3 = 0 THEN NULL ELSE g END",
        ("events", "status") => "(ARRAY['public', 'public', 'stand_by', 'canceled'])[1 + g % 4]",
        (_, "removed") => "CASE WHEN g % 10 = 0 THEN 1 ELSE 0 END",
        ("mails", "state") => "'waiting'",
        ("tickets", "state") => "CASE WHEN g % 3 = 0 THEN 0 ELSE 2 END",
        ("tickets", "holder" | "barcode") => {
            return format!("CASE WHEN g % 3 = 0 THEN NULL ELSE {} END", any(column.kind));
        }
        ("tickets", "held_till" | "refund") | ("promocodes", "amount") => "NULL",
        (_, "sector") => "(ARRAY['L', 'R', 'P'])[1 + g % 3]",
        (_, "vacant" | "held" | "blocked" | "pending" | "doomed") if table == "sets" => "0",
        (_, "longest") => "1",
        (_, "folded" | "folded_name") => "'ann of the hall ' || g",
        (_, "city") => "g % 200",
        (_, "country") => "CASE WHEN g % 200 = 0 THEN 'RU' ELSE 'DE' END",
        _ => return any(column.kind).to_owned(),
    };
    text.to_owned()
}

fn any(kind: Kind) -> &'static str {
    match kind {
        Kind::Int => "g",
        Kind::Text | Kind::Json => "'x' || g",
        Kind::Blob => "decode(md5(g::text), 'hex')",
    }
}

/// A statement with its arguments in it.
fn spelled(statement: &Statement) -> String {
    let mut text = statement.text.clone();
    for (at, cell) in statement.args.iter().enumerate().rev() {
        let literal = match cell {
            Cell::Null => "NULL".to_owned(),
            Cell::Int(value) => format!("'{value}'::bigint"),
            Cell::Text(value) => format!("'{}'::text", value.replace('\'', "''")),
            Cell::Blob(_) => panic!("no list asks for bytes"),
        };
        text = text.replace(&format!("${}", at + 1), &literal);
    }
    text
}

/// All steps of a plan.
fn steps(plan: &Value) -> Vec<&serde_json::Map<String, Value>> {
    match plan {
        Value::Array(parts) => parts.iter().flat_map(steps).collect(),
        Value::Object(node) => {
            let own = node.contains_key("Node Type").then_some(node);
            own.into_iter().chain(node.values().flat_map(steps)).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

/// Each table is read by an index, from where the rows are. What is wrong with a plan is told.
fn reads_too_much(plan: &Value, way: Way) -> Option<String> {
    let reads = |step: &&serde_json::Map<String, Value>| {
        let (kind, table) = (step["Node Type"].as_str().unwrap(), step.get("Relation Name").and_then(Value::as_str));
        let is_short = table.is_some_and(|table| SHORT.contains(&table));
        let from_its_start = kind.contains("Index") && way != Way::Whole && !step.contains_key("Index Cond");
        !is_short && (kind == "Seq Scan" || from_its_start)
    };
    steps(plan).into_iter().find(reads).map(|_| "it reads a whole table".to_owned())
}

fn sorts(plan: &Value) -> Option<String> {
    let sorts = steps(plan).into_iter().any(|step| step["Node Type"].as_str().unwrap().contains("Sort"));
    sorts.then(|| "it cannot but sort".to_owned())
}

fn leaves_out(plan: &Value, index: &str) -> Option<String> {
    let name = index.split(' ').next();
    let is_used = steps(plan).iter().any(|step| step.get("Index Name").and_then(Value::as_str) == name);
    (!is_used).then(|| format!("it does not use {index}"))
}

#[tokio::test]
async fn a_list_uses_an_index() {
    let plans = Plans::new().await;
    let mut wrong = String::new();
    for case in cases() {
        let plan = plans.of(&case.statement).await;
        let mut problems = Vec::from_iter(reads_too_much(&plan, case.way));
        // Which of several that would do is best follows from the numbers of rows.
        if case.way == Way::InOrder {
            let plan = plans.unsorted(&case.statement).await;
            problems.extend(sorts(&plan));
            problems.extend(case.through.iter().filter_map(|index| leaves_out(&plan, index)));
        }
        if !problems.is_empty() {
            // Writing to a String does not fail.
            let _ = writeln!(wrong, "{problems:?}: {}\n{plan:#}", case.statement.text);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[tokio::test]
async fn a_list_that_reads_or_sorts_a_whole_table_is_noticed() {
    let plans = Plans::new().await;
    let statement = |text: &str| Statement { text: text.to_owned(), args: Vec::new() };
    for slow in ["SELECT id FROM orders WHERE value = 1", "SELECT id FROM orders WHERE org = 1 OR value = 2"] {
        assert_ne!(reads_too_much(&plans.of(&statement(slow)).await, Way::Found), None, "{slow}");
    }
    let sorted = "SELECT id FROM orders WHERE org = 1 OR vendor = 1 ORDER BY value DESC LIMIT 100";
    assert_ne!(sorts(&plans.unsorted(&statement(sorted)).await), None);
    assert_ne!(leaves_out(&plans.of(&statement(sorted)).await, "orders_event"), None);
}
