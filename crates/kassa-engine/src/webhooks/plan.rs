//! What is sent to an endpoint next: the order of messages, in memory. Messages of one resource go one after the other;
//! one that was not taken holds back those behind it, and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use kassa_domain::Timestamp;
use kassa_domain::change::{FeedCursor, Subject};
use kassa_domain::webhook::{
    AttemptReport, DELIVERIES_WAITING_MAX, RecordedAttempts, Webhook, WebhookDelivery, WebhookMessage,
};

/// Changes that were read and not sent yet.
const PENDING_MAX: usize = 100;
/// How long one is left alone that wants no more messages.
const GONE_PAUSE_MS: i64 = 60 * 60 * 1_000;
/// Attempts that are recorded together at most.
const UNRECORDED_MAX: usize = 50;

/// The messages of an endpoint, as far as its sender knows them.
#[derive(Debug)]
pub(super) struct DeliveryPlan {
    webhook: Webhook,
    /// What is held back: with rows of its own.
    held: BTreeMap<FeedCursor, WebhookDelivery>,
    /// Where what is held back of each resource is.
    held_of: BTreeMap<Subject, BTreeSet<FeedCursor>>,
    /// What was read, and has no row yet.
    pending: BTreeMap<FeedCursor, WebhookMessage>,
    /// What is under way.
    in_flight: BTreeMap<FeedCursor, Subject>,
    /// What was tried since the last record.
    unrecorded: Vec<AttemptReport>,
    /// What gets a row with the next record, behind others of its resource.
    to_hold: BTreeMap<FeedCursor, WebhookMessage>,
    /// Whether something was tried after which nothing more is sent before it is recorded: it failed, or has a row.
    is_settling: bool,
    /// The first change that was not read.
    next: FeedCursor,
}

/// What is to be recorded.
#[derive(Debug)]
pub(super) struct Unrecorded {
    pub(super) attempts: Vec<AttemptReport>,
    pub(super) held_back: Vec<WebhookMessage>,
    pub(super) read_from: FeedCursor,
}

impl DeliveryPlan {
    /// For an endpoint that was just claimed, with what is held back of it.
    pub(super) fn new(webhook: Webhook, held: Vec<WebhookDelivery>) -> Self {
        let next = webhook.read_from;
        let mut plan = Self {
            webhook,
            held: BTreeMap::new(),
            held_of: BTreeMap::new(),
            pending: BTreeMap::new(),
            in_flight: BTreeMap::new(),
            unrecorded: Vec::new(),
            to_hold: BTreeMap::new(),
            is_settling: false,
            next,
        };
        for delivery in held {
            plan.hold(delivery);
        }
        plan
    }

    pub(super) fn webhook(&self) -> &Webhook {
        &self.webhook
    }

    /// From where the feed is read on.
    pub(super) fn next(&self) -> FeedCursor {
        self.next
    }

    /// How many changes there is room for.
    pub(super) fn room(&self) -> usize {
        let held = self.held.len() + self.to_hold.len() + self.pending.len();
        let holds_max = (DELIVERIES_WAITING_MAX as usize).saturating_sub(held);
        // Whoever is probed gets nothing new: that there is something is all that matters.
        let pending_max = if self.webhook.health.is_probed() { 1 } else { PENDING_MAX };
        pending_max.saturating_sub(self.pending.len()).min(holds_max)
    }

    /// Takes what was read, up to a cursor.
    pub(super) fn add(&mut self, messages: impl IntoIterator<Item = WebhookMessage>, next: FeedCursor) {
        for message in messages {
            // What is held back has its turn there, also when it is read again.
            if !self.held.contains_key(&message.position) {
                self.pending.insert(message.position, message);
            }
        }
        self.next = next;
    }

    /// The next message to send; it is under way from now on.
    pub(super) fn take(&mut self, now: Timestamp) -> Option<WebhookMessage> {
        let health = &self.webhook.health;
        let may_send = !self.is_settling
            && self.unrecorded.len() < UNRECORDED_MAX
            && self.in_flight.len() < health.parallel_max()
            && health.is_open(now);
        if !may_send {
            return None;
        }
        let message = self.due_head(now).or_else(|| self.take_pending())?;
        self.in_flight.insert(message.position, message.subject);
        Some(message)
    }

    /// The first of those that are held back and due: the longest due first.
    fn due_head(&self, now: Timestamp) -> Option<WebhookMessage> {
        let (health, enabled_at) = (&self.webhook.health, self.webhook.enabled_at);
        let has_news = health.is_probed() && !self.pending.is_empty();
        let is_news_probe = has_news && health.news_probe_at().is_some_and(|at| at <= now);
        let is_due = |head: &&WebhookDelivery| is_news_probe || head.is_due(health, enabled_at, now);
        let due = self.idle_heads().filter(is_due);
        due.min_by_key(|head| (head.due_at, head.message.position)).map(|head| head.message)
    }

    /// The first messages of those resources that are held back and not under way.
    fn idle_heads(&self) -> impl Iterator<Item = &WebhookDelivery> {
        let is_under_way = |subject: &Subject| self.in_flight.values().any(|other| other == subject);
        let idle = self.held_of.iter().filter(move |(subject, _)| !is_under_way(subject));
        idle.filter_map(|(_, positions)| self.held.get(positions.first()?))
    }

    /// The first of what was read whose resource is neither held back nor under way. What is behind one that is held
    /// back is held back, too.
    fn take_pending(&mut self) -> Option<WebhookMessage> {
        if self.webhook.health.is_probed() && !self.held.is_empty() {
            return None;
        }
        let is_held = |message: &WebhookMessage| self.held_of.contains_key(&message.subject);
        let behind: Vec<FeedCursor> =
            self.pending.iter().filter(|(_, message)| is_held(message)).map(|(position, _)| *position).collect();
        for position in behind {
            if let Some(message) = self.pending.remove(&position) {
                self.to_hold.insert(position, message);
            }
        }
        let is_free = |message: &WebhookMessage| {
            let is_of = |subject: &Subject| *subject == message.subject;
            !self.in_flight.values().any(is_of) && !self.to_hold.values().any(|other| is_of(&other.subject))
        };
        let free = self.pending.iter().find(|(_, message)| is_free(message)).map(|(position, _)| *position)?;
        self.pending.remove(&free)
    }

    /// A message was not tried after all.
    pub(super) fn put_back(&mut self, message: WebhookMessage) {
        self.in_flight.remove(&message.position);
        if !self.held.contains_key(&message.position) {
            self.pending.insert(message.position, message);
        }
    }

    /// A message was tried.
    pub(super) fn finish(&mut self, mut report: AttemptReport) {
        let (position, subject) = (report.message.position, report.message.subject);
        self.in_flight.remove(&position);
        self.is_settling |= self.held.contains_key(&position);
        report.next =
            self.held_of.get(&subject).and_then(|held| held.range(position..).find(|at| **at != position).copied());
        if !report.result.is_success() {
            self.is_settling = true;
            let behind = self.pending.iter().filter(|(_, message)| message.subject == subject);
            let behind: Vec<FeedCursor> = behind.map(|(position, _)| *position).collect();
            for position in behind {
                if let Some(message) = self.pending.remove(&position) {
                    self.to_hold.insert(position, message);
                }
            }
        }
        self.unrecorded.push(report);
    }

    /// Whether nothing more is sent until what was tried is recorded.
    pub(super) fn must_record(&self) -> bool {
        self.is_settling || self.unrecorded.len() >= UNRECORDED_MAX
    }

    /// Whether there is something to record.
    pub(super) fn has_unrecorded(&self) -> bool {
        !self.unrecorded.is_empty() || !self.to_hold.is_empty()
    }

    pub(super) fn is_in_flight(&self) -> bool {
        !self.in_flight.is_empty()
    }

    /// How much was read since it was recorded, in places of the feed.
    pub(super) fn unrecorded_places(&self) -> i64 {
        self.first_unread().place - self.webhook.read_from.place
    }

    /// The first change that has neither been taken nor a row, once the rest is recorded.
    pub(super) fn first_unread(&self) -> FeedCursor {
        let without_row = self.in_flight.keys().find(|position| !self.held.contains_key(position));
        let first = self.pending.keys().next().into_iter().chain(without_row).min();
        first.copied().unwrap_or(self.next)
    }

    /// Takes out what is to be recorded.
    pub(super) fn take_unrecorded(&mut self) -> Unrecorded {
        let read_from = self.first_unread();
        self.is_settling = false;
        let held_back = std::mem::take(&mut self.to_hold).into_values().collect();
        Unrecorded { attempts: std::mem::take(&mut self.unrecorded), held_back, read_from }
    }

    /// Goes on with what was recorded; `false` where somebody else sends now. `touched` are the messages that the record
    /// was about.
    pub(super) fn apply(&mut self, recorded: RecordedAttempts, touched: &[FeedCursor]) -> bool {
        let Some(webhook) = recorded.webhook else { return false };
        self.webhook = webhook;
        for position in touched {
            self.release(*position);
        }
        for delivery in recorded.deliveries {
            self.hold(delivery);
        }
        true
    }

    fn hold(&mut self, delivery: WebhookDelivery) {
        self.release(delivery.message.position);
        if delivery.is_waiting() {
            self.held_of.entry(delivery.message.subject).or_default().insert(delivery.message.position);
            self.held.insert(delivery.message.position, delivery);
        }
    }

    fn release(&mut self, position: FeedCursor) {
        let Some(delivery) = self.held.remove(&position) else { return };
        if let Some(positions) = self.held_of.get_mut(&delivery.message.subject) {
            positions.remove(&position);
            if positions.is_empty() {
                self.held_of.remove(&delivery.message.subject);
            }
        }
    }

    /// Until when nothing is sent, whatever comes; `None` where something new would be.
    pub(super) fn blocked_till(&self, now: Timestamp) -> Option<Timestamp> {
        let health = &self.webhook.health;
        if health.is_gone {
            // It will have been disabled by then.
            return Some(now.plus_ms(GONE_PAUSE_MS));
        }
        let news_probe_at = health.news_probe_at().filter(|_| health.is_probed());
        let waits_for_held = (health.is_probed() && !self.held.is_empty()) || self.room() == 0;
        let held_till = if waits_for_held { self.due_at().into_iter().chain(news_probe_at).min() } else { None };
        held_till.max(health.resume_at).filter(|till| *till > now)
    }

    /// When something can be sent, unless something new comes; `None` where nothing waits. It may be in the past.
    pub(super) fn due_at(&self) -> Option<Timestamp> {
        let health = &self.webhook.health;
        if health.is_gone {
            return None;
        }
        let renewed_at = health.recovered_at.max(Some(self.webhook.enabled_at));
        let due_of = |head: &WebhookDelivery| {
            let is_renewed = head.last_tried_at.is_some_and(|tried_at| Some(tried_at) < renewed_at);
            head.due_at.filter(|_| !is_renewed).unwrap_or(Timestamp::from_ms(0))
        };
        let news = if self.pending.is_empty() {
            None
        } else if health.is_probed() && !self.held.is_empty() {
            health.news_probe_at()
        } else {
            Some(Timestamp::from_ms(0))
        };
        let first = self.idle_heads().map(due_of).chain(news).min()?;
        Some(health.resume_at.map_or(first, |resume_at| first.max(resume_at)))
    }
}

#[cfg(test)]
pub(super) mod tests;
