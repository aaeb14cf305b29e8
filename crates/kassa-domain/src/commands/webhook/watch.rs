//! What must be told of an endpoint that fails, and secrets that must go.

use super::SENDERS_WORK;
use crate::commands::mail::queue_webhook_notice;
use crate::context::Context;
use crate::context::command::Command;
use crate::refusal::Refusal;
use crate::values::email::Email;
use crate::values::id::ShardTag;
use crate::values::resource_ids::WebhookId;
use crate::view::{ReadSet, View};

/// Tells the partner of an endpoint that it fails, if it is time, and forgets a replaced secret that signs no more.
#[derive(Debug)]
pub struct WatchWebhook {
    /// Which.
    pub webhook: WebhookId,
    /// Who is told.
    pub recipients: Vec<Email>,
}

impl Command for WatchWebhook {
    /// Whether there was something to do.
    type Outcome = bool;

    const SILENT: Option<&'static str> = Some(SENDERS_WORK);

    fn shard(&self) -> ShardTag {
        self.webhook.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.webhooks.push(self.webhook);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<bool, Refusal> {
        let Some(mut webhook) = view.webhooks.get(self.webhook).cloned() else { return Ok(false) };
        let was = webhook.clone();
        if webhook.replaced_secret.as_ref().is_some_and(|secret| secret.signs_till <= cx.now) {
            webhook.replaced_secret = None;
        }
        if webhook.is_active()
            && let Some((notice, notices)) = webhook.health.due_notice(cx.now)
        {
            webhook.health.notices = notices;
            queue_webhook_notice(&webhook, notice, &self.recipients, cx, view);
        }
        let is_changed = webhook != was;
        if is_changed {
            view.webhooks.put(webhook);
        }
        Ok(is_changed)
    }
}
