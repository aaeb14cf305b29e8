//! PostgreSQL itself is asked how it would run each list, over tables that are as full as real ones.

use std::fmt::Write as _;

use kassa_domain::every_table;
use kassa_store::cell::Cell;
use kassa_store::postgres::scratch::TestDatabase;
use kassa_store::queries::Statement;
use kassa_store::rows::{Column, ColumnKind, MappedRow};
use serde_json::Value;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

use super::{AccessPath, cases};

/// What is always short: rows that wait for the house, and go when it has dealt with them.
const SHORT_TABLES: &[&str] = &["jobs", "mails"];

/// Full tables; they go with the connection.
struct QueryPlans {
    client: Client,
    _scratch: TestDatabase,
}

impl QueryPlans {
    async fn new() -> Self {
        let (_postgres, scratch) = TestDatabase::new().await;
        let (client, connection) = tokio_postgres::connect(&scratch.url, NoTls).await.unwrap();
        tokio::spawn(connection);
        let plans = Self { client, _scratch: scratch };
        plans.client.batch_execute(&full_tables()).await.unwrap();
        plans
    }

    async fn plan(&self, statement: &Statement) -> Value {
        let messages =
            self.client.simple_query(&format!("EXPLAIN (FORMAT JSON) {}", inline_arguments(statement))).await;
        let messages = messages.unwrap_or_else(|error| panic!("{}: {error:?}", statement.text));
        let text: String = messages
            .iter()
            .filter_map(|message| if let SimpleQueryMessage::Row(row) = message { row.get(0) } else { None })
            .collect();
        serde_json::from_str(&text).unwrap()
    }

    /// How a statement would run that may not sort, if there is another way at all.
    async fn plan_without_order(&self, statement: &Statement) -> Value {
        self.client.batch_execute("SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off").await.unwrap();
        let plan = self.plan(statement).await;
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
        (_, "id" | "number" | "node")
        | ("managers", "user_id")
        | ("sets", "amount" | "sold")
        | ("daily_sales", "day") => "g",
        ("sets", "tag") | (_, "event") => "g % 400",
        (_, "tag") => "g % 500",
        (_, "organizer" | "owner" | "partner" | "author") => "g % 3000",
        (_, "vendor" | "agent") => "(g / 5) % 3000",
        (_, "user_id") => "g * 7 % 40000",
        (_, "set_id" | "venue") => "g % 800",
        (_, "order_id") => "g / 2",
        ("orders", "status") => "(ARRAY['executed', 'done', 'done', 'canceled', 'expired', 'expired'])[1 + g % 6]",
        ("deals", "status") => "(ARRAY['new', 'accepted', 'terminated'])[1 + g % 3]",
        ("refund_requests", "status") => "(ARRAY['new', 'approved', 'rejected'])[1 + g % 3]",
        ("payments", "status") => "(ARRAY['pending', 'paid', 'paid', 'failed'])[1 + g % 4]",
        ("payments", "used" | "returned") => "0",
        ("payments", "reference") => "'RF' || g",
        ("invitations", "status") => "(ARRAY['pending', 'accepted', 'declined', 'revoked'])[1 + g % 4]",
        ("attachments", "bytes_discarded") => "CASE WHEN g % 20 = 0 THEN 0 ELSE 1 END",
        // Most registrations are confirmed, most payments settled, and hardly anybody is suspended.
        (_, "confirm_by" | "suspended_at" | "poll_at") => "CASE WHEN g % 100 = 0 THEN g END",
        ("refund_requests", "finished_at") => "CASE WHEN g % 3 = 0 THEN NULL ELSE g END",
        ("events", "status") => "(ARRAY['public', 'public', 'stand_by', 'canceled'])[1 + g % 4]",
        (_, "removed") => "CASE WHEN g % 10 = 0 THEN 1 ELSE 0 END",
        ("mails", "state") => "'waiting'",
        ("tickets", "state") => "CASE WHEN g % 3 = 0 THEN 0 ELSE 2 END",
        ("tickets", "holder" | "barcode") => {
            return format!("CASE WHEN g % 3 = 0 THEN NULL ELSE {} END", sample_value(column.kind));
        }
        ("tickets", "held_till" | "refund") | ("promocodes", "amount") | (_, "suspension_reason") => "NULL",
        (_, "sector") => "(ARRAY['L', 'R', 'P'])[1 + g % 3]",
        (_, "vacant" | "held" | "blocked" | "pending" | "pending_removal") if table == "sets" => "0",
        (_, "longest_vacant_run") => "1",
        (_, "search_text" | "folded_name") => "'ann of the hall ' || g",
        (_, "city") => "g % 200",
        (_, "country") => "CASE WHEN g % 200 = 0 THEN 'RU' ELSE 'DE' END",
        _ => return sample_value(column.kind).to_owned(),
    };
    text.to_owned()
}

fn sample_value(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Int => "g",
        ColumnKind::Text | ColumnKind::Json => "'x' || g",
        ColumnKind::Blob | ColumnKind::Compressed => "decode(md5(g::text), 'hex')",
    }
}

/// A statement with its arguments in it.
fn inline_arguments(statement: &Statement) -> String {
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
fn plan_nodes(plan: &Value) -> Vec<&serde_json::Map<String, Value>> {
    match plan {
        Value::Array(parts) => parts.iter().flat_map(plan_nodes).collect(),
        Value::Object(node) => {
            let own = node.contains_key("Node Type").then_some(node);
            own.into_iter().chain(node.values().flat_map(plan_nodes)).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

/// Each table is read by an index, from where the rows are. What is wrong with a plan is told.
fn excess_read(plan: &Value, way: AccessPath, indexes: &[&str]) -> Option<String> {
    let reads = |step: &&serde_json::Map<String, Value>| {
        let (kind, table) = (step["Node Type"].as_str().unwrap(), step.get("Relation Name").and_then(Value::as_str));
        let is_short = table.is_some_and(|table| SHORT_TABLES.contains(&table));
        let index = step.get("Index Name").and_then(Value::as_str);
        let may_start = match way {
            AccessPath::OrderedFilter => true,
            AccessPath::WholeIndex => index.is_some_and(|index| indexes.contains(&index)),
            AccessPath::SortedIndex | AccessPath::OrderedIndex => false,
        };
        let from_its_start = kind.contains("Index") && !may_start && !step.contains_key("Index Cond");
        // What an index has no more than is asked for needs no filter.
        let drops_rows = way == AccessPath::WholeIndex && step.contains_key("Filter");
        !is_short && (kind == "Seq Scan" || from_its_start || drops_rows)
    };
    plan_nodes(plan).into_iter().find(reads).map(|_| "it reads a whole table".to_owned())
}

fn sort_node(plan: &Value) -> Option<String> {
    let sorts = plan_nodes(plan).into_iter().any(|step| step["Node Type"].as_str().unwrap().contains("Sort"));
    sorts.then(|| "it cannot but sort".to_owned())
}

fn unused_index(plan: &Value, index: &str) -> Option<String> {
    let name = index.split(' ').next();
    let is_used = plan_nodes(plan).iter().any(|step| step.get("Index Name").and_then(Value::as_str) == name);
    (!is_used).then(|| format!("it does not use {index}"))
}

#[tokio::test]
async fn a_list_uses_an_index() {
    let plans = QueryPlans::new().await;
    let mut wrong = String::new();
    for case in cases() {
        let plan = plans.plan(&case.statement).await;
        let mut problems = Vec::from_iter(excess_read(&plan, case.access_path, &case.indexes));
        // Which of several that would do is best follows from the numbers of rows.
        if matches!(case.access_path, AccessPath::OrderedIndex | AccessPath::WholeIndex) {
            let plan = plans.plan_without_order(&case.statement).await;
            problems.extend(sort_node(&plan));
            problems.extend(case.indexes.iter().filter_map(|index| unused_index(&plan, index)));
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
    let plans = QueryPlans::new().await;
    let statement = |text: &str| Statement { text: text.to_owned(), args: Vec::new() };
    for slow in ["SELECT id FROM orders WHERE value = 1", "SELECT id FROM orders WHERE organizer = 1 OR value = 2"] {
        assert_ne!(excess_read(&plans.plan(&statement(slow)).await, AccessPath::SortedIndex, &[]), None, "{slow}");
    }
    let discard = "SELECT id FROM attachments WHERE removed = 1 AND bytes_discarded = 0";
    for (text, index) in
        [(discard.to_owned(), "attachments_author"), (format!("{discard} AND length = 1"), "attachments_to_discard")]
    {
        let plan = plans.plan(&statement(&text)).await;
        assert_ne!(excess_read(&plan, AccessPath::WholeIndex, &[index]), None, "{text}");
    }
    let sorted = "SELECT id FROM orders WHERE organizer = 1 OR vendor = 1 ORDER BY value DESC LIMIT 100";
    assert_ne!(sort_node(&plans.plan_without_order(&statement(sorted)).await), None);
    assert_ne!(unused_index(&plans.plan(&statement(sorted)).await, "orders_event"), None);
}
