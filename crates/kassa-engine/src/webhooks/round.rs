//! Sending of all that is due now, run to its end: for tests, whose clock does not move meanwhile. A server sends
//! continuously; see [`crate::housekeeping`].

use super::parts::{Patience, SenderParts};
use super::post::WebhookSettings;
use super::sender::WebhookSender;
use crate::engine::Engine;
use crate::failure::Failure;

impl Engine {
    /// Sends everything to endpoints that is due now, unless somebody else does.
    pub async fn send_due_webhooks(&self, settings: &WebhookSettings) -> Result<(), Failure> {
        let mut parts = SenderParts::new(self.clone(), settings);
        parts.patience = Patience::NONE;
        let mut sender = WebhookSender::new(parts);
        sender.refresh().await?;
        loop {
            sender.start_due();
            if sender.is_idle() {
                return Ok(());
            }
            sender.next_ended().await?;
        }
    }
}
