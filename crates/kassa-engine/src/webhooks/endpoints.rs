//! What partners ask of their endpoints.

use std::collections::BTreeSet;

use kassa_domain::change::FeedCursor;
use kassa_domain::partner::PartnerId;
use kassa_domain::webhook::{
    CreateWebhook, DELIVERIES_WAITING_MAX, RecordWebhookTest, ReplayWebhook, RotateWebhookSecret, UpdateWebhook,
    Webhook, WebhookId, WebhookMessage, WebhookPatch, WebhookResult,
};
use kassa_domain::{ReadSet, Refusal, Timestamp};
use kassa_store::PageWindow;
use kassa_store::queries::{HeldDeliveries, ParkedDeliveries};

use super::post::WebhookSettings;
use super::session::{self, HELD_MAX};
use super::signature::{SECRET_BYTES, WebhookSecret};
use crate::caller::CallerRef;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::feed::{FeedChange, FeedError};

/// A new endpoint.
#[derive(Clone, Debug)]
pub struct NewWebhook {
    /// Whose.
    pub partner: PartnerId,
    /// Where changes are posted to: checked before.
    pub url: String,
    /// What it shall be.
    pub patch: WebhookPatch,
}

/// What is to be sent once more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReplayOrder {
    /// All from this cursor on.
    pub after: Option<FeedCursor>,
    /// The changes at these cursors.
    pub changes: Vec<FeedCursor>,
    /// What was given up since.
    pub parked_since: Option<Timestamp>,
}

impl Engine {
    /// Makes an endpoint, and shows it with its secret. It gets what changes from now on.
    pub async fn create_webhook<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        new: NewWebhook,
        render: impl Fn(&Webhook, &WebhookSecret) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let secret = self.new_webhook_secret();
        let NewWebhook { partner, url, patch } = new;
        let feed_end = self.feed_bounds().await?.end;
        let encrypted_secret = self.seal_webhook_secret(&secret)?;
        let command = CreateWebhook { partner, url, patch, encrypted_secret, feed_end };
        let answer = self.execute(by, command, move |_, webhook| render(webhook, &secret)).await?;
        self.inner.shared.signals.webhooks.notify_one();
        Ok(answer)
    }

    /// Replaces the secret of an endpoint, and shows it with the new one.
    pub async fn rotate_webhook_secret<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        partner: PartnerId,
        webhook: WebhookId,
        render: impl Fn(&Webhook, &WebhookSecret) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let secret = self.new_webhook_secret();
        let encrypted_secret = self.seal_webhook_secret(&secret)?;
        let command = RotateWebhookSecret { partner, webhook, encrypted_secret };
        let answer = self.execute(by, command, move |_, webhook| render(webhook, &secret)).await?;
        self.inner.shared.signals.webhooks.notify_one();
        Ok(answer)
    }

    /// Edits, enables, disables or removes an endpoint.
    pub async fn update_webhook<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        command: UpdateWebhook,
        render: impl Fn(&Webhook) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let answer = self.execute(by, command, move |_, webhook| render(webhook)).await?;
        self.inner.shared.signals.webhooks.notify_one();
        Ok(answer)
    }

    fn new_webhook_secret(&self) -> WebhookSecret {
        WebhookSecret::new(self.random_bytes::<SECRET_BYTES>().to_vec())
    }

    /// Has changes sent to an endpoint once more. What the partner does not see is unknown.
    pub async fn replay_webhook<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        partner: PartnerId,
        webhook: WebhookId,
        order: ReplayOrder,
        render: impl Fn(&Webhook) -> R + Send + 'static,
    ) -> Result<R, FeedError> {
        let ReplayOrder { after, changes, parked_since } = order;
        let oldest = self.feed_bounds().await?.oldest;
        if after.iter().chain(&changes).any(|cursor| *cursor < oldest) {
            return Err(FeedError::Gone(oldest));
        }
        let read_set = ReadSet { webhooks: vec![webhook], ..ReadSet::default() };
        let found = self.view(&read_set).await?;
        let Some(known) = found.webhooks.get(webhook) else {
            return Err(Failure::Refused(Refusal::NotFound("webhook")).into());
        };
        let changes = self.changes_seen_at(partner, changes).await?;
        let (selected, unselected): (Vec<_>, Vec<_>) =
            changes.iter().partition(|found| session::wants(known, found.change()));
        let [mut messages, unselected] =
            [selected, unselected].map(|found| found.into_iter().map(session::message_of).collect::<Vec<_>>());
        if let Some(since) = parked_since {
            messages.extend(self.parked_messages(webhook, since).await?);
        }
        self.check_room_for(known, messages.iter().chain(&unselected)).await?;
        let command = ReplayWebhook { partner, webhook, after, messages, unselected };
        let answer = self.execute(by, command, move |_, webhook| render(webhook)).await?;
        self.inner.shared.signals.webhooks.notify_one();
        Ok(answer)
    }

    /// Refuses more messages than a session knows ([`HELD_MAX`]).
    async fn check_room_for(
        &self,
        webhook: &Webhook,
        messages: impl Iterator<Item = &WebhookMessage>,
    ) -> Result<(), Failure> {
        let mut waiting: BTreeSet<FeedCursor> = messages.map(|message| message.position).collect();
        if waiting.is_empty() {
            return Ok(());
        }
        let held = self.page(HeldDeliveries { webhook: webhook.id }, PageWindow::first(HELD_MAX)).await?.rows;
        waiting.extend(held.iter().map(|delivery| delivery.message.position));
        if waiting.len() > HELD_MAX as usize {
            let what = "messages that wait for one webhook";
            return Err(Failure::Refused(Refusal::TooMany { what, max: HELD_MAX }));
        }
        Ok(())
    }

    /// The changes at these cursors, which a partner must see.
    async fn changes_seen_at(
        &self,
        partner: PartnerId,
        positions: Vec<FeedCursor>,
    ) -> Result<Vec<FeedChange>, Failure> {
        let positions = BTreeSet::from_iter(positions);
        let audience = self.feed_audience(&[partner]).await?;
        let found = self.changes_at(&audience, &positions).await?;
        if found.len() < positions.len() {
            return Err(Failure::Refused(Refusal::NotFound("change")));
        }
        Ok(found)
    }

    async fn parked_messages(&self, webhook: WebhookId, since: Timestamp) -> Result<Vec<WebhookMessage>, Failure> {
        let filter = ParkedDeliveries { webhook, since };
        let parked = self.page(filter, PageWindow::first(DELIVERIES_WAITING_MAX)).await?.rows;
        Ok(parked.into_iter().map(|delivery| delivery.message).collect())
    }

    /// Sends a test to an endpoint, and shows what came of it, and how many milliseconds it took.
    pub async fn test_webhook<R: Send + 'static>(
        &self,
        by: impl Into<CallerRef<'_>>,
        settings: &WebhookSettings,
        webhook: Webhook,
        render: impl Fn(&WebhookResult, u32) -> R + Send + 'static,
    ) -> Result<R, Failure> {
        let written = settings.writer.write_test(&webhook, self.now())?;
        let posted = self.post_message(&settings.outgoing, &webhook, written).await?;
        let command = RecordWebhookTest {
            partner: webhook.partner,
            webhook: webhook.id,
            attempts_before: webhook.attempts,
            sent_at: posted.sent_at,
            duration_ms: posted.duration_ms,
            result: posted.result.clone(),
        };
        let answer = self.execute(by, command, move |_, _| render(&posted.result, posted.duration_ms)).await?;
        self.inner.shared.signals.webhooks.notify_one();
        Ok(answer)
    }
}
