//! Who sends to an endpoint.

use super::SENDERS_WORK;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::webhook::{Webhook, WebhookClaim};
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::WebhookId;
use crate::values::time::Timestamp;
use crate::view::{ReadSet, View};

/// How long a node may send before it must say that it is still there.
const CLAIM_MS: i64 = 30_000;

/// Takes an endpoint, so that nobody else sends to it meanwhile.
#[derive(Debug)]
pub struct ClaimWebhook {
    /// Which.
    pub webhook: WebhookId,
}

impl Command for ClaimWebhook {
    /// The endpoint; `None` when nothing is sent to it, or somebody else does.
    type Outcome = Option<Webhook>;

    const SILENT: Option<&'static str> = Some(SENDERS_WORK);

    fn shard(&self) -> ShardTag {
        self.webhook.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.webhooks.push(self.webhook);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Option<Webhook>, Refusal> {
        let free = view.webhooks.get(self.webhook).filter(|webhook| webhook.is_active() && !webhook.is_claimed(cx.now));
        let Some(mut webhook) = free.cloned() else { return Ok(None) };
        webhook.claim.number += 1;
        webhook.extend_claim(cx.now);
        view.webhooks.put(webhook.clone());
        Ok(Some(webhook))
    }
}

impl Webhook {
    /// Whoever has claimed it is still there. If that ends, others look at it when the claim has lapsed.
    pub(super) fn extend_claim(&mut self, now: Timestamp) {
        let till = now.plus_ms(CLAIM_MS);
        self.claim = WebhookClaim { till_ms: till.ms(), ..self.claim };
        self.due_at = Some(till);
    }

    /// Nobody sends until there is a new change, or it is due.
    pub(super) fn release_claim(&mut self, due_at: Option<Timestamp>) {
        self.claim = WebhookClaim { till_ms: 0, ..self.claim };
        self.due_at = due_at;
    }
}
