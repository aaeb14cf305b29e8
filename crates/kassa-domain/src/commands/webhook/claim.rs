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

/// How long a node may send before it must say that it is still there, in milliseconds. The endpoints of a node that has
/// died are told nothing for as long. A node that is late does little harm: what it has sent and not recorded is sent
/// again.
pub const WEBHOOK_CLAIM_MS: i64 = 5_000;

/// Takes an endpoint, so that nobody else sends to it meanwhile.
#[derive(Debug)]
pub struct ClaimWebhook {
    /// Which.
    pub webhook: WebhookId,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WebhookClaimOutcome {
    /// Whoever asked sends: to this endpoint.
    Claimed(Box<Webhook>),
    /// Another node sends, at least until then.
    ClaimedElsewhere(Timestamp),
    /// Nothing is sent to it.
    Inactive,
}

impl Command for ClaimWebhook {
    type Outcome = WebhookClaimOutcome;

    const SILENT: Option<&'static str> = Some(SENDERS_WORK);

    fn shard(&self) -> ShardTag {
        self.webhook.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.webhooks.push(self.webhook);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<WebhookClaimOutcome, Refusal> {
        let active = view.webhooks.get(self.webhook).filter(|webhook| webhook.is_active());
        let Some(mut webhook) = active.cloned() else { return Ok(WebhookClaimOutcome::Inactive) };
        if webhook.is_claimed(cx.now) {
            return Ok(WebhookClaimOutcome::ClaimedElsewhere(Timestamp::from_ms(webhook.claim.till_ms)));
        }
        webhook.claim.number += 1;
        webhook.extend_claim(cx.now);
        view.webhooks.put(webhook.clone());
        Ok(WebhookClaimOutcome::Claimed(Box::new(webhook)))
    }
}

impl Webhook {
    /// Whoever has claimed it is still there. If that ends, others look at it when the claim has lapsed.
    pub(super) fn extend_claim(&mut self, now: Timestamp) {
        let till = now.plus_ms(WEBHOOK_CLAIM_MS);
        self.claim = WebhookClaim { till_ms: till.ms(), ..self.claim };
        self.due_at = Some(till);
    }

    /// Nobody sends until there is a new change, or it is due.
    pub(super) fn release_claim(&mut self, due_at: Option<Timestamp>) {
        self.claim = WebhookClaim { till_ms: 0, ..self.claim };
        self.due_at = due_at;
    }
}
