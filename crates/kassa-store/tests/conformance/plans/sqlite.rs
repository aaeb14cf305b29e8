//! SQLite itself is asked how it would run each statement.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use kassa_domain::{Id, Timestamp, every_table};
use kassa_store::PageWindow;
use kassa_store::queries::{SellableEventsFilter, select_statement};
use kassa_store::rows::{ColumnRole, MappedRow};
use kassa_store::sqlite::Sqlite;
use kassa_store::sqlite::scratch::lookup_statements;
use rusqlite::Connection;

use super::{AccessPath, cases};

/// Scans of what a part of the statement has found, and of the one row that a sum of counts is.
const OWN_SCANS: [&str; 5] = ["SCAN walk", "SCAN counted", "SCAN way", "SCAN newest", "SCAN CONSTANT ROW"];

/// A new database, opened beside the driver.
struct QueryPlans {
    connection: Connection,
    _folder: tempfile::TempDir,
}

impl QueryPlans {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kassa.db");
        Sqlite::open(&path, false).unwrap();
        Self { connection: Connection::open(&path).unwrap(), _folder: folder }
    }

    /// How a statement is run, step by step.
    fn plan(&self, text: &str) -> Vec<String> {
        let text = format!("EXPLAIN QUERY PLAN {}", text.replace('$', "?"));
        let mut statement = self.connection.prepare(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut rows = statement.raw_query();
        let mut steps = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            steps.push(row.get("detail").unwrap());
        }
        steps
    }

    fn assert_uses_index(&self, text: &str) {
        let steps = self.plan(text);
        assert!(steps.iter().any(|step| step.starts_with("SEARCH")), "{text}\n{steps:#?}");
        // The rows of a VALUES list are scanned, but they are the statement's own, and so are those of its parts.
        let own = |step: &String| step.ends_with("VALUES CLAUSE") || OWN_SCANS.iter().any(|own| step.starts_with(own));
        let scans = |step: &String| step.starts_with("SCAN") && !own(step);
        assert!(!steps.iter().any(scans), "{text}\n{steps:#?}");
    }

    /// As [`QueryPlans::assert_uses_index`]; the rows also come out of it in order. The rows of a walk, which are no more
    /// than a page ends with, may be sorted.
    fn assert_unsorted(&self, text: &str) {
        self.assert_uses_index(text);
        let steps = self.plan(text);
        let sorted = steps.windows(2).find(|pair| pair[1].contains("TEMP B-TREE") && !pair[0].starts_with("SCAN walk"));
        assert_eq!(sorted, None, "{text}\n{steps:#?}");
    }

    /// The statement reads an index from its start to its end, which has the rows that it asks for and no others.
    fn assert_reads_partial_index(&self, text: &str, index: &str) {
        let steps = self.plan(text);
        let is_read = |step: &String| step.starts_with("SCAN") && step.ends_with(&format!(" INDEX {index}"));
        assert!(steps.len() == 1 && is_read(&steps[0]), "{text}\n{steps:#?}");
        let sql = "SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?";
        let made: String = self.connection.query_row(sql, [index], |row| row.get("sql")).unwrap();
        let (_, rows) = made.split_once(" WHERE ").unwrap_or_else(|| panic!("it has all rows: {made}"));
        let (_, asked) = text.split_once(" WHERE ").unwrap_or_else(|| panic!("it asks for all rows: {text}"));
        let asked = asked.split(" ORDER BY ").next().unwrap().replace(['(', ')'], "");
        assert_eq!(asked, rows, "{text}\n{made}");
    }
}

fn columns<R: MappedRow>() -> String {
    R::COLUMNS.iter().map(|column| column.name).chain(["version"]).collect::<Vec<_>>().join(", ")
}

#[test]
fn a_row_is_read_and_written_by_its_key() {
    let plans = QueryPlans::new();
    macro_rules! check {
        ($($field:ident: $row:ty,)*) => { $(by_key::<$row>(&plans);)* };
    }
    every_table!(check);
}

fn by_key<R: MappedRow>(plans: &QueryPlans) {
    let keys = R::COLUMNS.iter().filter(|column| column.role.is_key());
    let keys: Vec<String> = keys.map(|column| format!("{} = ?", column.name)).collect();
    let (table, key, columns) = (R::TABLE, keys.join(" AND "), columns::<R>());
    plans.assert_uses_index(&format!("SELECT {columns} FROM {table} WHERE {key}"));
    plans.assert_uses_index(&format!("UPDATE {table} SET version = version + 1 WHERE {key} AND version = ?"));
    plans.assert_uses_index(&format!("DELETE FROM {table} WHERE {key} AND version = ?"));
}

#[test]
fn a_table_that_knows_its_indexed_columns_knows_all() {
    let plans = QueryPlans::new();
    let mut knowing = Vec::new();
    macro_rules! check {
        ($($field:ident: $row:ty,)*) => { $(knowing.extend(indexed::<$row>(&plans));)* };
    }
    every_table!(check);
    assert_eq!(knowing, ["orders", "tickets"]);
}

/// Sees that columns which may change are indexed ones if an index names them. A table that says so of none may have such.
fn indexed<R: MappedRow>(plans: &QueryPlans) -> Option<&'static str> {
    let of = |roles: &[ColumnRole]| -> BTreeSet<&str> {
        R::COLUMNS.iter().filter(|column| roles.contains(&column.role)).map(|column| column.name).collect()
    };
    let known = of(&[ColumnRole::Indexed]);
    if known.is_empty() {
        return None;
    }
    let sql = "SELECT group_concat(sql) AS sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?";
    let made: String = plans.connection.query_row(sql, [R::TABLE], |row| row.get("sql")).unwrap();
    let words: BTreeSet<&str> = made.split(|sign: char| !(sign.is_alphanumeric() || sign == '_')).collect();
    let mutable = of(&[ColumnRole::Mutable, ColumnRole::Indexed]);
    assert_eq!(known, mutable.intersection(&words).copied().collect(), "{made}");
    Some(R::TABLE)
}

#[test]
fn a_selector_is_served_by_an_index() {
    let (plans, lookups) = (QueryPlans::new(), lookup_statements());
    assert!(lookups.len() >= 20, "{lookups:#?}");
    for text in &lookups {
        plans.assert_unsorted(text);
    }
}

#[test]
fn seat_rows_are_found_by_an_index_in_picking_order() {
    let (plans, lookups) = (QueryPlans::new(), lookup_statements());
    for (order, index) in
        [("ORDER BY rank", "seat_row_inventories_best"), ("ORDER BY longest", "seat_row_inventories_longest_run")]
    {
        let text = lookups.iter().find(|text| text.contains(order)).unwrap();
        let steps = plans.plan(text);
        assert!(steps[0].contains(index), "{text}\n{steps:#?}");
    }
}

#[test]
fn a_list_uses_an_index() {
    let plans = QueryPlans::new();
    for case in cases() {
        let (text, steps) = (&case.statement.text, plans.plan(&case.statement.text));
        match case.access_path {
            AccessPath::SortedIndex => plans.assert_uses_index(text),
            AccessPath::OrderedIndex => plans.assert_unsorted(text),
            AccessPath::WholeIndex => plans.assert_reads_partial_index(text, case.indexes[0]),
            // The newest rows come first in the table itself.
            AccessPath::OrderedFilter => {
                assert!(steps[0].starts_with("SCAN") && !steps[0].contains("USING"), "{text}\n{steps:#?}");
            }
        }
        for index in &case.indexes {
            assert!(steps.iter().any(|step| step.contains(index)), "{index} is not used: {text}\n{steps:#?}");
        }
    }
}

#[test]
fn a_list_that_reads_a_table_row_by_row_is_noticed() {
    let plans = QueryPlans::new();
    for slow in ["SELECT id FROM orders WHERE value = $1", "SELECT id FROM orders ORDER BY value"] {
        assert!(catch_unwind(AssertUnwindSafe(|| plans.assert_uses_index(slow))).is_err(), "it is not noticed: {slow}");
    }
    let index = "attachments_to_discard";
    for slow in [
        "SELECT id FROM attachments WHERE (removed = 1) AND (bytes_discarded = 0) AND (length = 1) ORDER BY id",
        "SELECT id FROM attachments WHERE (removed = 1) AND (bytes_discarded = 0) ORDER BY length",
        "SELECT id FROM attachments WHERE (removed = 1) ORDER BY id",
    ] {
        let check = AssertUnwindSafe(|| plans.assert_reads_partial_index(slow, index));
        assert!(catch_unwind(check).is_err(), "it is not noticed: {slow}");
    }
}

#[test]
fn sellable_events_come_in_list_order() {
    let on_sale = SellableEventsFilter::on_sale(vec![Id::root(1); 3], Timestamp::from_ms(0));
    for filter in [on_sale.clone(), SellableEventsFilter { before: Some(Id::root(9)), ..on_sale }] {
        QueryPlans::new().assert_unsorted(&select_statement(&filter, PageWindow::first(100)).text);
    }
}

#[test]
fn seats_are_found_by_row_and_number() {
    let condition = "event = ?1 AND sector = ?2 AND row_order = ?3 AND seat_number BETWEEN ?4 AND ?5";
    let steps = QueryPlans::new().plan(&format!("SELECT id FROM tickets WHERE {condition}"));
    assert!(steps[0].contains("tickets_seat (event=? AND sector=? AND row_order=? AND seat_number>? AND"), "{steps:?}");
}
