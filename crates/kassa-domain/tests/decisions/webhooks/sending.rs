//! Who sends, and what becomes of what is sent.

use kassa_domain::change::{ChangeType, FeedCursor, Subject};
use kassa_domain::order::OrderId;
use kassa_domain::precondition::ResourceRef;
use kassa_domain::webhook::{
    ATTEMPTS_KEPT_MAX, AttemptReport, ClaimEnd, ClaimWebhook, DeliveryState, PurgeWebhookAttempts,
    PurgeWebhookDeliveries, RecordWebhookAttempts, RecordWebhookTest, RecordedAttempts, ReplayWebhook, Unanswered,
    UpdateWebhook, WEBHOOK_CLAIM_MS, Webhook, WebhookClaimOutcome, WebhookDelivery, WebhookId, WebhookMessage,
    WebhookPatch, WebhookResult,
};
use kassa_domain::{Actor, Timestamp};

use super::{DAY_MS, HOUR_MS, position};
use crate::fixture::{Fixture, NOON};

/// Change number `place` of the feed, which is about an order.
pub(super) fn message(place: i64, order: i64) -> WebhookMessage {
    let subject = Subject::Resource(ResourceRef::Order(OrderId::root(order)));
    WebhookMessage { position: position(place), subject, version: place, kind: ChangeType::OrderPaid }
}

pub(super) fn answered(status: u16) -> WebhookResult {
    WebhookResult::Answered { status, excerpt: "ok".to_owned() }
}

pub(super) fn report(message: WebhookMessage, result: WebhookResult, at: Timestamp) -> AttemptReport {
    AttemptReport { message, sent_at: at, duration_ms: 0, result, retry_at: None, next: None }
}

impl Fixture {
    pub(super) fn claim_webhook(&mut self, webhook: WebhookId) -> Option<Webhook> {
        match self.give(&Actor::System, &ClaimWebhook { webhook }).expect("a claim is never refused") {
            WebhookClaimOutcome::Claimed(webhook) => Some(*webhook),
            WebhookClaimOutcome::ClaimedElsewhere(_) | WebhookClaimOutcome::Inactive => None,
        }
    }

    /// What a sender records that has the claim of `webhook`, as far as `place` of the feed.
    pub(super) fn record(&mut self, webhook: &Webhook, attempts: Vec<AttemptReport>, place: i64) -> RecordedAttempts {
        let command = RecordWebhookAttempts {
            webhook: webhook.id,
            claim: webhook.claim.number,
            attempts_before: webhook.attempts,
            attempts,
            held_back: Vec::new(),
            read_from: position(place),
            claim_end: ClaimEnd::Extended,
        };
        self.give(&Actor::System, &command).expect("a record is never refused")
    }

    fn deliveries(&self) -> Vec<WebhookDelivery> {
        let mut held: Vec<WebhookDelivery> = self.view.webhook_deliveries.rows().cloned().collect();
        held.sort_unstable_by_key(|delivery| delivery.message.position);
        held
    }
}

#[test]
fn one_sends_at_a_time_until_the_claim_lapses() {
    let mut fixture = Fixture::new();
    let webhook = fixture.webhook().id;
    let first = fixture.claim_webhook(webhook).unwrap();
    assert_eq!(first.due_at, Some(NOON.plus_ms(WEBHOOK_CLAIM_MS)), "others look at it when it lapses");
    assert!(fixture.claim_webhook(webhook).is_none());
    fixture.pass_ms_for_webhooks(WEBHOOK_CLAIM_MS - 1);
    assert!(fixture.claim_webhook(webhook).is_none());
    fixture.record(&first, Vec::new(), 10);
    fixture.pass_ms_for_webhooks(WEBHOOK_CLAIM_MS - 1);
    assert!(fixture.claim_webhook(webhook).is_none(), "whoever records is still there");
    fixture.pass_ms_for_webhooks(1);
    let second = fixture.claim_webhook(webhook).unwrap();
    assert_eq!(second.claim.number, first.claim.number + 1);
}

#[test]
fn what_was_taken_leaves_an_attempt_and_nothing_else() {
    let mut fixture = Fixture::new();
    let webhook = fixture.webhook().id;
    let claimed = fixture.claim_webhook(webhook).unwrap();
    let attempts = vec![report(message(11, 1), answered(204), NOON), report(message(12, 2), answered(200), NOON)];
    let stated = fixture.stated(|fixture| drop(fixture.record(&claimed, attempts, 12)));
    let found = fixture.found_webhook(webhook);
    assert_eq!((stated.as_str(), found.read_from, found.attempts), ("", position(12), 2));
    assert_eq!((found.health.last_success_at, found.revision.number()), (Some(NOON), 1));
    assert_eq!((fixture.deliveries(), fixture.view.webhook_attempts.rows().count()), (vec![], 2));
}

#[test]
fn what_was_not_taken_holds_back_what_follows_of_its_resource() {
    let mut fixture = Fixture::new();
    let webhook = fixture.webhook().id;
    let claimed = fixture.claim_webhook(webhook).unwrap();
    let failed = report(message(11, 1), answered(500), NOON);
    let taken = report(message(12, 2), answered(200), NOON);
    let command = RecordWebhookAttempts {
        webhook,
        claim: claimed.claim.number,
        attempts_before: 0,
        attempts: vec![failed, taken],
        held_back: vec![message(13, 1)],
        read_from: position(13),
        claim_end: ClaimEnd::Released(Some(NOON.plus_ms(5_000))),
    };
    let recorded = fixture.give(&Actor::System, &command).unwrap();
    assert_eq!(recorded.webhook, Some(fixture.found_webhook(webhook)));
    let [head, behind] = fixture.deliveries().try_into().unwrap();
    assert_eq!((head.message, head.tries, behind.message, behind.tries), (message(11, 1), 1, message(13, 1), 0));
    let due_at = head.due_at.unwrap().ms() - NOON.ms();
    assert!((4_000..=6_000).contains(&due_at), "{due_at}");
    assert_eq!(behind.due_at, None);
    let found = fixture.found_webhook(webhook);
    assert!(!found.is_claimed(NOON), "released");
    assert_eq!((found.read_from, found.due_at), (position(13), Some(NOON.plus_ms(5_000))));
    // Once it is taken, the next is due.
    fixture.pass_ms_for_webhooks(6_000);
    let claimed = fixture.claim_webhook(webhook).unwrap();
    let now = fixture.now;
    let taken = AttemptReport { next: Some(position(13)), ..report(message(11, 1), answered(200), now) };
    fixture.record(&claimed, vec![taken], 13);
    let [next] = fixture.deliveries().try_into().unwrap();
    assert_eq!((next.message, next.due_at), (message(13, 1), Some(now)));
}

#[test]
fn whoever_has_lost_the_claim_changes_nothing() {
    let mut fixture = Fixture::new();
    let webhook = fixture.webhook().id;
    let first = fixture.claim_webhook(webhook).unwrap();
    fixture.pass_ms_for_webhooks(WEBHOOK_CLAIM_MS);
    let second = fixture.claim_webhook(webhook).unwrap();
    let now = fixture.now;
    let late = report(message(11, 1), answered(500), now);
    assert!(fixture.record(&first, vec![late], 11).webhook.is_none());
    let found = fixture.found_webhook(webhook);
    assert_eq!((found.read_from, found.health, found.claim), (second.read_from, second.health, second.claim));
    assert_eq!((found.attempts, fixture.deliveries()), (1, vec![]), "but that it was tried is true");
    assert!(fixture.record(&second, Vec::new(), 11).webhook.is_some());
}

#[test]
fn a_poison_message_is_parked_and_its_endpoint_goes_on() {
    let mut fixture = Fixture::new();
    let webhook = fixture.webhook().id;
    for round in 0..10 {
        let claimed = fixture.claim_webhook(webhook).unwrap();
        let now = fixture.now;
        let poison = AttemptReport { next: Some(position(12)), ..report(message(11, 1), answered(500), now) };
        let other = report(message(100 + round, 2), answered(200), now);
        let mut command = RecordWebhookAttempts {
            webhook,
            claim: claimed.claim.number,
            attempts_before: claimed.attempts,
            attempts: vec![poison, other],
            held_back: Vec::new(),
            read_from: position(100 + round),
            claim_end: ClaimEnd::Extended,
        };
        if round == 0 {
            command.held_back.push(message(12, 1));
        }
        fixture.give(&Actor::System, &command).unwrap();
        fixture.pass_ms_for_webhooks(2 * DAY_MS);
    }
    let [parked, next] = fixture.deliveries().try_into().unwrap();
    assert_eq!((parked.state, parked.tries), (DeliveryState::Parked, 10));
    assert_eq!((next.state, next.message), (DeliveryState::Waiting, message(12, 1)));
    assert!(next.due_at.is_some(), "its resource goes on");
    assert_eq!(fixture.found_webhook(webhook).health.failures, 0);
    // It is sent once more if somebody asks.
    let again = ReplayWebhook {
        partner: fixture.org,
        webhook,
        after: None,
        messages: vec![message(11, 1)],
        unselected: vec![],
    };
    let stated = fixture.stated(|fixture| drop(fixture.give(&fixture.organizer(), &again).unwrap()));
    let replayed = fixture.deliveries().swap_remove(0);
    assert_eq!((stated.as_str(), replayed.state, replayed.tries), ("webhook.replayed 2", DeliveryState::Waiting, 0));
    assert_eq!(replayed.due_at, Some(fixture.now));
}

#[test]
fn an_enabled_endpoint_goes_on_where_it_stopped() {
    let mut fixture = Fixture::new();
    let webhook = fixture.webhook().id;
    let claimed = fixture.claim_webhook(webhook).unwrap();
    let lost = WebhookResult::Unanswered(Unanswered::TimedOut);
    let failed = (11..16).map(|place| report(message(place, place), lost.clone(), NOON)).collect();
    fixture.record(&claimed, failed, 15);
    assert!(fixture.found_webhook(webhook).health.is_probed());
    fixture.enable_webhook(webhook, false);
    fixture.pass_ms_for_webhooks(HOUR_MS);
    let (now, enabled) = (fixture.now, fixture.enable_webhook(webhook, true));
    assert_eq!((enabled.read_from, enabled.health.failures, enabled.due_at), (position(15), 0, Some(now)));
    let held = fixture.deliveries();
    assert_eq!(held.len(), 5);
    assert!(held.iter().all(|delivery| delivery.is_due(&enabled.health, enabled.enabled_at, now)));
}

#[test]
fn a_test_that_is_taken_has_a_failing_endpoint_tried_at_once() {
    let mut fixture = Fixture::new();
    let webhook = fixture.webhook().id;
    let claimed = fixture.claim_webhook(webhook).unwrap();
    let failed = (11..16).map(|place| report(message(place, place), answered(500), NOON)).collect();
    fixture.record(&claimed, failed, 15);
    fixture.pass_ms_for_webhooks(1_000);
    let partner = fixture.org;
    let test =
        |result, at| RecordWebhookTest { partner, webhook, attempts_before: 5, sent_at: at, duration_ms: 0, result };
    let now = fixture.now;
    fixture.give(&fixture.organizer(), &test(answered(500), now)).unwrap();
    let found = fixture.found_webhook(webhook);
    assert_eq!((found.health.failures, found.attempts), (5, 6), "a test that fails is held against nobody");
    fixture.give(&fixture.organizer(), &test(answered(200), now)).unwrap();
    let found = fixture.found_webhook(webhook);
    assert_eq!((found.health.failures, found.attempts, found.due_at), (0, 7, Some(now)));
    assert!(fixture.deliveries().iter().all(|held| held.is_due(&found.health, found.enabled_at, now)));
    let tests = fixture.view.webhook_attempts.rows().filter(|attempt| attempt.message.is_none());
    assert_eq!(tests.count(), 2);
}

#[test]
fn the_newest_attempts_are_kept() {
    let mut fixture = Fixture::new();
    let webhook = fixture.webhook().id;
    let claimed = fixture.claim_webhook(webhook).unwrap();
    fixture.record(&claimed, vec![report(message(11, 1), answered(200), NOON)], 11);
    fixture.arrange(|view| {
        let webhook = view.webhooks.get(webhook).unwrap().clone();
        view.webhooks.put(Webhook { attempts: ATTEMPTS_KEPT_MAX, ..webhook });
    });
    let claimed = fixture.found_webhook(webhook);
    fixture.record(&claimed, vec![report(message(12, 1), answered(200), NOON)], 12);
    let numbers: Vec<i64> = fixture.view.webhook_attempts.rows().map(|attempt| attempt.number).collect();
    assert_eq!(numbers, [ATTEMPTS_KEPT_MAX + 1]);
}

#[test]
fn what_was_kept_long_enough_is_forgotten() {
    let mut fixture = Fixture::new();
    let webhook = fixture.webhook().id;
    let claimed = fixture.claim_webhook(webhook).unwrap();
    let failed = report(message(11, 1), answered(500), NOON);
    fixture.record(&claimed, vec![failed, report(message(12, 2), answered(500), NOON)], 12);
    fixture.arrange(|view| {
        let parked = view.webhook_deliveries.get((webhook, position(11))).unwrap().clone();
        let due_at = Some(NOON.plus_ms(30 * DAY_MS));
        view.webhook_deliveries.put(WebhookDelivery { state: DeliveryState::Parked, due_at, ..parked });
    });
    let positions: Vec<FeedCursor> = vec![position(11), position(12)];
    let attempts = PurgeWebhookAttempts { webhook, numbers: vec![1, 2] };
    let purge = |is_all| PurgeWebhookDeliveries { webhook, positions: positions.clone(), is_all };
    fixture.pass_ms_for_webhooks(30 * DAY_MS - 1);
    assert_eq!(fixture.give(&Actor::System, &attempts).unwrap(), 0);
    assert_eq!(fixture.give(&Actor::System, &purge(true)).unwrap(), 0);
    fixture.pass_ms_for_webhooks(1);
    assert_eq!(fixture.give(&Actor::System, &attempts).unwrap(), 2);
    assert_eq!(fixture.give(&Actor::System, &purge(true)).unwrap(), 1, "what waits is never given up by age");
    let remove = UpdateWebhook { partner: fixture.org, webhook, patch: WebhookPatch::default(), remove: true };
    assert_eq!(fixture.give(&fixture.organizer(), &remove).unwrap().due_at, Some(fixture.now));
    assert_eq!(fixture.give(&Actor::System, &purge(true)).unwrap(), 1, "but goes with its endpoint");
    assert_eq!((fixture.found_webhook(webhook).due_at, fixture.deliveries()), (None, vec![]));
}
