//! Commands on payments of orders.
//!
//! Money that has come in buys the tickets of its order, or goes back: whatever an order cannot use is marked as to be
//! returned in the same decision that has noticed it.

mod begin;
mod checkout;
mod give_back;
mod poll;
mod sale_rows;
mod settle;

pub use begin::{BeginPayment, BegunPayment};
pub use checkout::RecordCheckout;
pub(crate) use give_back::give_back_refund;
pub use give_back::{PaymentReturn, RecordPaymentReturn};
pub use poll::{ClaimPaymentPoll, HurryPaymentPoll};
pub use sale_rows::SaleRows;
pub use settle::{PaymentNews, SettlePayment};
