//! Endpoints of webhooks, what is held back for them, and attempts.

use std::cmp::Ordering;

use kassa_domain::change::{ChangeType, FeedCursor, Revision, Subject};
use kassa_domain::precondition::ResourceRef;
use kassa_domain::webhook::{
    ATTEMPTS_KEPT_MS, DeliveryState, DisabledReason, EndpointHealth, ReplacedSecret, Unanswered, Webhook,
    WebhookAttempt, WebhookClaim, WebhookDelivery, WebhookId, WebhookMessage, WebhookPayload, WebhookResult,
    WebhookSelection, WebhookStatus,
};
use kassa_domain::{Id, Timestamp, View};
use kassa_store::queries::{
    DeliveriesOfWebhook, EnabledWebhooks, HeldDeliveries, OldParkedDeliveries, OldWebhookAttempts, ParkedDeliveries,
    WatchedWebhooks, WebhookAttemptsFilter, WebhooksFilter,
};

use crate::database::Database;
use crate::dice::Dice;
use crate::kinds::kind;
use crate::lists::{ListModel, assert_lists_agree};
use crate::plans::{AccessPath, PlanCases};
use crate::samples::{self, at};

const WEBHOOKS: i64 = 30;
/// The few of them that have messages and attempts.
const BUSY_WEBHOOKS: u64 = 4;
const MESSAGES: i64 = 60;

pub(crate) fn webhook(key: i64) -> Webhook {
    Webhook {
        id: Id::root(key),
        partner: Id::root(3),
        url: "https://example.org/hooks".to_owned(),
        description: None,
        selection: WebhookSelection { types: vec!["order.*".parse().unwrap()], events: Vec::new() },
        payload: WebhookPayload::Full,
        has_customers: false,
        status: WebhookStatus::Enabled,
        encrypted_secret: b"\0sealed\xff".to_vec(),
        replaced_secret: None,
        removed: false,
        read_from: FeedCursor::START,
        health: EndpointHealth::default(),
        claim: WebhookClaim::default(),
        due_at: None,
        attempts: 0,
        enabled_at: at(0),
        created_at: at(key),
        updated_at: at(key),
        revision: Revision::default(),
    }
}

/// A change of an order that is sent.
fn message(place: i64) -> WebhookMessage {
    let subject = Subject::Resource(ResourceRef::Order(Id::root(place)));
    WebhookMessage { position: FeedCursor { place, index: 7 }, subject, version: place, kind: ChangeType::OrderPaid }
}

pub(crate) fn webhook_delivery(webhook: i64, place: i64) -> WebhookDelivery {
    WebhookDelivery {
        endpoint: Id::root(webhook),
        message: message(place),
        state: DeliveryState::Waiting,
        tries: 0,
        first_tried_at: None,
        last_tried_at: None,
        due_at: None,
    }
}

pub(crate) fn webhook_attempt(webhook: i64, number: i64) -> WebhookAttempt {
    WebhookAttempt {
        endpoint: Id::root(webhook),
        number,
        message: Some(message(number)),
        sent_at: at(number),
        duration_ms: 12,
        result: WebhookResult::Answered { status: 200, excerpt: "спасибо".to_owned() },
    }
}

kind!(
    Webhook,
    webhooks,
    |row, read_set| read_set.webhooks.push(row.id),
    [samples::webhook(1), samples::webhook(2)],
    |row| Webhook {
        url: "https://example.net/".to_owned(),
        description: Some("касса".to_owned()),
        selection: WebhookSelection { types: vec!["*".parse().unwrap()], events: vec![Id::root(9)] },
        payload: WebhookPayload::Thin,
        has_customers: true,
        status: WebhookStatus::Disabled(DisabledReason::Failing),
        encrypted_secret: vec![1],
        replaced_secret: Some(ReplacedSecret { encrypted: vec![2], signs_till: at(9) }),
        removed: true,
        read_from: FeedCursor { place: i64::MAX, index: u32::MAX },
        health: EndpointHealth { failures: 7, failing_since: Some(at(1)), is_gone: true, ..EndpointHealth::default() },
        claim: WebhookClaim { number: i64::MAX, till_ms: 9 },
        due_at: Some(at(2)),
        attempts: i64::MAX,
        enabled_at: at(3),
        updated_at: at(4),
        revision: Revision::stored(9, None),
        ..row
    },
    {
        fn fill(dice: &mut Dice, view: &mut View) {
            (1..=WEBHOOKS).for_each(|key| view.webhooks.put(random_webhook(dice, key)));
        }

        fn plan_cases(cases: &mut PlanCases) {
            let now = Timestamp::from_ms(0);
            cases.add(&EnabledWebhooks { after_key: 5 }, AccessPath::OrderedIndex, &["webhooks_status"]);
            cases.add(&WatchedWebhooks { now }, AccessPath::OrderedIndex, &["webhooks_watch"]);
            let of_partner = WebhooksFilter { partner: Id::root(3), include_removed: false };
            cases.add(&of_partner, AccessPath::OrderedIndex, &["webhooks_partner"]);
        }
    }
);

kind!(
    WebhookDelivery,
    webhook_deliveries,
    |row, read_set| read_set.webhook_deliveries.push((row.endpoint, row.message.position)),
    [samples::webhook_delivery(1, 1), samples::webhook_delivery(1, 2), samples::webhook_delivery(2, 1)],
    |row| WebhookDelivery {
        state: DeliveryState::Parked,
        tries: u32::MAX,
        first_tried_at: Some(at(1)),
        last_tried_at: Some(at(2)),
        due_at: Some(at(3)),
        ..row
    },
    {
        fn fill(dice: &mut Dice, view: &mut View) {
            (1..=MESSAGES).for_each(|place| view.webhook_deliveries.put(random_delivery(dice, place)));
        }

        fn plan_cases(cases: &mut PlanCases) {
            let (webhook, now) = (Id::root(1), Timestamp::from_ms(0));
            cases.add(&HeldDeliveries { webhook }, AccessPath::OrderedIndex, &[]);
            let parked = ParkedDeliveries { webhook, since: now };
            cases.add(&parked, AccessPath::OrderedIndex, &[]);
            cases.add(&OldParkedDeliveries { now }, AccessPath::OrderedIndex, &["webhook_deliveries_old"]);
            cases.add(&DeliveriesOfWebhook { webhook }, AccessPath::OrderedIndex, &[]);
        }
    }
);

kind!(
    WebhookAttempt,
    webhook_attempts,
    |row, read_set| read_set.webhook_attempts.push((row.endpoint, row.number)),
    [
        samples::webhook_attempt(1, 1),
        WebhookAttempt {
            message: None,
            result: WebhookResult::Unanswered(Unanswered::TimedOut),
            ..samples::webhook_attempt(1, 2)
        }
    ],
    |row| row,
    {
        fn fill(dice: &mut Dice, view: &mut View) {
            (1..=MESSAGES).for_each(|number| view.webhook_attempts.put(random_attempt(dice, number)));
        }

        fn plan_cases(cases: &mut PlanCases) {
            let (webhook, now) = (Id::root(1), Timestamp::from_ms(0));
            let all = WebhookAttemptsFilter { webhook, only_failed: false };
            cases.add(&all, AccessPath::OrderedIndex, &[]);
            let failed = WebhookAttemptsFilter { webhook, only_failed: true };
            cases.add(&failed, AccessPath::OrderedIndex, &[]);
            cases.add(&OldWebhookAttempts { now }, AccessPath::OrderedIndex, &["webhook_attempts_sent_at"]);
        }
    }
);

fn random_webhook(dice: &mut Dice, key: i64) -> Webhook {
    let status = if dice.flip() { WebhookStatus::Enabled } else { WebhookStatus::Disabled(DisabledReason::Asked) };
    let failing_since = dice.maybe(Dice::moment);
    Webhook {
        partner: dice.partner(),
        status,
        removed: dice.rarely(|_| ()).is_some(),
        health: EndpointHealth { failures: 2, failing_since, ..EndpointHealth::default() },
        due_at: dice.maybe(Dice::moment),
        replaced_secret: dice.rarely(Dice::moment).map(|signs_till| ReplacedSecret { encrypted: vec![2], signs_till }),
        ..webhook(key)
    }
}

/// One of those that have messages.
fn busy_webhook(dice: &mut Dice) -> WebhookId {
    Id::root(1 + i64::try_from(dice.below(BUSY_WEBHOOKS)).unwrap())
}

fn random_delivery(dice: &mut Dice, place: i64) -> WebhookDelivery {
    let state = if dice.flip() { DeliveryState::Waiting } else { DeliveryState::Parked };
    let (last_tried_at, due_at) = (dice.maybe(Dice::moment), dice.maybe(Dice::moment));
    let webhook = busy_webhook(dice).key();
    WebhookDelivery { state, last_tried_at, due_at, ..webhook_delivery(webhook, place) }
}

fn random_attempt(dice: &mut Dice, number: i64) -> WebhookAttempt {
    let answered = |status| WebhookResult::Answered { status, excerpt: String::new() };
    let result = match dice.below(3) {
        0 => answered(204),
        1 => answered(500),
        _ => WebhookResult::Unanswered(Unanswered::TlsFailed),
    };
    let webhook = busy_webhook(dice).key();
    WebhookAttempt { sent_at: dice.moment(), result, ..webhook_attempt(webhook, number) }
}

impl ListModel for WebhooksFilter {
    fn includes(&self, webhook: &Webhook, _: &View) -> bool {
        webhook.partner == self.partner && (self.include_removed || !webhook.removed)
    }
}

impl ListModel for EnabledWebhooks {
    fn includes(&self, webhook: &Webhook, _: &View) -> bool {
        webhook.is_active() && webhook.id.key() > self.after_key
    }

    fn compare(&self, one: &Webhook, other: &Webhook) -> Ordering {
        one.id.key().cmp(&other.id.key())
    }
}

impl ListModel for WatchedWebhooks {
    fn includes(&self, webhook: &Webhook, _: &View) -> bool {
        webhook.watch_at().is_some_and(|watch_at| watch_at <= self.now)
    }

    fn compare(&self, one: &Webhook, other: &Webhook) -> Ordering {
        (one.watch_at(), one.id.key()).cmp(&(other.watch_at(), other.id.key()))
    }
}

pub(crate) async fn webhooks_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<WebhooksFilter>(db, |dice| WebhooksFilter {
        partner: dice.partner(),
        include_removed: dice.flip(),
    })
    .await;
}

pub(crate) async fn webhooks_to_send_to_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<EnabledWebhooks>(db, |dice| EnabledWebhooks {
        after_key: dice.rarely(|dice| i64::try_from(dice.below(20)).unwrap()).unwrap_or(0),
    })
    .await;
}

pub(crate) async fn webhooks_to_watch_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<WatchedWebhooks>(db, |dice| WatchedWebhooks {
        now: dice.moment().plus_ms(i64::try_from(dice.below(7)).unwrap() * 86_400_000),
    })
    .await;
}

fn by_position(one: &WebhookDelivery, other: &WebhookDelivery) -> Ordering {
    one.message.position.cmp(&other.message.position)
}

impl ListModel for HeldDeliveries {
    fn includes(&self, delivery: &WebhookDelivery, _: &View) -> bool {
        delivery.endpoint == self.webhook && delivery.is_waiting()
    }

    fn compare(&self, one: &WebhookDelivery, other: &WebhookDelivery) -> Ordering {
        by_position(one, other)
    }
}

impl ListModel for ParkedDeliveries {
    fn includes(&self, delivery: &WebhookDelivery, _: &View) -> bool {
        let is_late = delivery.last_tried_at.is_some_and(|tried_at| tried_at >= self.since);
        delivery.endpoint == self.webhook && !delivery.is_waiting() && is_late
    }

    fn compare(&self, one: &WebhookDelivery, other: &WebhookDelivery) -> Ordering {
        by_position(one, other)
    }
}

impl ListModel for DeliveriesOfWebhook {
    fn includes(&self, delivery: &WebhookDelivery, _: &View) -> bool {
        delivery.endpoint == self.webhook
    }

    fn compare(&self, one: &WebhookDelivery, other: &WebhookDelivery) -> Ordering {
        by_position(one, other)
    }
}

impl ListModel for OldParkedDeliveries {
    fn includes(&self, delivery: &WebhookDelivery, _: &View) -> bool {
        !delivery.is_waiting() && delivery.due_at.is_some_and(|due_at| due_at <= self.now)
    }

    fn compare(&self, one: &WebhookDelivery, other: &WebhookDelivery) -> Ordering {
        let key = |delivery: &WebhookDelivery| (delivery.due_at, delivery.endpoint.key(), delivery.message.position);
        key(one).cmp(&key(other))
    }
}

pub(crate) async fn held_messages_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<HeldDeliveries>(db, |dice| HeldDeliveries { webhook: busy_webhook(dice) }).await;
}

pub(crate) async fn parked_messages_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<ParkedDeliveries>(db, |dice| ParkedDeliveries {
        webhook: busy_webhook(dice),
        since: dice.moment(),
    })
    .await;
}

pub(crate) async fn messages_of_a_webhook_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<DeliveriesOfWebhook>(db, |dice| DeliveriesOfWebhook { webhook: busy_webhook(dice) }).await;
}

pub(crate) async fn old_messages_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<OldParkedDeliveries>(db, |dice| OldParkedDeliveries { now: dice.moment() }).await;
}

impl ListModel for WebhookAttemptsFilter {
    fn includes(&self, attempt: &WebhookAttempt, _: &View) -> bool {
        attempt.endpoint == self.webhook && !(self.only_failed && attempt.result.is_success())
    }

    fn compare(&self, one: &WebhookAttempt, other: &WebhookAttempt) -> Ordering {
        other.number.cmp(&one.number)
    }
}

impl ListModel for OldWebhookAttempts {
    fn includes(&self, attempt: &WebhookAttempt, _: &View) -> bool {
        attempt.sent_at.plus_ms(ATTEMPTS_KEPT_MS) <= self.now
    }

    fn compare(&self, one: &WebhookAttempt, other: &WebhookAttempt) -> Ordering {
        let key = |attempt: &WebhookAttempt| (attempt.sent_at, attempt.endpoint.key(), attempt.number);
        key(one).cmp(&key(other))
    }
}

pub(crate) async fn attempts_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<WebhookAttemptsFilter>(db, |dice| WebhookAttemptsFilter {
        webhook: busy_webhook(dice),
        only_failed: dice.flip(),
    })
    .await;
}

pub(crate) async fn old_attempts_are_listed_as_the_model_lists_them(db: Database) {
    assert_lists_agree::<OldWebhookAttempts>(db, |dice| OldWebhookAttempts {
        now: dice.moment().plus_ms(ATTEMPTS_KEPT_MS),
    })
    .await;
}
