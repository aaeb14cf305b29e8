//! A new endpoint.

use super::patch::WebhookPatch;
use crate::commands::usage::charge;
use crate::context::Context;
use crate::context::command::{Command, LIGHT_WEIGHT};
use crate::model::change::ChangeType;
use crate::model::quota::QuotaKind;
use crate::model::webhook::{
    DisabledReason, EndpointHealth, Webhook, WebhookClaim, WebhookPayload, WebhookSelection, WebhookStatus,
};
use crate::permission;
use crate::refusal::Refusal;
use crate::values::feed_cursor::FeedCursor;
use crate::values::id::ShardTag;
use crate::values::resource_ids::PartnerId;
use crate::values::revision::Revision;
use crate::view::{ReadSet, View};

/// Makes an endpoint. It is told what comes from a cursor of the feed on.
#[derive(Debug)]
pub struct CreateWebhook {
    /// Whose.
    pub partner: PartnerId,
    /// Where changes are posted to: checked before.
    pub url: String,
    /// What it shall be.
    pub patch: WebhookPatch,
    /// Its secret, encrypted.
    pub encrypted_secret: Vec<u8>,
    /// Where the feed ends now.
    pub feed_end: FeedCursor,
}

impl Command for CreateWebhook {
    type Outcome = Webhook;

    fn shard(&self) -> ShardTag {
        self.partner.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.partners.push(self.partner);
        self.patch.read_set(self.partner, read_set);
    }

    fn weight(&self) -> u32 {
        LIGHT_WEIGHT + self.patch.weight()
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Webhook, Refusal> {
        permission::manage_webhooks(cx.actor, self.partner)?;
        if view.partners.get(self.partner).is_none() {
            return Err(Refusal::NotFound("partner"));
        }
        let is_enabled = self.patch.enabled.unwrap_or(true);
        let mut webhook = Webhook {
            id: cx.root_id(),
            partner: self.partner,
            url: self.url.clone(),
            description: None,
            selection: WebhookSelection::default(),
            payload: WebhookPayload::Full,
            has_customers: false,
            status: if is_enabled { WebhookStatus::Enabled } else { WebhookStatus::Disabled(DisabledReason::Asked) },
            encrypted_secret: self.encrypted_secret.clone(),
            replaced_secret: None,
            removed: false,
            read_from: self.feed_end,
            health: EndpointHealth::default(),
            claim: WebhookClaim::default(),
            due_at: None,
            attempts: 0,
            enabled_at: cx.now,
            created_at: cx.now,
            updated_at: cx.now,
            revision: Revision::default(),
        };
        self.patch.apply(&mut webhook, cx.actor, view)?;
        charge(self.partner, QuotaKind::Webhooks, 1, &cx.settings.quotas, view)?;
        let facts = webhook.creation_facts();
        cx.state(&mut webhook, ChangeType::WebhookCreated, facts, view);
        view.webhooks.put(webhook.clone());
        Ok(webhook)
    }
}
