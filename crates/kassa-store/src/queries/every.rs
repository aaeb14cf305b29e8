//! Whole tables, for those who hold one database against another.

use std::cmp::Ordering;
use std::marker::PhantomData;

use super::{Conditions, Filter};
use crate::memory::{MemoryTable, MemoryTables};

/// All rows of a table, by key.
#[derive(Clone, Copy, Debug)]
pub struct Every<R>(PhantomData<fn() -> R>);

impl<R> Default for Every<R> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<R: MemoryTable> Filter for Every<R> {
    type Row = R;
    // The first columns are the key.
    const ORDER: &'static str = "1, 2";

    fn conditions(&self, _: &mut Conditions) {}

    fn matches(&self, _: &R, _: &MemoryTables) -> bool {
        true
    }

    fn compare(&self, one: &R, other: &R) -> Ordering {
        one.key().cmp(&other.key())
    }
}
