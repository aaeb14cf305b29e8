//! What came of a test.

use super::record::{Try, keep_attempt};
use super::{SENDERS_WORK, own_webhook};
use crate::context::Context;
use crate::context::command::Command;
use crate::model::webhook::{ATTEMPTS_KEPT_MAX, Webhook, WebhookResult};
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{PartnerId, WebhookId};
use crate::values::time::Timestamp;
use crate::view::{ReadSet, View};

/// Notes what came of a test. An endpoint that has failed and takes a test is tried at once; a test that fails is held
/// against nobody.
#[derive(Debug)]
pub struct RecordWebhookTest {
    /// Whose it must be.
    pub partner: PartnerId,
    /// Which.
    pub webhook: WebhookId,
    /// How many attempts there were before, as far as the caller knows.
    pub attempts_before: i64,
    /// When it was sent.
    pub sent_at: Timestamp,
    /// How long it took, in milliseconds.
    pub duration_ms: u32,
    /// What came of it.
    pub result: WebhookResult,
}

impl Command for RecordWebhookTest {
    type Outcome = Webhook;

    const SILENT: Option<&'static str> = Some(SENDERS_WORK);

    fn shard(&self) -> ShardTag {
        self.webhook.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.webhooks.push(self.webhook);
        let replaced = self.attempts_before + 1 - ATTEMPTS_KEPT_MAX;
        read_set.webhook_attempts.extend((replaced > 0).then_some((self.webhook, replaced)));
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Webhook, Refusal> {
        let mut webhook = own_webhook(cx.actor, self.partner, self.webhook, view)?;
        let (sent_at, duration_ms, result) = (self.sent_at, self.duration_ms, self.result.clone());
        keep_attempt(&mut webhook, None, Try { sent_at, duration_ms, result }, view);
        if self.result.is_success() && webhook.is_active() && webhook.health.failures > 0 {
            let ended_at = sent_at.plus_ms(i64::from(duration_ms));
            webhook.health = webhook.health.after(&self.result, ended_at, None, 0);
            webhook.health.recovered_at = Some(ended_at);
            webhook.revoke_claim(cx.now);
        }
        view.webhooks.put(webhook.clone());
        Ok(webhook)
    }
}
