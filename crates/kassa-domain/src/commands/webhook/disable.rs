//! The end of an endpoint that takes nothing.

use crate::commands::mail::queue_webhook_notice;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::change::ChangeType;
use crate::model::webhook::{DisabledReason, WebhookNotice, WebhookStatus};
use crate::refusal::Refusal;
use crate::values::email::Email;
use crate::values::id::ShardTag;
use crate::values::resource_ids::WebhookId;
use crate::view::{ReadSet, View};

/// Disables an endpoint that has taken nothing for days, or says that it wants no more. Its partner is told, and can
/// enable it again: it goes on where it stopped.
#[derive(Debug)]
pub struct DisableWebhook {
    /// Which.
    pub webhook: WebhookId,
    /// Who is told.
    pub recipients: Vec<Email>,
}

impl Command for DisableWebhook {
    /// Whether it was disabled.
    type Outcome = bool;

    fn shard(&self) -> ShardTag {
        self.webhook.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.webhooks.push(self.webhook);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<bool, Refusal> {
        let active = view.webhooks.get(self.webhook).filter(|webhook| webhook.is_active()).cloned();
        let Some(mut webhook) = active else { return Ok(false) };
        let Some(notice) = webhook.health.disabling(cx.now) else { return Ok(false) };
        let was = webhook.clone();
        let is_gone = notice == WebhookNotice::DisabledGone;
        let reason = if is_gone { DisabledReason::Gone } else { DisabledReason::Failing };
        webhook.status = WebhookStatus::Disabled(reason);
        webhook.revoke_claim(cx.now);
        let facts = webhook.edit_facts(&was);
        cx.state(&mut webhook, ChangeType::WebhookDisabled, facts, view);
        queue_webhook_notice(&webhook, notice, &self.recipients, cx, view);
        view.webhooks.put(webhook);
        Ok(true)
    }
}
