//! One round of deliveries, run to its end: for tests, whose clock does not move meanwhile. A server sends mails
//! continuously; see [`crate::housekeeping`].

use kassa_domain::mail::MailDisposition;

use super::{AttemptResult, DeliveryAttempts, MailSettings};
use crate::engine::Engine;
use crate::failure::Failure;

/// The results of a round of delivery attempts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeliveryReport {
    /// Mails that were sent, or had become pointless.
    pub done: u32,
    /// Mails that wait for another attempt.
    pub postponed: u32,
    /// Mails that were given up.
    pub given_up: u32,
    /// Why the last one that was not sent was not.
    pub error: Option<String>,
}

impl Engine {
    /// Attempts all mails that are due now. An error that keeps one from being claimed or settled does not
    /// keep those that are under way.
    pub async fn send_due_mails(&self, settings: &MailSettings) -> Result<DeliveryReport, Failure> {
        let mut attempts = DeliveryAttempts::new(self.clone(), settings.clone());
        let (mut round, mut failed) = (DeliveryReport::default(), None);
        loop {
            let due = attempts.start_due().await.unwrap_or_else(|failure| {
                failed = Some(failure);
                0
            });
            match attempts.next_finished().await {
                Some(Ok(ended)) => round.count(ended),
                Some(Err(failure)) => failed = Some(failure),
                None if due > 0 => {}
                None => return failed.map_or(Ok(round), Err),
            }
        }
    }
}

impl DeliveryReport {
    fn count(&mut self, tried: AttemptResult) {
        match tried.settled {
            MailDisposition::Removed => self.done += 1,
            MailDisposition::Pending => self.postponed += 1,
            MailDisposition::GivenUp => self.given_up += 1,
        }
        if tried.error.is_some() {
            self.error = tried.error;
        }
    }
}
