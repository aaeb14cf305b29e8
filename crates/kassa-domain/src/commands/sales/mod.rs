//! Commands that keep sums and search terms behind orders. Nobody asks for them: a server does so on its own.

mod index_orders;
mod move_order_index;

pub use index_orders::IndexOrders;
pub use move_order_index::MoveOrderIndex;
