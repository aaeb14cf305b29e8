//! What the memory driver asks of rows and of filters besides; nothing where it is not built.

#[cfg(feature = "test-drivers")]
pub use crate::memory_tables::{FilterInMemory, RowInMemory};

#[cfg(not(feature = "test-drivers"))]
pub use nothing::{AnyFilter as FilterInMemory, AnyRow as RowInMemory};

#[cfg(not(feature = "test-drivers"))]
mod nothing {
    /// Every row.
    pub trait AnyRow {}
    impl<R> AnyRow for R {}

    /// Every filter of any rows.
    pub trait AnyFilter<R> {}
    impl<R, F> AnyFilter<R> for F {}
}
