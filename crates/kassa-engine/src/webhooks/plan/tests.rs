//! The order of messages, without a network.

use kassa_domain::change::{ChangeType, Revision};
use kassa_domain::order::OrderId;
use kassa_domain::precondition::ResourceRef;
use kassa_domain::webhook::{
    DeliveryState, EndpointHealth, WebhookClaim, WebhookPayload, WebhookResult, WebhookSelection, WebhookStatus,
};

use super::*;

const NOW: Timestamp = Timestamp::from_ms(1_000_000);

/// An endpoint that takes what is sent.
pub(in crate::webhooks) fn webhook() -> Webhook {
    Webhook {
        id: kassa_domain::Id::root(1),
        partner: kassa_domain::Id::root(2),
        url: String::new(),
        description: None,
        selection: WebhookSelection::default(),
        payload: WebhookPayload::Full,
        has_customers: false,
        status: WebhookStatus::Enabled,
        encrypted_secret: Vec::new(),
        replaced_secret: None,
        removed: false,
        read_from: FeedCursor::START,
        health: EndpointHealth { last_success_at: Some(Timestamp::from_ms(1)), ..EndpointHealth::default() },
        claim: WebhookClaim { number: 1, till_ms: i64::MAX },
        due_at: None,
        attempts: 0,
        enabled_at: Timestamp::from_ms(0),
        created_at: Timestamp::from_ms(0),
        updated_at: Timestamp::from_ms(0),
        revision: Revision::default(),
    }
}

fn at(place: i64) -> FeedCursor {
    FeedCursor { place, index: 0 }
}

/// A change of an order.
fn message(place: i64, order: i64) -> WebhookMessage {
    let subject = Subject::Resource(ResourceRef::Order(OrderId::root(order)));
    WebhookMessage { position: at(place), subject, version: place, kind: ChangeType::OrderPaid }
}

fn held(place: i64, order: i64, due_at: Option<Timestamp>) -> WebhookDelivery {
    WebhookDelivery {
        endpoint: webhook().id,
        message: message(place, order),
        state: DeliveryState::Waiting,
        tries: u32::from(due_at.is_some()),
        first_tried_at: due_at.map(|_| NOW),
        last_tried_at: due_at.map(|_| NOW),
        due_at,
    }
}

fn report(message: WebhookMessage, status: u16) -> AttemptReport {
    let result = WebhookResult::Answered { status, excerpt: String::new() };
    AttemptReport { message, sent_at: NOW, duration_ms: 1, result, retry_at: None, next: None }
}

/// The places of all messages that are sent now.
fn take_all(plan: &mut DeliveryPlan) -> Vec<i64> {
    std::iter::from_fn(|| plan.take(NOW)).map(|message| message.position.place).collect()
}

fn plan(changes: &[(i64, i64)]) -> DeliveryPlan {
    let mut plan = DeliveryPlan::new(webhook(), Vec::new());
    let next = changes.last().map_or(FeedCursor::START, |(place, _)| FeedCursor::behind(*place));
    plan.add(changes.iter().map(|(place, order)| message(*place, *order)), next);
    plan
}

/// Records what was tried, as the database would have it if each failure were due again in five seconds.
fn record(plan: &mut DeliveryPlan, health: EndpointHealth) -> (FeedCursor, Vec<i64>) {
    let Unrecorded { attempts, held_back, read_from } = plan.take_unrecorded();
    let mut touched: Vec<FeedCursor> =
        attempts.iter().flat_map(|report| [Some(report.message.position), report.next]).flatten().collect();
    touched.extend(held_back.iter().map(|message| message.position));
    let mut deliveries: Vec<WebhookDelivery> = Vec::new();
    for report in attempts {
        if !report.result.is_success() {
            let due_at = Some(NOW.plus_ms(5_000));
            deliveries.push(WebhookDelivery { message: report.message, ..held(0, 0, due_at) });
        } else if let Some(next) = report.next.and_then(|next| plan.held.get(&next)) {
            deliveries.push(WebhookDelivery { due_at: Some(NOW), ..next.clone() });
        }
    }
    deliveries.extend(held_back.iter().map(|message| WebhookDelivery { message: *message, ..held(0, 0, None) }));
    let webhook = Some(Webhook { health, read_from, ..webhook() });
    assert!(plan.apply(RecordedAttempts { webhook, deliveries }, &touched));
    (read_from, held_back.iter().map(|message| message.position.place).collect())
}

#[test]
fn resources_go_side_by_side_and_each_in_its_order() {
    let mut plan = plan(&[(1, 7), (2, 7), (3, 8), (4, 9), (5, 7), (6, 10), (7, 11)]);
    assert_eq!(take_all(&mut plan), [1, 3, 4, 6], "four at a time, one of each");
    plan.finish(report(message(3, 8), 200));
    assert_eq!(take_all(&mut plan), [7]);
    plan.finish(report(message(1, 7), 200));
    assert_eq!(take_all(&mut plan), [2]);
    assert_eq!(plan.first_unread(), at(2), "what is before was taken");
}

#[test]
fn what_fails_holds_back_what_is_behind_it_and_nothing_else() {
    let mut plan = plan(&[(1, 7), (2, 8), (3, 7), (4, 8)]);
    assert_eq!(take_all(&mut plan), [1, 2]);
    plan.finish(report(message(1, 7), 500));
    assert!(take_all(&mut plan).is_empty(), "not before it is recorded");
    assert!(plan.must_record());
    plan.finish(report(message(2, 8), 200));
    let health = EndpointHealth { failures: 1, ..webhook().health };
    assert_eq!(record(&mut plan, health), (at(4), vec![3]));
    assert_eq!(take_all(&mut plan), [4]);
    plan.finish(report(message(4, 8), 200));
    assert_eq!(record(&mut plan, webhook().health).0, FeedCursor::behind(4), "what is held back has rows");
    // Later ones go behind it, too.
    plan.add([message(5, 7), message(6, 9)], FeedCursor::behind(6));
    assert_eq!(take_all(&mut plan), [6]);
    plan.finish(report(message(6, 9), 200));
    assert_eq!(record(&mut plan, webhook().health), (FeedCursor::behind(6), vec![5]));
    assert_eq!(plan.due_at(), Some(NOW.plus_ms(5_000)));
}

#[test]
fn what_was_held_back_goes_in_its_order_once_the_first_is_taken() {
    let held = vec![held(1, 7, Some(NOW)), held(3, 7, None), held(2, 7, None)];
    let mut plan = DeliveryPlan::new(Webhook { read_from: at(9), ..webhook() }, held);
    plan.add([message(9, 7)], FeedCursor::behind(9));
    assert_eq!(take_all(&mut plan), [1]);
    plan.finish(report(message(1, 7), 200));
    assert_eq!(record(&mut plan, webhook().health), (FeedCursor::behind(9), vec![9]));
    assert_eq!(plan.take(NOW).map(|message| message.position), Some(at(2)));
    plan.finish(report(message(2, 7), 200));
    assert_eq!(plan.take(NOW), None, "what has a row is taken once, and then recorded");
    assert!(plan.must_record());
    record(&mut plan, webhook().health);
    for place in [3, 9] {
        assert_eq!(take_all(&mut plan), [place]);
        plan.finish(report(message(place, 7), 200));
        record(&mut plan, webhook().health);
    }
    assert_eq!((take_all(&mut plan), plan.due_at()), (vec![], None));
}

#[test]
fn what_is_read_again_and_held_back_is_sent_once() {
    let mut plan = DeliveryPlan::new(webhook(), vec![held(2, 7, Some(NOW.plus_ms(1)))]);
    plan.add([message(1, 7), message(2, 7), message(3, 8)], FeedCursor::behind(3));
    assert_eq!(take_all(&mut plan), [3]);
    plan.finish(report(message(3, 8), 200));
    // What comes before is now the first of its resource.
    assert_eq!(record(&mut plan, webhook().health), (FeedCursor::behind(3), vec![1]));
    assert_eq!(take_all(&mut plan), [1]);
}

#[test]
fn a_dead_endpoint_gets_one_probe_at_a_time_and_nothing_new() {
    let dead = EndpointHealth {
        failures: 5,
        last_attempt_at: Some(NOW),
        resume_at: Some(NOW.plus_ms(5_000)),
        ..EndpointHealth::default()
    };
    let held = vec![held(1, 7, Some(NOW)), held(2, 8, Some(NOW.plus_ms(1)))];
    let mut plan = DeliveryPlan::new(Webhook { health: dead, read_from: at(3), ..webhook() }, held);
    assert_eq!(plan.room(), 1, "that there is something new is all that matters");
    plan.add([message(3, 9)], FeedCursor::behind(3));
    assert_eq!((plan.take(NOW), plan.room()), (None, 0));
    let later = NOW.plus_ms(5_000);
    assert_eq!(plan.due_at(), Some(later));
    assert_eq!(plan.take(later).map(|message| message.position), Some(at(1)));
    assert_eq!(plan.take(later), None, "one at a time");
    plan.finish(AttemptReport { sent_at: later, ..report(message(1, 7), 500) });
    let dead = EndpointHealth { failures: 6, last_attempt_at: Some(later), ..dead };
    let touched = [at(1)];
    let _ = plan.take_unrecorded();
    let due_at = Some(NOW.plus_ms(3_600_000));
    let deliveries = vec![WebhookDelivery { due_at, last_tried_at: Some(later), ..self::held(1, 7, due_at) }];
    assert!(
        plan.apply(RecordedAttempts { webhook: Some(Webhook { health: dead, ..webhook() }), deliveries }, &touched)
    );
    assert_eq!(plan.take(later).map(|message| message.position), Some(at(2)), "then the next of those that are due");
}

#[test]
fn something_new_is_a_reason_for_a_probe_now_and_then() {
    let dead = EndpointHealth { failures: 5, last_attempt_at: Some(NOW), ..EndpointHealth::default() };
    let hours = NOW.plus_ms(36_000_000);
    let mut plan = DeliveryPlan::new(Webhook { health: dead, ..webhook() }, vec![held(1, 7, Some(hours))]);
    assert_eq!(plan.due_at(), Some(hours));
    plan.add([message(2, 8)], FeedCursor::behind(2));
    let soon = NOW.plus_ms(300_000);
    assert_eq!((plan.due_at(), plan.take(NOW)), (Some(soon), None));
    assert_eq!(plan.take(soon).map(|message| message.position), Some(at(1)), "the oldest is tried");
}

#[test]
fn news_are_no_reason_to_send_where_nothing_may_be_sent() {
    let blocked = |health, held: &[WebhookDelivery]| {
        DeliveryPlan::new(Webhook { health, ..webhook() }, held.to_vec()).blocked_till(NOW)
    };
    let (soon, hours) = (NOW.plus_ms(5_000), NOW.plus_ms(36_000_000));
    let later = [held(1, 7, Some(hours))];
    let well = webhook().health;
    assert_eq!([blocked(well, &[]), blocked(well, &later)], [None, None], "others go past what is held back");
    let waited_for = EndpointHealth { resume_at: Some(soon), ..well };
    assert_eq!([blocked(waited_for, &[]), blocked(waited_for, &later)], [Some(soon); 2]);
    assert_eq!(blocked(EndpointHealth { resume_at: Some(NOW), ..well }, &[]), None);
    let dead = EndpointHealth { failures: 5, last_attempt_at: Some(NOW), resume_at: Some(soon), ..well };
    assert_eq!(blocked(dead, &later), Some(NOW.plus_ms(300_000)), "news are a reason for a probe then");
    assert_eq!(blocked(dead, &[held(1, 7, Some(NOW))]), Some(soon));
    let full: Vec<WebhookDelivery> =
        (1..=i64::from(DELIVERIES_WAITING_MAX)).map(|place| held(place, 7, Some(hours))).collect();
    assert_eq!(blocked(well, &full), Some(hours));
    assert!(blocked(EndpointHealth { is_gone: true, ..well }, &[]).is_some());
}

#[test]
fn what_was_not_tried_after_all_is_not_passed_over() {
    let mut plan = plan(&[(1, 7), (2, 7)]);
    assert_eq!(take_all(&mut plan), [1]);
    plan.put_back(message(1, 7));
    assert_eq!((plan.is_in_flight(), plan.has_unrecorded(), plan.first_unread()), (false, false, at(1)));
    assert_eq!(take_all(&mut plan), [1]);
}

#[test]
fn a_claim_that_is_lost_ends_it() {
    let mut plan = plan(&[(1, 7)]);
    take_all(&mut plan);
    plan.finish(report(message(1, 7), 200));
    let _ = plan.take_unrecorded();
    assert!(!plan.apply(RecordedAttempts { webhook: None, deliveries: Vec::new() }, &[at(1)]));
}

#[test]
fn what_waits_has_a_limit() {
    let held: Vec<WebhookDelivery> =
        (1..=i64::from(DELIVERIES_WAITING_MAX)).map(|place| held(place, 7, None)).collect();
    assert_eq!(DeliveryPlan::new(webhook(), held[1..].to_vec()).room(), 1);
    assert_eq!(DeliveryPlan::new(webhook(), held).room(), 0);
    assert_eq!(DeliveryPlan::new(webhook(), Vec::new()).room(), PENDING_MAX);
}
