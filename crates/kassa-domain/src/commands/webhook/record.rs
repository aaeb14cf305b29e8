//! What came of attempts.

use super::SENDERS_WORK;
use crate::context::Context;
use crate::context::command::{Command, LIGHT_WEIGHT};
use crate::model::webhook::{
    ATTEMPTS_KEPT_MAX, DeliveryState, SPREAD_PARTS, Webhook, WebhookAttempt, WebhookDelivery, WebhookMessage,
    WebhookResult,
};
use crate::refusal::Refusal;
use crate::values::feed_cursor::FeedCursor;
use crate::values::id::ShardTag;
use crate::values::resource_ids::WebhookId;
use crate::values::time::Timestamp;
use crate::view::{ReadSet, View};

/// What came of an attempt.
#[derive(Clone, Debug)]
pub struct AttemptReport {
    /// What was sent.
    pub message: WebhookMessage,
    /// When.
    pub sent_at: Timestamp,
    /// How long it took, in milliseconds.
    pub duration_ms: u32,
    /// What came of it.
    pub result: WebhookResult,
    /// Until when the receiver has asked us to wait.
    pub retry_at: Option<Timestamp>,
    /// The message of the same resource that is held back behind it.
    pub next: Option<FeedCursor>,
}

/// Notes what came of some attempts, and how far the endpoint has come. The sender knows which claim it has: after
/// another one only the attempts are kept, and nothing else is changed.
#[derive(Clone, Debug)]
pub struct RecordWebhookAttempts {
    /// The endpoint.
    pub webhook: WebhookId,
    /// The claim under which it was sent to.
    pub claim: i64,
    /// How many attempts there were before, as far as the sender knows.
    pub attempts_before: i64,
    /// The attempts, in the order in which they ended.
    pub attempts: Vec<AttemptReport>,
    /// Changes that are held back from now on, behind others of their resources.
    pub held_back: Vec<WebhookMessage>,
    /// The first change that was not looked at: every one before it was taken, is held back when this is recorded, or is
    /// not wanted.
    pub read_from: FeedCursor,
    /// Whether the sender goes on.
    pub claim_end: ClaimEnd,
}

/// Whether a sender goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimEnd {
    /// It does.
    Extended,
    /// It ends: nobody sends until there is a new change, or this time, if there is one.
    Released(Option<Timestamp>),
}

/// What the sender goes on with.
#[derive(Clone, Debug)]
pub struct RecordedAttempts {
    /// The endpoint; `None` where the claim is another one's.
    pub webhook: Option<Webhook>,
    /// Those of the messages that are, or were, held back: as they are now. What was taken is not among them.
    pub deliveries: Vec<WebhookDelivery>,
}

impl Command for RecordWebhookAttempts {
    type Outcome = RecordedAttempts;

    const SILENT: Option<&'static str> = Some(SENDERS_WORK);

    fn shard(&self) -> ShardTag {
        self.webhook.tag()
    }

    fn read_set(&self, read_set: &mut ReadSet) {
        read_set.webhooks.push(self.webhook);
        read_set.webhook_deliveries.extend(self.positions().map(|position| (self.webhook, position)));
        // The new ones take the places of the oldest.
        let added = i64::try_from(self.attempts.len()).unwrap_or(i64::MAX);
        let replaced = (1..=added).map(|number| self.attempts_before + number - ATTEMPTS_KEPT_MAX);
        read_set.webhook_attempts.extend(replaced.filter(|number| *number > 0).map(|number| (self.webhook, number)));
    }

    fn weight(&self) -> u32 {
        let rows = 4 * self.attempts.len() + self.held_back.len();
        u32::try_from(rows).unwrap_or(u32::MAX).saturating_add(LIGHT_WEIGHT)
    }

    fn decide(&self, cx: &mut Context<'_>, view: &mut View) -> Result<RecordedAttempts, Refusal> {
        let nothing = RecordedAttempts { webhook: None, deliveries: Vec::new() };
        let Some(mut webhook) = view.webhooks.get(self.webhook).cloned() else { return Ok(nothing) };
        self.keep_attempts(&mut webhook, view);
        if webhook.claim.number != self.claim || !webhook.is_active() {
            view.webhooks.put(webhook);
            return Ok(nothing);
        }
        for attempt in &self.attempts {
            settle(attempt, &mut webhook, cx, view);
        }
        for message in &self.held_back {
            view.webhook_deliveries.put(WebhookDelivery::new(webhook.id, *message, None));
        }
        webhook.read_from = self.read_from;
        match self.claim_end {
            ClaimEnd::Released(due_at) => webhook.release_claim(due_at),
            ClaimEnd::Extended => webhook.extend_claim(cx.now),
        }
        view.webhooks.put(webhook.clone());
        let deliveries = self.positions().filter_map(|position| view.webhook_deliveries.get((webhook.id, position)));
        Ok(RecordedAttempts { deliveries: deliveries.cloned().collect(), webhook: Some(webhook) })
    }
}

impl RecordWebhookAttempts {
    /// Where all messages are in the feed that it is about.
    pub fn positions(&self) -> impl Iterator<Item = FeedCursor> {
        let tried = self.attempts.iter().flat_map(|attempt| [Some(attempt.message.position), attempt.next]).flatten();
        tried.chain(self.held_back.iter().map(|message| message.position))
    }

    fn keep_attempts(&self, webhook: &mut Webhook, view: &mut View) {
        for attempt in &self.attempts {
            let AttemptReport { message, sent_at, duration_ms, result, .. } = attempt.clone();
            keep_attempt(webhook, Some(message), Try { sent_at, duration_ms, result }, view);
        }
    }
}

/// What an attempt was, whatever was sent.
pub(super) struct Try {
    pub(super) sent_at: Timestamp,
    pub(super) duration_ms: u32,
    pub(super) result: WebhookResult,
}

/// Keeps an attempt, in place of the oldest if there are too many.
pub(super) fn keep_attempt(webhook: &mut Webhook, message: Option<WebhookMessage>, tried: Try, view: &mut View) {
    webhook.attempts += 1;
    let replaced = (webhook.id, webhook.attempts - ATTEMPTS_KEPT_MAX);
    if view.webhook_attempts.get(replaced).is_some() {
        view.webhook_attempts.remove(replaced);
    }
    let Try { sent_at, duration_ms, result } = tried;
    let (endpoint, number) = (webhook.id, webhook.attempts);
    view.webhook_attempts.put(WebhookAttempt { endpoint, number, message, sent_at, duration_ms, result });
}

/// What becomes of the endpoint, of the message, and of the one behind it.
fn settle(attempt: &AttemptReport, webhook: &mut Webhook, cx: &mut Context<'_>, view: &mut View) {
    let part = cx.random_below(SPREAD_PARTS);
    let ended_at = attempt.sent_at.plus_ms(i64::from(attempt.duration_ms));
    webhook.health = webhook.health.after(&attempt.result, ended_at, attempt.retry_at, part);
    let key = (webhook.id, attempt.message.position);
    let held = view.webhook_deliveries.get(key).cloned();
    let is_settled = if attempt.result.is_success() {
        if held.is_some() {
            view.webhook_deliveries.remove(key);
        }
        true
    } else {
        let held = held.unwrap_or_else(|| WebhookDelivery::new(webhook.id, attempt.message, None));
        let tried = held.after_failure(&webhook.health, webhook.enabled_at, ended_at, attempt.retry_at, part);
        let is_parked = tried.state == DeliveryState::Parked;
        if is_parked {
            webhook.health = webhook.health.after_parking();
        }
        view.webhook_deliveries.put(tried);
        is_parked
    };
    let next = attempt.next.and_then(|next| view.webhook_deliveries.get((webhook.id, next)));
    if is_settled && let Some(next) = next.filter(|next| next.is_waiting() && next.due_at.is_none()).cloned() {
        view.webhook_deliveries.put(WebhookDelivery { due_at: Some(cx.now), ..next });
    }
}
