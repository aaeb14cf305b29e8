//! What the memory driver asks of rows and of filters besides; nothing where it is not built.

#[cfg(feature = "test-drivers")]
pub use crate::memory_tables::{FilterInMemory, RowInMemory};

#[cfg(not(feature = "test-drivers"))]
pub use nothing::{FilterInMemory, RowInMemory};

#[cfg(not(feature = "test-drivers"))]
mod nothing {
    /// Every row.
    pub trait RowInMemory {}
    impl<R> RowInMemory for R {}

    /// Every filter of any rows.
    pub trait FilterInMemory<R> {}
    impl<R, F> FilterInMemory<R> for F {}
}
