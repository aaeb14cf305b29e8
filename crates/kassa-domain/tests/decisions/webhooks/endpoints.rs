//! What partners say of their endpoints.

use kassa_domain::quota::QuotaKind;
use kassa_domain::webhook::{
    CreateWebhook, DisabledReason, ReplayWebhook, RotateWebhookSecret, UpdateWebhook, WebhookPatch, WebhookStatus,
};
use kassa_domain::{Actor, Refusal};

use super::sending::message;
use super::{DAY_MS, described, orders, position};
use crate::fixture::{Fixture, NOON};

#[test]
fn an_endpoint_begins_where_the_feed_ends() {
    let mut fixture = Fixture::new();
    let mut webhook = None;
    let stated = fixture.stated(|fixture| webhook = Some(fixture.webhook()));
    let webhook = webhook.unwrap();
    assert_eq!((webhook.read_from, webhook.status, webhook.due_at), (position(10), WebhookStatus::Enabled, None));
    assert_eq!((stated.as_str(), webhook.revision.number()), ("webhook.created 1", 1));
    let usage = fixture.view.partners.get(fixture.org).unwrap().usage;
    assert_eq!(usage.get(QuotaKind::Webhooks), 1);
    let disabled = WebhookPatch { enabled: Some(false), ..orders() };
    let create = fixture.new_webhook(disabled);
    let disabled = fixture.give(&fixture.organizer(), &create).unwrap();
    assert_eq!(disabled.status, WebhookStatus::Disabled(DisabledReason::Asked));
}

#[test]
fn an_endpoint_is_nobodys_but_its_partners() {
    let mut fixture = Fixture::new();
    let webhook = fixture.webhook().id;
    let (partner, other) = (fixture.org, fixture.partner());
    let update = UpdateWebhook { partner, webhook, patch: described("mine"), remove: false };
    assert_eq!(fixture.give(&Actor::Partner(other), &update).unwrap_err(), Refusal::NotFound("partner"));
    assert_eq!(fixture.give(&Actor::Anonymous, &update).unwrap_err(), Refusal::CredentialRequired);
    let foreign = UpdateWebhook { partner: other, ..update };
    assert_eq!(fixture.give(&Actor::Partner(other), &foreign).unwrap_err(), Refusal::NotFound("webhook"));
    let create = CreateWebhook { partner, ..fixture.new_webhook(orders()) };
    assert_eq!(fixture.give(&Actor::Partner(other), &create).unwrap_err(), Refusal::NotFound("partner"));
}

#[test]
fn an_endpoint_names_events_that_its_partner_sees() {
    let mut fixture = Fixture::new();
    let of = |event| WebhookPatch { events: Some(vec![event]), ..orders() };
    let create = fixture.new_webhook(of(fixture.event));
    assert_eq!(fixture.give(&fixture.organizer(), &create).unwrap().selection.events, [fixture.event]);
    let unknown = kassa_domain::Id::root(1);
    let create = fixture.new_webhook(of(unknown));
    assert_eq!(fixture.give(&fixture.organizer(), &create).unwrap_err(), Refusal::EventUnknown(unknown.to_string()));
    let create = fixture.new_webhook(WebhookPatch { events: Some(vec![fixture.event; 101]), ..orders() });
    let too_many = Refusal::TooMany { what: "events of a webhook", max: 100 };
    assert_eq!(fixture.give(&fixture.organizer(), &create).unwrap_err(), too_many);
}

#[test]
fn an_edit_takes_the_endpoint_from_whoever_sends() {
    let mut fixture = Fixture::new();
    let webhook = fixture.webhook();
    let claimed = fixture.claim_webhook(webhook.id).unwrap();
    let stated = fixture.stated(|fixture| drop(fixture.update_webhook(webhook.id, described("for the books"))));
    let edited = fixture.found_webhook(webhook.id);
    assert_eq!((stated.as_str(), edited.description.as_deref()), ("webhook.changed 2", Some("for the books")));
    assert!(edited.claim.number > claimed.claim.number && !edited.is_claimed(NOON));
    assert_eq!(edited.due_at, Some(NOON), "somebody goes on at once");
    let stated = fixture.stated(|fixture| drop(fixture.update_webhook(webhook.id, described("for the books"))));
    assert_eq!((stated.as_str(), fixture.found_webhook(webhook.id)), ("", edited), "nothing has changed");
}

#[test]
fn nothing_is_sent_to_a_disabled_or_removed_endpoint() {
    let mut fixture = Fixture::new();
    let webhook = fixture.webhook().id;
    let stated = fixture.stated(|fixture| drop(fixture.enable_webhook(webhook, false)));
    assert_eq!(stated, "webhook.disabled 2");
    assert!(fixture.claim_webhook(webhook).is_none());
    let stated = fixture.stated(|fixture| drop(fixture.enable_webhook(webhook, true)));
    assert_eq!(stated, "webhook.enabled 3");
    assert!(fixture.claim_webhook(webhook).is_some());
    let remove = UpdateWebhook { partner: fixture.org, webhook, patch: WebhookPatch::default(), remove: true };
    let stated = fixture.stated(|fixture| drop(fixture.give(&fixture.organizer(), &remove).unwrap()));
    assert_eq!(stated, "webhook.removed 4");
    assert!(fixture.claim_webhook(webhook).is_none());
    assert!(fixture.give(&fixture.organizer(), &remove).unwrap().removed, "it stays visible, and removed");
}

#[test]
fn two_secrets_sign_for_a_day_after_a_rotation() {
    let mut fixture = Fixture::new();
    let webhook = fixture.webhook().id;
    let claim = fixture.claim_webhook(webhook).unwrap().claim;
    let rotate = RotateWebhookSecret { partner: fixture.org, webhook, encrypted_secret: vec![2] };
    let stated = fixture.stated(|fixture| drop(fixture.give(&fixture.organizer(), &rotate).unwrap()));
    assert_eq!(stated, "webhook.secret_rotated 2");
    let rotated = fixture.found_webhook(webhook);
    assert_eq!(rotated.claim, claim, "whoever sends goes on");
    let replaced = rotated.replaced_secret.clone().unwrap();
    assert_eq!((rotated.encrypted_secret.as_slice(), replaced.encrypted.as_slice()), (&[2][..], &[1][..]));
    assert_eq!((replaced.signs_till, rotated.watch_at()), (NOON.plus_ms(DAY_MS), Some(NOON.plus_ms(DAY_MS))));
}

#[test]
fn what_is_ahead_of_the_record_is_sent_again_only_by_whoever_begins_anew() {
    let mut fixture = Fixture::new();
    let webhook = fixture.webhook().id;
    let read_from = fixture.found_webhook(webhook).read_from;
    let messages = vec![message(read_from.place, 1)];
    let replay = ReplayWebhook { partner: fixture.org, webhook, after: None, messages, unselected: vec![] };
    let stated = fixture.stated(|fixture| drop(fixture.give(&fixture.organizer(), &replay).unwrap()));
    assert_eq!((stated.as_str(), fixture.view.webhook_deliveries.rows().count()), ("", 0), "it comes by itself");
    let claim = fixture.claim_webhook(webhook).unwrap().claim.number;
    let stated = fixture.stated(|fixture| drop(fixture.give(&fixture.organizer(), &replay).unwrap()));
    assert_eq!((stated.as_str(), fixture.view.webhook_deliveries.rows().count()), ("webhook.replayed 2", 0));
    assert!(fixture.found_webhook(webhook).claim.number > claim, "it may have been sent");
}

#[test]
fn a_replay_goes_back_to_a_position_and_never_ahead() {
    let mut fixture = Fixture::new();
    let webhook = fixture.webhook().id;
    let claim = fixture.claim_webhook(webhook).unwrap().claim.number;
    let replay = |place| ReplayWebhook {
        partner: fixture.org,
        webhook,
        after: Some(position(place)),
        messages: vec![],
        unselected: vec![],
    };
    let (back, ahead) = (replay(3), replay(11));
    let stated = fixture.stated(|fixture| drop(fixture.give(&fixture.organizer(), &ahead).unwrap()));
    assert_eq!(stated, "");
    let stated = fixture.stated(|fixture| drop(fixture.give(&fixture.organizer(), &back).unwrap()));
    let found = fixture.found_webhook(webhook);
    assert_eq!((stated.as_str(), found.read_from, found.due_at), ("webhook.replayed 2", position(3), Some(NOON)));
    assert!(found.claim.number > claim, "whoever sends begins anew");
}
