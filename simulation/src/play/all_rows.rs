//! Whole tables, for those who compare one database with another.

use std::marker::PhantomData;

use kassa_store::Filter;
use kassa_store::queries::{Conditions, SortKey};
use kassa_store::rows::MappedRow;

/// All rows of a table, by key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AllRows<R>(PhantomData<fn() -> R>);

impl<R> Default for AllRows<R> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<R: MappedRow> AllRows<R> {
    /// The first columns are the key, three at most.
    const BY_KEY: &'static [SortKey] = &[
        SortKey::Ascending(R::COLUMNS[0].name),
        SortKey::Ascending(R::COLUMNS[1].name),
        SortKey::Ascending(R::COLUMNS[if R::COLUMNS.len() > 2 { 2 } else { 1 }].name),
    ];
}

impl<R: MappedRow> Filter for AllRows<R> {
    type Row = R;

    fn order(&self) -> &'static [SortKey] {
        Self::BY_KEY
    }

    fn conditions(&self, _: &mut Conditions) {}
}
