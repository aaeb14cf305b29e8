//! SQLite itself is asked how it would run each statement.

use std::panic::{AssertUnwindSafe, catch_unwind};

use kassa_domain::bench::Bench;
use kassa_domain::{Id, Timestamp, every_table};
use kassa_store::Slice;
use kassa_store::queries::{SellableFilter, select};
use kassa_store::rows::{Mapped, Part};
use kassa_store::sqlite::Sqlite;
use rusqlite::Connection;

use crate::cases::{Way, cases};

/// A new database, opened beside the driver.
struct Plans {
    connection: Connection,
    _folder: tempfile::TempDir,
}

impl Plans {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kassa.db");
        Sqlite::open(&path, false).unwrap();
        Self { connection: Connection::open(&path).unwrap(), _folder: folder }
    }

    /// How a statement is run, step by step.
    fn of(&self, text: &str) -> Vec<String> {
        let text = format!("EXPLAIN QUERY PLAN {}", text.replace('$', "?"));
        let mut statement = self.connection.prepare(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut rows = statement.raw_query();
        let mut steps = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            steps.push(row.get("detail").unwrap());
        }
        steps
    }

    fn uses_an_index(&self, text: &str) {
        let steps = self.of(text);
        assert!(steps.iter().any(|step| step.starts_with("SEARCH")), "{text}\n{steps:#?}");
        // The rows of a VALUES list are scanned, but they are the statement's own, and so are those of a walk.
        let own = |step: &String| step.ends_with("VALUES CLAUSE") || step.starts_with("SCAN walk");
        let scans = |step: &String| step.starts_with("SCAN") && !own(step);
        assert!(!steps.iter().any(scans), "{text}\n{steps:#?}");
    }

    /// As [`Plans::uses_an_index`]; the rows also come out of it in order. The rows of a walk, which are no more
    /// than a page ends with, may be sorted.
    fn needs_no_sorting(&self, text: &str) {
        self.uses_an_index(text);
        let steps = self.of(text);
        let sorted = steps.windows(2).find(|pair| pair[1].contains("TEMP B-TREE") && !pair[0].starts_with("SCAN walk"));
        assert_eq!(sorted, None, "{text}\n{steps:#?}");
    }
}

fn columns<R: Mapped>() -> String {
    R::COLUMNS.iter().map(|column| column.name).chain(["version"]).collect::<Vec<_>>().join(", ")
}

#[test]
fn a_row_is_read_and_written_by_its_key() {
    let plans = Plans::new();
    macro_rules! check {
        ($($field:ident: $row:ty,)*) => { $(by_key::<$row>(&plans);)* };
    }
    every_table!(check);
}

fn by_key<R: Mapped>(plans: &Plans) {
    let keys = R::COLUMNS.iter().filter(|column| column.part == Part::Key);
    let keys: Vec<String> = keys.map(|column| format!("{} = ?", column.name)).collect();
    let (table, key, columns) = (R::TABLE, keys.join(" AND "), columns::<R>());
    plans.uses_an_index(&format!("SELECT {columns} FROM {table} WHERE {key}"));
    plans.uses_an_index(&format!("UPDATE {table} SET version = version + 1 WHERE {key} AND version = ?"));
    plans.uses_an_index(&format!("DELETE FROM {table} WHERE {key} AND version = ?"));
}

/// The conditions of the look-ups that are not by key, read where they are written.
fn lookups() -> Vec<(&'static str, &'static str)> {
    let source = include_str!("../../src/sqlite/load.rs");
    let parts = source.split("by::<").skip(1);
    parts.filter_map(|part| part.split_once(">(\"")).map(|(row, rest)| (row, rest.split('"').next().unwrap())).collect()
}

#[test]
fn a_selector_is_served_by_an_index() {
    let plans = Plans::new();
    let lookups = lookups();
    assert!(lookups.len() >= 9, "the look-ups of sqlite/load.rs have moved: {lookups:?}");
    for (row, condition) in lookups {
        let mut checked = false;
        macro_rules! check {
            ($($field:ident: $type:ty,)*) => {
                $(if std::any::type_name::<$type>().ends_with(&format!("::{row}")) {
                    let (table, columns) = (<$type>::TABLE, columns::<$type>());
                    plans.needs_no_sorting(&format!("SELECT {columns} FROM {table} WHERE {condition}"));
                    checked = true;
                })*
            };
        }
        every_table!(check);
        assert!(checked, "no table of {row}");
    }
    plans.uses_an_index("SELECT pick_cursor FROM sets WHERE id = ?1");
}

#[test]
fn benches_are_found_by_what_a_pick_looks_for() {
    let plans = Plans::new();
    let lookups = lookups();
    for (order, index) in [("ORDER BY rank", "benches_best"), ("ORDER BY longest", "benches_longest")] {
        let (_, condition) = lookups.iter().find(|(_, condition)| condition.contains(order)).unwrap();
        let steps = plans.of(&format!("SELECT {} FROM benches WHERE {condition}", columns::<Bench>()));
        assert!(steps[0].contains(index), "{condition}\n{steps:#?}");
    }
}

#[test]
fn a_list_uses_an_index() {
    let plans = Plans::new();
    for case in cases() {
        let (text, steps) = (&case.statement.text, plans.of(&case.statement.text));
        match case.way {
            Way::Found => plans.uses_an_index(text),
            Way::InOrder => plans.needs_no_sorting(text),
            // The newest rows come first in the table itself.
            Way::Whole => assert!(steps[0].starts_with("SCAN") && !steps[0].contains("USING"), "{text}\n{steps:#?}"),
        }
        for index in &case.through {
            assert!(steps.iter().any(|step| step.contains(index)), "{index} is not used: {text}\n{steps:#?}");
        }
    }
}

#[test]
fn a_list_that_reads_a_table_row_by_row_is_noticed() {
    let plans = Plans::new();
    for slow in ["SELECT id FROM orders WHERE value = $1", "SELECT id FROM orders ORDER BY value"] {
        assert!(catch_unwind(AssertUnwindSafe(|| plans.uses_an_index(slow))).is_err(), "it is not noticed: {slow}");
    }
}

#[test]
fn what_partners_may_sell_comes_in_order() {
    let on_sale = SellableFilter::on_sale(vec![Id::root(1); 3], Timestamp::from_ms(0));
    for filter in [on_sale.clone(), SellableFilter { before: Some(Id::root(9)), ..on_sale }] {
        Plans::new().needs_no_sorting(&select(&filter, Slice::first(100)).text);
    }
}

#[test]
fn chairs_are_found_by_their_place() {
    let condition = "event = ?1 AND sector = ?2 AND row_order = ?3 AND seat_number BETWEEN ?4 AND ?5";
    let steps = Plans::new().of(&format!("SELECT id FROM tickets WHERE {condition}"));
    assert!(steps[0].contains("tickets_seat (event=? AND sector=? AND row_order=? AND seat_number>? AND"), "{steps:?}");
}
