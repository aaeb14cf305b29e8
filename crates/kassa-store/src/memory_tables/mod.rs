//! The tables of the memory driver, and what it asks of rows and of filters.

mod constraints;
mod table;

pub use constraints::RowConstraints;
pub use table::TableStorage;

use std::cmp::Ordering;

use kassa_domain::every_table;

macro_rules! define_tables {
    ($($field:ident: $row:ty,)*) => {
        /// Every table.
        #[derive(Default)]
        pub struct MemoryTables {
            $(
                #[doc = concat!("The `", stringify!($field), "`.")]
                pub $field: TableStorage<$row>,
            )*
        }

        $(impl RowInMemory for $row {
            fn table_in(tables: &MemoryTables) -> &TableStorage<Self> {
                &tables.$field
            }
        })*
    };
}
every_table!(define_tables);

/// A row that has a table in memory.
pub trait RowInMemory: RowConstraints {
    /// Its table.
    fn table_in(tables: &MemoryTables) -> &TableStorage<Self>;
}

/// A filter of rows as conditions on each of them: the same as its SQL.
pub trait FilterInMemory<R> {
    /// Whether a row passes.
    fn matches(&self, row: &R, tables: &MemoryTables) -> bool;

    /// The order of the list.
    fn compare(&self, one: &R, other: &R) -> Ordering;
}
