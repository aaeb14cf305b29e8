//! Delivery of mails, a few at a time. It has no rounds: when one is delivered, the next is started.

use std::time::Duration;

use kassa_domain::mail::MailDisposition;
use tokio::sync::watch;

use super::failure_log::FailureLog;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::mail::{AttemptResult, DeliveryAttempts, MailSettings};

/// How often due mails are looked for when no batch has signalled one.
const POLL_INTERVAL: Duration = Duration::from_secs(5);
/// How long a stop waits for mails that are being handed over.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);

/// Sends mails until `stopped` changes.
pub(super) async fn send_mails(engine: Engine, settings: MailSettings, mut stopped: watch::Receiver<bool>) {
    let mut attempts = DeliveryAttempts::new(engine.clone(), settings);
    let (mut failures, mut deliveries) = (FailureLog::new("send_mails"), DeliveryLog { is_failing: false });
    loop {
        let due = failures.record(attempts.start_due().await).unwrap_or(0);
        if due > 0 && attempts.is_empty() {
            // Other servers have claimed them, and there may be more.
            continue;
        }
        let more_due = async {
            tokio::select! {
                () = engine.inner.shared.signals.mails.notified() => {}
                () = tokio::time::sleep(POLL_INTERVAL) => {}
            }
        };
        tokio::select! {
            Some(finished) = attempts.next_finished() => deliveries.record(finished),
            () = more_due, if attempts.has_capacity() => {}
            _ = stopped.changed() => break,
        }
    }
    // A mail that was handed over and not recorded would be sent again.
    let drained = async { while attempts.next_finished().await.is_some() {} };
    if tokio::time::timeout(DRAIN_TIMEOUT, drained).await.is_err() {
        tracing::warn!("shutting down with mails in flight; they will be sent again after the next start");
    }
}

/// Logs when deliveries begin to fail, and when they succeed again.
struct DeliveryLog {
    is_failing: bool,
}

impl DeliveryLog {
    fn record(&mut self, finished: Result<AttemptResult, Failure>) {
        match finished {
            Ok(AttemptResult { error: None, .. }) => {
                if self.is_failing {
                    tracing::info!("mail delivery recovered");
                }
                self.is_failing = false;
            }
            Ok(AttemptResult { error: Some(error), settled }) => {
                if !self.is_failing {
                    let will_retry = settled == MailDisposition::Pending;
                    tracing::warn!(error, will_retry, "a mail could not be sent");
                }
                self.is_failing = true;
            }
            Err(failure) => {
                tracing::warn!(%failure, "the result of a delivery could not be stored; the mail will be sent again");
            }
        }
    }
}
