//! What endpoints of webhooks are sent is what the log tells, and all that is counted of it adds up.

use std::fmt::{self, Display};

use super::change_log::{audit_last_change, read_last_change};
use super::{Audited, Findings};
use crate::model::change::{ChangeBatch, FeedName};
use crate::model::row::Row as _;
use crate::model::webhook::{Webhook, WebhookAttempt, WebhookDelivery, WebhookMessage};
use crate::values::feed_cursor::FeedCursor;
use crate::values::resource_ids::WebhookId;
use crate::view::{ReadSet, View};

impl Audited for Webhook {
    fn audit_read_set(&self, read_set: &mut ReadSet) -> bool {
        read_set.webhooks.push(self.id);
        read_set.feed_heads.push(FeedName::Changes);
        read_last_change(self.revision, read_set);
        true
    }

    /// Nobody has read what was not told yet.
    fn audit(&self, view: &View, findings: &mut Findings) {
        let mut about = findings.checker_for("webhook", &self.id);
        audit_last_change(self, view, &mut about);
        if let Some(head) = view.feed_heads.get(FeedName::Changes) {
            let end = FeedCursor::behind(head.last_place);
            let is_within = (FeedCursor::START..=end).contains(&self.read_from);
            about.expect("read_from", is_within, "a cursor of the feed", &(self.read_from, end));
        }
        let (failures, since) = (self.health.failures, self.health.failing_since);
        about.expect("failures", (failures > 0) == since.is_some(), "a time if there are any", &(failures, since));
    }
}

impl Audited for WebhookDelivery {
    fn audit_read_set(&self, read_set: &mut ReadSet) -> bool {
        read_set.webhook_deliveries.push(self.key());
        read_set.webhooks.push(self.endpoint);
        read_set.feed_heads.push(FeedName::Changes);
        read_set.change_batches_at.push(self.message.position.place);
        true
    }

    /// It is for an endpoint that there is, and of a change that was told.
    fn audit(&self, view: &View, findings: &mut Findings) {
        let id = OfWebhook(self.endpoint, self.message.position);
        let mut about = findings.checker_for("webhook_delivery", &id);
        about.expect("webhook", view.webhooks.get(self.endpoint).is_some(), "one that there is", &self.endpoint);
        about.expect("position", may_be_told(&self.message, view), "where the log tells of it", &self.message);
        let Self { tries, first_tried_at, last_tried_at, due_at, .. } = self;
        let has_times = [first_tried_at.is_some(), last_tried_at.is_some()];
        let times = (tries, first_tried_at, last_tried_at);
        about.expect("tries", has_times == [*tries > 0; 2], "times if there are any", &times);
        about.expect("due_at", self.is_waiting() || due_at.is_some(), "a time to forget it", &due_at);
    }
}

/// Whether the log tells this where it is said to, or may have: for of what is old nothing is kept.
fn may_be_told(message: &WebhookMessage, view: &View) -> bool {
    let Some(head) = view.feed_heads.get(FeedName::Changes) else { return true };
    let FeedCursor { place, index } = message.position;
    if place < head.oldest_place {
        return place >= FeedCursor::START.place;
    }
    let is_there = |batch: &&ChangeBatch| batch.place == Some(place);
    let batch = view.change_batches.rows().find(is_there);
    let told = batch.and_then(|batch| batch.changes.get(usize::try_from(index).ok()?));
    told.is_some_and(|change| {
        (change.subject, change.version, change.kind) == (message.subject, message.version, message.kind)
    })
}

impl Audited for WebhookAttempt {
    fn audit_read_set(&self, read_set: &mut ReadSet) -> bool {
        read_set.webhook_attempts.push(self.key());
        read_set.webhooks.push(self.endpoint);
        true
    }

    /// It is one of those that its endpoint has counted.
    fn audit(&self, view: &View, findings: &mut Findings) {
        let id = OfWebhook(self.endpoint, self.number);
        let mut about = findings.checker_for("webhook_attempt", &id);
        let counted = view.webhooks.get(self.endpoint).map(|webhook| webhook.attempts);
        about.expect("webhook", counted.is_some(), "one that there is", &self.endpoint);
        let is_counted = counted.is_none_or(|counted| (1..=counted).contains(&self.number));
        about.expect("number", is_counted, "one that was counted", &(self.number, counted));
    }
}

/// What names a thing of an endpoint.
struct OfWebhook<T>(WebhookId, T);

impl<T: Display> Display for OfWebhook<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.0, self.1)
    }
}
