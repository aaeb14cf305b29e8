//! Attempts and messages that were kept long enough.

use super::SENDERS_WORK;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::webhook::{ATTEMPTS_KEPT_MS, Webhook, WebhookDelivery};
use crate::refusal::Refusal;
use crate::values::feed_cursor::FeedCursor;
use crate::values::id::ShardTag;
use crate::values::resource_ids::WebhookId;
use crate::view::{ReadSet, View};

/// Forgets these attempts of an endpoint, as far as they are old.
#[derive(Debug)]
pub struct PurgeWebhookAttempts {
    /// The endpoint.
    pub webhook: WebhookId,
    /// Their numbers.
    pub numbers: Vec<i64>,
}

impl Command for PurgeWebhookAttempts {
    /// How many were forgotten.
    type Outcome = u64;

    const SILENT: Option<&'static str> = Some(SENDERS_WORK);

    fn shard(&self) -> ShardTag {
        self.webhook.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.webhook_attempts.extend(self.numbers.iter().map(|number| (self.webhook, *number)));
    }

    fn weight(&self) -> u32 {
        u32::try_from(self.numbers.len()).unwrap_or(u32::MAX)
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<u64, Refusal> {
        let keys = self.numbers.iter().map(|number| (self.webhook, *number));
        let is_old = |key: &(WebhookId, i64)| {
            view.webhook_attempts.get(*key).is_some_and(|attempt| attempt.sent_at.plus_ms(ATTEMPTS_KEPT_MS) <= cx.now)
        };
        let old: Vec<_> = keys.filter(is_old).collect();
        for key in &old {
            view.webhook_attempts.remove(*key);
        }
        Ok(old.len() as u64)
    }
}

/// Forgets these messages of an endpoint, as far as they were parked long enough, or the endpoint was removed.
#[derive(Debug)]
pub struct PurgeWebhookDeliveries {
    /// The endpoint.
    pub webhook: WebhookId,
    /// Where they are in the feed.
    pub positions: Vec<FeedCursor>,
    /// Whether there are no others.
    pub is_all: bool,
}

impl Command for PurgeWebhookDeliveries {
    /// How many were forgotten.
    type Outcome = u64;

    const SILENT: Option<&'static str> = Some(SENDERS_WORK);

    fn shard(&self) -> ShardTag {
        self.webhook.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.webhooks.push(self.webhook);
        read_set.webhook_deliveries.extend(self.positions.iter().map(|position| (self.webhook, *position)));
    }

    fn weight(&self) -> u32 {
        u32::try_from(self.positions.len()).unwrap_or(u32::MAX)
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<u64, Refusal> {
        let is_removed = view.webhooks.get(self.webhook).is_none_or(|webhook| webhook.removed);
        let is_old = |delivery: &WebhookDelivery| {
            !delivery.is_waiting() && delivery.due_at.is_some_and(|due_at| due_at <= cx.now)
        };
        let keys = self.positions.iter().map(|position| (self.webhook, *position));
        let goes = |key: &(WebhookId, FeedCursor)| {
            view.webhook_deliveries.get(*key).is_some_and(|delivery| is_removed || is_old(delivery))
        };
        let going: Vec<_> = keys.filter(goes).collect();
        for key in &going {
            view.webhook_deliveries.remove(*key);
        }
        let removed = view.webhooks.get(self.webhook).filter(|webhook| webhook.removed && self.is_all);
        if let Some(webhook) = removed.cloned() {
            view.webhooks.put(Webhook { due_at: None, ..webhook });
        }
        Ok(going.len() as u64)
    }
}
