//! Commands on refund requests.

mod cancellation;
mod create;
mod facts;
mod policy;
mod request;
mod update;

pub use cancellation::RefundCanceledEvent;
pub(crate) use cancellation::schedule_refunds;
pub use create::{CreateRefundRequest, RefundTickets};
pub use update::{RefundTransition, UpdateRefundRequest};
