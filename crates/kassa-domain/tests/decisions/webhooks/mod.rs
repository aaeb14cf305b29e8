//! Webhooks: what partners say of their endpoints, who sends, and what becomes of what is sent.

mod endpoints;
mod sending;
mod watching;

use kassa_domain::Patch;
use kassa_domain::change::FeedCursor;
use kassa_domain::webhook::{CreateWebhook, UpdateWebhook, Webhook, WebhookId, WebhookPatch};

use crate::fixture::Fixture;

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

fn position(place: i64) -> FeedCursor {
    FeedCursor { place, index: 0 }
}

/// All orders.
fn orders() -> WebhookPatch {
    WebhookPatch { types: Some(vec!["order.*".parse().unwrap()]), ..WebhookPatch::default() }
}

impl Fixture {
    fn new_webhook(&self, patch: WebhookPatch) -> CreateWebhook {
        CreateWebhook {
            partner: self.org,
            url: "https://example.org/hooks".to_owned(),
            patch,
            encrypted_secret: vec![1],
            feed_end: position(10),
        }
    }

    /// An endpoint of the organizer that wants orders.
    fn webhook(&mut self) -> Webhook {
        let create = self.new_webhook(orders());
        self.give(&self.organizer(), &create).unwrap()
    }

    fn found_webhook(&self, webhook: WebhookId) -> Webhook {
        self.view.webhooks.get(webhook).unwrap().clone()
    }

    fn update_webhook(&mut self, webhook: WebhookId, patch: WebhookPatch) -> Webhook {
        let update = UpdateWebhook { partner: self.org, webhook, patch, remove: false };
        self.give(&self.organizer(), &update).unwrap()
    }

    fn enable_webhook(&mut self, webhook: WebhookId, enabled: bool) -> Webhook {
        self.update_webhook(webhook, WebhookPatch { enabled: Some(enabled), ..WebhookPatch::default() })
    }

    fn pass_ms_for_webhooks(&mut self, ms: i64) {
        self.now = self.now.plus_ms(ms);
    }
}

fn described(text: &str) -> WebhookPatch {
    WebhookPatch { description: Patch::Set(text.to_owned()), ..WebhookPatch::default() }
}
