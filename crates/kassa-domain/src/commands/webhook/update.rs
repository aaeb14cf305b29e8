//! Changes to an endpoint, its removal included.

use super::own_webhook;
use super::patch::WebhookPatch;
use crate::context::Context;
use crate::context::command::{Command, LIGHT_WEIGHT};
use crate::model::change::ChangeType;
use crate::model::webhook::{DisabledReason, EndpointHealth, Webhook, WebhookStatus};
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{PartnerId, WebhookId};
use crate::values::time::Timestamp;
use crate::view::{ReadSet, View};

/// Edits, enables, disables or removes an endpoint. A removed one stays visible by id, and stays removed. One that is
/// enabled again goes on where it stopped.
#[derive(Debug)]
pub struct UpdateWebhook {
    /// Whose it must be.
    pub partner: PartnerId,
    /// Which.
    pub webhook: WebhookId,
    /// What it shall be.
    pub patch: WebhookPatch,
    /// Whether it goes.
    pub remove: bool,
}

impl Command for UpdateWebhook {
    type Outcome = Webhook;

    fn shard(&self) -> ShardTag {
        self.webhook.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.webhooks.push(self.webhook);
        self.patch.read_set(self.partner, read_set);
    }

    fn weight(&self) -> u32 {
        LIGHT_WEIGHT + self.patch.weight()
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Webhook, Refusal> {
        let mut webhook = own_webhook(cx.actor, self.partner, self.webhook, view)?;
        let was = webhook.clone();
        self.patch.apply(&mut webhook, cx.actor, view)?;
        webhook.removed |= self.remove;
        match (self.patch.enabled, webhook.status) {
            (Some(true), WebhookStatus::Disabled(_)) => webhook.enable(cx.now),
            // It has said that it wants no more, and is about to be disabled for that.
            (Some(true), WebhookStatus::Enabled) if webhook.health.is_gone => webhook.begin_anew(cx.now),
            (Some(false), WebhookStatus::Enabled) => webhook.status = WebhookStatus::Disabled(DisabledReason::Asked),
            _ => {}
        }
        if webhook == was {
            return Ok(webhook);
        }
        if webhook.url != was.url {
            // Another server has nothing to do with how this one did.
            webhook.begin_anew(cx.now);
        }
        webhook.revoke_claim(cx.now);
        if webhook.removed {
            // What it has left must go.
            webhook.due_at = Some(cx.now);
        }
        let kind = match (webhook.removed != was.removed, webhook.status == was.status, webhook.status) {
            (true, ..) => ChangeType::WebhookRemoved,
            (_, false, WebhookStatus::Enabled) => ChangeType::WebhookEnabled,
            (_, false, WebhookStatus::Disabled(_)) => ChangeType::WebhookDisabled,
            (_, true, _) => ChangeType::WebhookChanged,
        };
        let facts = webhook.edit_facts(&was);
        cx.state(&mut webhook, kind, facts, view);
        view.webhooks.put(webhook.clone());
        Ok(webhook)
    }
}

impl Webhook {
    fn enable(&mut self, now: Timestamp) {
        self.status = WebhookStatus::Enabled;
        self.begin_anew(now);
    }

    /// Forgets failures: what is held back is due, with all tries anew.
    fn begin_anew(&mut self, now: Timestamp) {
        let last_success_at = self.health.last_success_at;
        self.health = EndpointHealth { last_success_at, ..EndpointHealth::default() };
        self.enabled_at = now;
    }
}
