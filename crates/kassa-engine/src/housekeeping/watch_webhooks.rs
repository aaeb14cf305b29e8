//! Endpoints of webhooks that fail: their partners are told, and in the end they are disabled. Secrets that sign no more
//! are forgotten, and what removed endpoints have left.

use std::time::Duration;

use kassa_domain::partner::PartnerId;
use kassa_domain::user::Email;
use kassa_domain::webhook::{DisableWebhook, PurgeWebhookDeliveries, WatchWebhook, Webhook};
use kassa_domain::{Actor, ReadSet};
use kassa_store::PageWindow;
use kassa_store::queries::{DeliveriesOfWebhook, WatchedWebhooks};

use super::periodic_job::{DUE_ROWS_MAX, PeriodicJob};
use crate::engine::Engine;
use crate::failure::Failure;

/// People of a partner that are told at most.
const RECIPIENTS_MAX: usize = 10;

pub(super) struct WatchWebhooks;

impl PeriodicJob for WatchWebhooks {
    const NAME: &'static str = "watch_webhooks";
    const INTERVAL: Duration = Duration::from_secs(15);
    const HAS_JITTER: bool = true;

    async fn round(&self, engine: &Engine) -> Result<u64, Failure> {
        engine.watch_webhooks().await
    }
}

impl Engine {
    /// Does for endpoints what is due now, apart from sending, and returns of how many.
    pub async fn watch_webhooks(&self) -> Result<u64, Failure> {
        let mut done = 0;
        loop {
            let due = self.page(WatchedWebhooks { now: self.now() }, PageWindow::first(DUE_ROWS_MAX)).await?.rows;
            let mut progress = 0;
            for webhook in &due {
                progress += u64::from(self.watch_webhook(webhook).await?);
            }
            done += progress;
            if progress == 0 || due.len() < DUE_ROWS_MAX as usize {
                return Ok(done);
            }
        }
    }

    async fn watch_webhook(&self, webhook: &Webhook) -> Result<bool, Failure> {
        if webhook.removed {
            return self.clear_webhook(webhook).await;
        }
        let (recipients, id) = (self.webhook_recipients(webhook.partner).await?, webhook.id);
        let disable = DisableWebhook { webhook: id, recipients: recipients.clone() };
        let is_disabled = self.execute(&Actor::System, disable, |_, is_done| *is_done).await?;
        let watch = WatchWebhook { webhook: id, recipients };
        let is_watched = self.execute(&Actor::System, watch, |_, is_done| *is_done).await?;
        if is_disabled {
            self.inner.shared.signals.webhooks.notify_one();
        }
        Ok(is_disabled || is_watched)
    }

    /// Forgets what is held back for an endpoint that was removed.
    async fn clear_webhook(&self, webhook: &Webhook) -> Result<bool, Failure> {
        let filter = DeliveriesOfWebhook { webhook: webhook.id };
        let held = self.page(filter, PageWindow::first(DUE_ROWS_MAX)).await?.rows;
        let is_all = held.len() < DUE_ROWS_MAX as usize;
        let positions = held.into_iter().map(|delivery| delivery.message.position).collect();
        let command = PurgeWebhookDeliveries { webhook: webhook.id, positions, is_all };
        self.execute(&Actor::System, command, |_, _| ()).await?;
        Ok(true)
    }

    /// Who manages a partner, as far as the addresses are known to be theirs.
    async fn webhook_recipients(&self, partner: PartnerId) -> Result<Vec<Email>, Failure> {
        let view = self.view(&ReadSet { managers_of: vec![partner], ..ReadSet::default() }).await?;
        let users = view.managers_of(partner);
        let view = self.view(&ReadSet { users, ..ReadSet::default() }).await?;
        let confirmed = view.users.rows().filter(|user| user.is_email_confirmed() && user.suspension.is_none());
        let mut emails: Vec<Email> = confirmed.map(|user| user.email.clone()).collect();
        emails.sort_unstable();
        emails.truncate(RECIPIENTS_MAX);
        Ok(emails)
    }
}
