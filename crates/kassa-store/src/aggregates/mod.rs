//! What is summed up over several rows: as SQL, and the same of rows in memory.

mod customer_totals;
mod event_recount;
mod sales;
mod usage_recount;

pub use customer_totals::{CustomerTotals, CustomerTotalsByUserQuery, CustomerTotalsQuery, CustomerTotalsScope};
#[cfg(feature = "test-drivers")]
pub(crate) use event_recount::recount_in_memory;
pub(crate) use event_recount::recount_queries;
pub use sales::{GroupedSales, SalesGroup, SalesQuery, SalesSide};
pub(crate) use usage_recount::UsageRecountQuery;
