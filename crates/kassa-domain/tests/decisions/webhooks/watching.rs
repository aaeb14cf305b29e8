//! What is told of endpoints that fail, and when they are disabled.

use kassa_domain::Actor;
use kassa_domain::mail::MailContent;
use kassa_domain::webhook::{
    DisableWebhook, DisabledReason, RotateWebhookSecret, WatchWebhook, WebhookId, WebhookNotice, WebhookStatus,
};

use super::sending::{answered, message, report};
use super::{DAY_MS, HOUR_MS};
use crate::fixture::{Fixture, NOON};

impl Fixture {
    fn watch(&mut self, webhook: WebhookId) -> bool {
        let recipients = vec!["ann@example.org".parse().unwrap()];
        self.give(&Actor::System, &WatchWebhook { webhook, recipients }).unwrap()
    }

    fn disable(&mut self, webhook: WebhookId) -> bool {
        let recipients = vec!["ann@example.org".parse().unwrap()];
        self.give(&Actor::System, &DisableWebhook { webhook, recipients }).unwrap()
    }

    fn notices(&self) -> Vec<WebhookNotice> {
        let mut mails: Vec<_> = self.view.mails.rows().collect();
        mails.sort_unstable_by_key(|mail| mail.id);
        let notice = |content: &MailContent| {
            if let MailContent::Webhook { notice, .. } = content { Some(*notice) } else { None }
        };
        mails.iter().filter_map(|mail| notice(&mail.content)).collect()
    }

    /// An endpoint that has failed twice, from noon on.
    fn failing_webhook(&mut self) -> WebhookId {
        let webhook = self.webhook().id;
        let claimed = self.claim_webhook(webhook).unwrap();
        let failed = |place| report(message(place, place), answered(500), NOON);
        self.record(&claimed, vec![failed(11), failed(12)], 12);
        webhook
    }
}

#[test]
fn a_partner_is_told_after_an_hour_a_day_and_at_the_end() {
    let mut fixture = Fixture::new();
    let webhook = fixture.failing_webhook();
    fixture.pass_ms_for_webhooks(HOUR_MS - 1);
    assert!(!fixture.watch(webhook));
    fixture.pass_ms_for_webhooks(1);
    assert!(fixture.watch(webhook));
    assert!(!fixture.watch(webhook), "once");
    assert!(!fixture.disable(webhook), "not yet");
    fixture.pass_ms_for_webhooks(23 * HOUR_MS);
    assert!(fixture.watch(webhook));
    let watched = fixture.found_webhook(webhook).watch_at();
    assert_eq!(watched, Some(NOON.plus_ms(5 * DAY_MS)));
    fixture.pass_ms_for_webhooks(4 * DAY_MS);
    let stated = fixture.stated(|fixture| assert!(fixture.disable(webhook)));
    assert_eq!(stated, "webhook.disabled 2");
    let found = fixture.found_webhook(webhook);
    assert_eq!((found.status, found.watch_at()), (WebhookStatus::Disabled(DisabledReason::Failing), None));
    assert!(!fixture.disable(webhook) && fixture.claim_webhook(webhook).is_none());
    let told = [WebhookNotice::FailingForHour, WebhookNotice::FailingForDay, WebhookNotice::DisabledFailing];
    assert_eq!(fixture.notices(), told);
    assert!(!fixture.enable_webhook(webhook, true).removed, "it is never deleted");
    assert!(fixture.claim_webhook(webhook).is_some());
}

#[test]
fn a_success_is_a_new_beginning() {
    let mut fixture = Fixture::new();
    let webhook = fixture.failing_webhook();
    fixture.pass_ms_for_webhooks(2 * HOUR_MS);
    assert!(fixture.watch(webhook));
    let (now, claimed) = (fixture.now, fixture.claim_webhook(webhook).unwrap());
    fixture.record(&claimed, vec![report(message(11, 11), answered(200), now)], 12);
    fixture.pass_ms_for_webhooks(6 * DAY_MS);
    assert!(!fixture.watch(webhook) && !fixture.disable(webhook));
    assert_eq!(fixture.notices(), [WebhookNotice::FailingForHour]);
}

#[test]
fn whoever_says_that_it_is_gone_is_disabled_at_once() {
    let mut fixture = Fixture::new();
    let webhook = fixture.webhook().id;
    let claimed = fixture.claim_webhook(webhook).unwrap();
    fixture.record(&claimed, vec![report(message(11, 1), answered(410), NOON)], 11);
    assert_eq!(fixture.found_webhook(webhook).watch_at(), Some(NOON));
    assert!(!fixture.watch(webhook), "there is nothing else to tell");
    assert!(fixture.disable(webhook));
    assert_eq!(fixture.found_webhook(webhook).status, WebhookStatus::Disabled(DisabledReason::Gone));
    assert_eq!(fixture.notices(), [WebhookNotice::DisabledGone]);
}

#[test]
fn whoever_has_said_that_it_is_gone_can_be_enabled_before_it_is_disabled() {
    let mut fixture = Fixture::new();
    let webhook = fixture.webhook().id;
    let claimed = fixture.claim_webhook(webhook).unwrap();
    fixture.record(&claimed, vec![report(message(11, 1), answered(410), NOON)], 11);
    fixture.enable_webhook(webhook, true);
    assert!(!fixture.disable(webhook), "what it had said is forgotten");
    assert_eq!(fixture.found_webhook(webhook).status, WebhookStatus::Enabled);
    assert!(fixture.claim_webhook(webhook).is_some());
}

#[test]
fn a_replaced_secret_is_forgotten_when_it_signs_no_more() {
    let mut fixture = Fixture::new();
    let webhook = fixture.webhook().id;
    let rotate = RotateWebhookSecret { partner: fixture.org, webhook, encrypted_secret: vec![2] };
    fixture.give(&fixture.organizer(), &rotate).unwrap();
    fixture.pass_ms_for_webhooks(DAY_MS - 1);
    assert!(!fixture.watch(webhook));
    fixture.pass_ms_for_webhooks(1);
    assert!(fixture.watch(webhook));
    assert_eq!(fixture.found_webhook(webhook).replaced_secret, None);
    assert_eq!(fixture.notices(), []);
}
