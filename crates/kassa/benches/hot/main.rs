//! What an on-sale does most, in small: `cargo bench` measures it, and the tests run each once.
#![expect(clippy::unwrap_used, reason = "a benchmark stops where something is missing")]

mod decide;
mod fields_schema;
mod pricing;
mod shop;
mod sqlite;

use criterion::Criterion;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    decide::bench(&mut criterion);
    pricing::bench(&mut criterion);
    fields_schema::bench(&mut criterion);
    sqlite::bench(&mut criterion);
    criterion.final_summary();
}
