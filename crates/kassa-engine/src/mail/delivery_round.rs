//! One round of deliveries, run to its end: for tests, whose clock does not move meanwhile. A server sends mails
//! continuously; see [`crate::housekeeping`].

use kassa_domain::mail::MailDisposition;

use super::{AttemptResult, DeliveryAttempts, MailSettings};
use crate::{Engine, Failure};

/// What came of a round of tries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeliveryReport {
    /// Mails that were sent, or had nothing left to tell.
    pub done: u32,
    /// Mails that wait for another try.
    pub postponed: u32,
    /// Mails that were given up.
    pub given_up: u32,
    /// Why the last one that was not sent was not.
    pub error: Option<String>,
}

impl Engine {
    /// Tries all mails that are due now. An error that keeps one from being claimed or settled does not
    /// keep those that are under way.
    pub async fn send_due_mails(&self, post: &MailSettings) -> Result<DeliveryReport, Failure> {
        let mut tries = DeliveryAttempts::new(self.clone(), post.clone());
        let (mut round, mut failed) = (DeliveryReport::default(), None);
        loop {
            let looked_at = tries.start_due().await.unwrap_or_else(|failure| {
                failed = Some(failure);
                0
            });
            match tries.next_finished().await {
                Some(Ok(ended)) => round.count(ended),
                Some(Err(failure)) => failed = Some(failure),
                None if looked_at > 0 => {}
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
