//! What a change is about: a row by its key, or as the caller has just read it.

use std::sync::Arc;

use kassa_domain::order::{Order, OrderId};
use kassa_domain::refund::{RefundId, RefundRequest};
use kassa_domain::view::Row;

/// A row that was read already, or its key.
#[derive(Clone, Debug)]
pub enum KeyOrRow<R: Row> {
    /// It has to be looked up.
    Key(R::Key),
    /// It was.
    Row(Arc<R>),
}

macro_rules! key_or_row {
    ($($key:ty => $row:ty,)*) => {$(
        impl From<$key> for KeyOrRow<$row> {
            fn from(key: $key) -> Self {
                Self::Key(key)
            }
        }

        impl From<$row> for KeyOrRow<$row> {
            fn from(row: $row) -> Self {
                Self::Row(Arc::new(row))
            }
        }

        impl From<Arc<$row>> for KeyOrRow<$row> {
            fn from(row: Arc<$row>) -> Self {
                Self::Row(row)
            }
        }
    )*};
}
key_or_row! {
    OrderId => Order,
    RefundId => RefundRequest,
}
