//! A new secret of an endpoint.

use super::own_webhook;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::change::{ChangeType, Facts};
use crate::model::webhook::{ReplacedSecret, SECRET_OVERLAP_MS, Webhook};
use crate::refusal::Refusal;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{PartnerId, WebhookId};
use crate::view::{ReadSet, View};

/// Replaces the secret of an endpoint. For a day, what is sent is signed with both. Whoever sends reads of it in the feed,
/// and goes on: the old secret is still good for what is under way.
#[derive(Debug)]
pub struct RotateWebhookSecret {
    /// Whose it must be.
    pub partner: PartnerId,
    /// Which.
    pub webhook: WebhookId,
    /// The new secret, encrypted.
    pub encrypted_secret: Vec<u8>,
}

impl Command for RotateWebhookSecret {
    type Outcome = Webhook;

    fn shard(&self) -> ShardTag {
        self.webhook.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.webhooks.push(self.webhook);
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Webhook, Refusal> {
        let mut webhook = own_webhook(cx.actor, self.partner, self.webhook, view)?;
        let replaced = std::mem::replace(&mut webhook.encrypted_secret, self.encrypted_secret.clone());
        let signs_till = cx.now.plus_ms(SECRET_OVERLAP_MS);
        webhook.replaced_secret = Some(ReplacedSecret { encrypted: replaced, signs_till });
        cx.state(&mut webhook, ChangeType::WebhookSecretRotated, Facts::none(), view);
        view.webhooks.put(webhook.clone());
        Ok(webhook)
    }
}
