//! Whole tables, for those who compare one database with another.

use std::cmp::Ordering;
use std::marker::PhantomData;

use kassa_store::Filter;
use kassa_store::memory_tables::{FilterInMemory, MemoryTables};
use kassa_store::queries::Conditions;
use kassa_store::rows::MappedRow;

/// All rows of a table, by key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AllRows<R>(PhantomData<fn() -> R>);

impl<R> Default for AllRows<R> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<R: MappedRow> Filter for AllRows<R> {
    type Row = R;
    // The first columns are the key.
    const ORDER: &'static str = "1, 2";

    fn conditions(&self, _: &mut Conditions) {}
}

impl<R: MappedRow> FilterInMemory<R> for AllRows<R> {
    fn matches(&self, _: &R, _: &MemoryTables) -> bool {
        true
    }

    fn compare(&self, one: &R, other: &R) -> Ordering {
        one.key().cmp(&other.key())
    }
}
