//! What the memory driver asks of rows besides; nothing where it is not built.

#[cfg(feature = "test-drivers")]
pub use crate::memory_tables::RowInMemory;

#[cfg(not(feature = "test-drivers"))]
pub use nothing::AnyRow as RowInMemory;

#[cfg(not(feature = "test-drivers"))]
mod nothing {
    /// Every row.
    pub trait AnyRow {}
    impl<R> AnyRow for R {}
}
