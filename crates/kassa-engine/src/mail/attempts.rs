//! Delivery attempts: a few at the same time, so that one slow mail server does not hold up the others.

use std::sync::Arc;

use kassa_domain::Actor;
use kassa_domain::mail::{ClaimMail, DeliveryResult, Mail, MailDisposition, RecordDelivery};
use kassa_store::PageWindow;
use kassa_store::queries::DueMails;
use tokio::task::JoinSet;

use super::MailSettings;
use crate::engine::Engine;
use crate::failure::Failure;

/// Mails that are under way at the same time.
const CONCURRENT_MAX: usize = 4;

/// The delivery attempts of one server. They are given up when this is dropped.
pub(crate) struct DeliveryAttempts {
    engine: Engine,
    settings: Arc<MailSettings>,
    in_flight: JoinSet<Result<AttemptResult, Failure>>,
}

/// The result of one attempt.
pub(crate) struct AttemptResult {
    pub(crate) settled: MailDisposition,
    /// Why the mail was not sent, if it was not.
    pub(crate) error: Option<String>,
}

impl DeliveryAttempts {
    pub(crate) fn new(engine: Engine, settings: MailSettings) -> Self {
        Self { engine, settings: Arc::new(settings), in_flight: JoinSet::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.in_flight.is_empty()
    }

    pub(crate) fn has_capacity(&self) -> bool {
        self.in_flight.len() < CONCURRENT_MAX
    }

    /// Claims mails that are due, as far as there is room, and begins to send them. Returns how many were
    /// due: other servers may have claimed some of them.
    pub(crate) async fn start_due(&mut self) -> Result<usize, Failure> {
        let room = u32::try_from(CONCURRENT_MAX - self.in_flight.len()).unwrap_or(0);
        if room == 0 {
            return Ok(0);
        }
        let due = self.engine.page(DueMails { now: self.engine.now() }, PageWindow::first(room)).await?;
        for mail in &due.rows {
            let command = ClaimMail { mail: mail.id };
            let claim = self.engine.execute(&Actor::System, command, |_, mail: &Option<Mail>| mail.clone());
            if let Some(mail) = claim.await? {
                self.in_flight.spawn(attempt(self.engine.clone(), Arc::clone(&self.settings), mail));
            }
        }
        Ok(due.rows.len())
    }

    /// The next attempt that ends; `None` if none is under way.
    pub(crate) async fn next_finished(&mut self) -> Option<Result<AttemptResult, Failure>> {
        let ended = self.in_flight.join_next().await?;
        Some(ended.unwrap_or_else(|error| Err(Failure::internal(&error.to_string()))))
    }
}

/// Sends a claimed mail, and records the result.
async fn attempt(engine: Engine, settings: Arc<MailSettings>, mail: Mail) -> Result<AttemptResult, Failure> {
    // A mail that could not be rendered counts as one that could not be sent: it is retried, and given up in time.
    let delivery = engine.deliver(&settings, &mail).await;
    let delivery =
        delivery.unwrap_or_else(|failure| DeliveryResult::Failed { error: failure.to_string(), is_permanent: false });
    let error = match &delivery {
        DeliveryResult::Done => None,
        DeliveryResult::Failed { error, .. } => Some(error.clone()),
    };
    let command = RecordDelivery { mail: mail.id, attempt: mail.attempts, result: delivery };
    let settled = engine.execute(&Actor::System, command, |_, settled| *settled).await?;
    let (id, kind, attempts) = (mail.id, mail.content.name(), mail.attempts);
    if settled == MailDisposition::GivenUp {
        tracing::error!(%id, kind, attempts, error, "a mail was given up after its last attempt");
    } else {
        tracing::debug!(%id, kind, attempts, error, "delivery attempted");
    }
    Ok(AttemptResult { settled, error })
}
