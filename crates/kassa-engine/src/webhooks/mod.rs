//! Webhooks: changes that are posted to the servers of those who may see them.
//!
//! Floors: `share` says which endpoints are a server's own; `signature` signs; `post` signs and sends one message; `plan`
//! says which is next for an endpoint; `session` sends to one endpoint while this server has the claim; `sender` looks
//! after all of them. `endpoints` is what partners ask for.

mod endpoints;
mod parts;
mod plan;
mod post;
#[cfg(feature = "test-support")]
mod round;
mod sender;
mod session;
mod share;
mod signature;

pub use endpoints::{NewWebhook, ReplayOrder};
pub(crate) use parts::SenderParts;
pub use post::{MessageWriter, WebhookSettings, WrittenMessage};
pub(crate) use sender::WebhookSender;
pub use signature::WebhookSecret;
