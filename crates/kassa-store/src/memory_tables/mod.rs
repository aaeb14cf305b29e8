//! The tables of the memory driver, and what it asks of rows.

mod table;

pub use table::{RowConstraints, TableStorage};

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
