//! Changes that an endpoint is to get once more.

use super::own_webhook;
use crate::context::Context;
use crate::context::command::Command;
use crate::model::change::{ChangeType, Facts};
use crate::model::webhook::{Webhook, WebhookDelivery, WebhookMessage};
use crate::refusal::Refusal;
use crate::values::feed_cursor::FeedCursor;
use crate::values::id::ShardTag;
use crate::values::resource_ids::{PartnerId, WebhookId};
use crate::view::{ReadSet, View};

/// Has changes sent to an endpoint again: all from a cursor on, or some.
#[derive(Debug)]
pub struct ReplayWebhook {
    /// Whose it must be.
    pub partner: PartnerId,
    /// Which.
    pub webhook: WebhookId,
    /// All from here on.
    pub after: Option<FeedCursor>,
    /// These: up to [`DELIVERIES_WAITING_MAX`](crate::webhook::DELIVERIES_WAITING_MAX).
    pub messages: Vec<WebhookMessage>,
    /// These as well, although it is not told of their like.
    pub unselected: Vec<WebhookMessage>,
}

impl Command for ReplayWebhook {
    type Outcome = Webhook;

    fn shard(&self) -> ShardTag {
        self.webhook.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.webhooks.push(self.webhook);
        let positions = self.messages.iter().chain(&self.unselected).map(|message| message.position);
        read_set.webhook_deliveries.extend(positions.map(|position| (self.webhook, position)));
    }

    fn weight(&self) -> u32 {
        u32::try_from(self.messages.len() + self.unselected.len()).unwrap_or(u32::MAX).saturating_add(2)
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<Webhook, Refusal> {
        let mut webhook = own_webhook(cx.actor, self.partner, self.webhook, view)?;
        let from = self.after.map_or(webhook.read_from, |after| after.min(webhook.read_from));
        // What is read from there on comes in its order: a row of its own would bring it out of turn.
        let gets_row = |message: &WebhookMessage| {
            let delivery = view.webhook_deliveries.get((webhook.id, message.position));
            message.position < from || delivery.is_some_and(WebhookDelivery::is_waiting)
        };
        let (read, unread): (Vec<_>, Vec<_>) = self.messages.iter().partition(|message| gets_row(message));
        let repeated: Vec<&WebhookMessage> = read.into_iter().chain(&self.unselected).collect();
        // Whoever sends now is ahead of what it has recorded: without its claim that is sent again.
        let is_sent_again = !unread.is_empty() && webhook.is_claimed(cx.now);
        if from == webhook.read_from && repeated.is_empty() && !is_sent_again {
            return Ok(webhook);
        }
        webhook.read_from = from;
        for message in repeated {
            view.webhook_deliveries.put(WebhookDelivery::new(webhook.id, *message, Some(cx.now)));
        }
        webhook.revoke_claim(cx.now);
        cx.state(&mut webhook, ChangeType::WebhookReplayed, Facts::none(), view);
        view.webhooks.put(webhook.clone());
        Ok(webhook)
    }
}
