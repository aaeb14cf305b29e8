//! Stripe: its interface, as far as it is used here. What follows from its answers for payments is decided above.
//!
//! The customer pays on a page of Stripe (a Checkout Session), so no number of a card comes to this server.

mod amounts;
mod answers;
mod api;
mod signature;

pub use amounts::{AmountFault, from_stripe, to_stripe};
pub use answers::{CheckoutSession, CheckoutState, Refund, RefundStatus};
pub use api::{NewCheckout, NewRefund, StripeApi, StripeClient, StripeFault, StripeSetupError};
pub use signature::{NoticeFault, verify_notice};
