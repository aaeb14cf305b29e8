//! Endpoints of webhooks, what is held back for them, and attempts to send it.

use kassa_domain::change::{FeedCursor, Revision};
use kassa_domain::partner::PartnerId;
use kassa_domain::view::Condition;
use kassa_domain::webhook::{
    ATTEMPTS_KEPT_MS, DeliveryState, DisabledReason, ReplacedSecret, Unanswered, Webhook, WebhookAttempt, WebhookClaim,
    WebhookDelivery, WebhookId, WebhookPayload, WebhookResult, WebhookStatus,
};
use kassa_domain::{Id, Timestamp};

use crate::cell::{Cell, json_cell};
use crate::error::StoreError;
use crate::lists::{Comparison, Conditions, Filter, Predicate, SortKey};
use crate::rows::{RowKey, batch_id_cell, read_batch_id, read_time, read_time_or_null, table};

table! { Webhook, "webhooks", |row, source| {
    Key Int "id": id = Id::root(source.int()?), row.id.key();
    Immutable Int "partner": partner = Id::root(source.int()?), row.partner.key();
    Mutable Text "url": url = source.text()?, row.url.as_str();
    Mutable Text "description": description = source.text_or_null()?, row.description.as_deref();
    Mutable Json "selection": selection = source.json()?, json_cell(&row.selection);
    Mutable Text "payload": payload = read_payload(&source.text()?)?, payload_name(row.payload);
    Mutable Int "has_customers": has_customers = source.flag()?, row.has_customers;
    Mutable Text "status": status = source.text()?, row.status.name();
    Mutable Text "reason": reason = source.text_or_null()?, row.status.reason().map(DisabledReason::name);
    Mutable Blob "encrypted_secret": encrypted_secret = source.blob()?, row.encrypted_secret.as_slice();
    Mutable Blob "replaced_secret": replaced = source.blob_or_null()?,
        row.replaced_secret.as_ref().map(|secret| secret.encrypted.as_slice());
    Mutable Int "replaced_secret_till": replaced_till = read_time_or_null(source)?,
        row.replaced_secret.as_ref().map(|secret| secret.signs_till.ms());
    Mutable Int "removed": removed = source.flag()?, row.removed;
    Mutable Int "read_place": read_place = source.int()?, row.read_from.place;
    Mutable Int "read_index": read_index = source.int_as()?, i64::from(row.read_from.index);
    Mutable Json "health": health = source.json()?, json_cell(&row.health);
    Mutable Int "claim": claim = source.int()?, row.claim.number;
    Mutable Int "claim_till": claim_till = source.int()?, row.claim.till_ms;
    Mutable Int "due_at": due_at = read_time_or_null(source)?, row.due_at.map(Timestamp::ms);
    // It follows from others: so those are found that are to be watched.
    Mutable Int "watch_at": _watch_at = source.derived()?, row.watch_at().map(Timestamp::ms);
    Mutable Int "attempts": attempts = source.int()?, row.attempts;
    Mutable Int "enabled_at": enabled_at = read_time(source)?, row.enabled_at.ms();
    Immutable Int "created_at": created_at = read_time(source)?, row.created_at.ms();
    Mutable Int "updated_at": updated_at = read_time(source)?, row.updated_at.ms();
    Mutable Int "revision": revision = source.int()?, row.revision.number();
    Mutable Blob "changed_in": changed_in = read_batch_id(source)?, batch_id_cell(row.revision.changed_in());
} => Webhook {
    id,
    partner,
    url,
    description,
    selection,
    payload,
    has_customers,
    status: read_status(&status, reason.as_deref())?,
    encrypted_secret,
    replaced_secret: replaced.zip(replaced_till).map(|(encrypted, signs_till)| ReplacedSecret { encrypted, signs_till }),
    removed,
    read_from: FeedCursor { place: read_place, index: read_index },
    health,
    claim: WebhookClaim { number: claim, till_ms: claim_till },
    due_at,
    attempts,
    enabled_at,
    created_at,
    updated_at,
    revision: Revision::stored(revision, changed_in),
} }

fn payload_name(payload: WebhookPayload) -> &'static str {
    match payload {
        WebhookPayload::Full => "full",
        WebhookPayload::Thin => "thin",
    }
}

fn read_payload(text: &str) -> Result<WebhookPayload, StoreError> {
    match text {
        "full" => Ok(WebhookPayload::Full),
        "thin" => Ok(WebhookPayload::Thin),
        other => Err(StoreError::Corrupt(format!("the payload {other} of a webhook"))),
    }
}

fn read_status(status: &str, reason: Option<&str>) -> Result<WebhookStatus, StoreError> {
    match (status, reason) {
        ("enabled", None) => Ok(WebhookStatus::Enabled),
        ("disabled", Some("asked")) => Ok(WebhookStatus::Disabled(DisabledReason::Asked)),
        ("disabled", Some("failing")) => Ok(WebhookStatus::Disabled(DisabledReason::Failing)),
        ("disabled", Some("gone")) => Ok(WebhookStatus::Disabled(DisabledReason::Gone)),
        (status, reason) => Err(StoreError::Corrupt(format!("the status {status} {reason:?} of a webhook"))),
    }
}

/// Endpoints of a partner, newest first.
#[derive(Clone, Debug)]
pub struct WebhooksFilter {
    /// Whose.
    pub partner: PartnerId,
    /// Whether removed ones are shown, too.
    pub include_removed: bool,
}

impl Filter for WebhooksFilter {
    type Row = Webhook;

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::names("partner", self.partner));
        conditions.extend((!self.include_removed).then(|| Condition::NOT_REMOVED.into()));
    }
}

/// All endpoints to which something is sent, by id.
#[derive(Clone, Copy, Debug)]
pub struct EnabledWebhooks {
    /// Only those behind this key; 0 is before all.
    pub after_key: i64,
}

impl Filter for EnabledWebhooks {
    type Row = Webhook;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Ascending("id")]
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::equal("status", WebhookStatus::Enabled.name()));
        conditions.add(Condition::NOT_REMOVED);
        conditions.add(Predicate::compare("id", Comparison::Above, self.after_key));
    }
}

/// Endpoints of which somebody must be told something, or that have something to forget.
#[derive(Clone, Copy, Debug)]
pub struct WatchedWebhooks {
    /// The time.
    pub now: Timestamp,
}

impl Filter for WatchedWebhooks {
    type Row = Webhook;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Ascending("watch_at"), SortKey::Ascending("id")]
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Condition::NotNull("watch_at"));
        conditions.add(Predicate::compare("watch_at", Comparison::AtMost, self.now.ms()));
    }
}

impl RowKey for (WebhookId, FeedCursor) {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.extend([self.0.key().into(), self.1.place.into(), i64::from(self.1.index).into()]);
    }
}

table! { WebhookDelivery, "webhook_deliveries", |row, source| {
    Key Int "webhook": endpoint = Id::root(source.int()?), row.endpoint.key();
    Key Int "place": _place = source.derived()?, row.message.position.place;
    Key Int "place_index": _index = source.derived()?, i64::from(row.message.position.index);
    Immutable Json "message": message = source.json()?, json_cell(&row.message);
    Mutable Text "state": state = read_delivery_state(&source.text()?)?, row.state.name();
    Mutable Int "tries": tries = source.int_as()?, i64::from(row.tries);
    Mutable Int "first_tried_at": first_tried_at = read_time_or_null(source)?, row.first_tried_at.map(Timestamp::ms);
    Mutable Int "last_tried_at": last_tried_at = read_time_or_null(source)?, row.last_tried_at.map(Timestamp::ms);
    Mutable Int "due_at": due_at = read_time_or_null(source)?, row.due_at.map(Timestamp::ms);
} => WebhookDelivery { endpoint, message, state, tries, first_tried_at, last_tried_at, due_at } }

fn read_delivery_state(text: &str) -> Result<DeliveryState, StoreError> {
    match text {
        "waiting" => Ok(DeliveryState::Waiting),
        "parked" => Ok(DeliveryState::Parked),
        other => Err(StoreError::Corrupt(format!("the state {other} of a message"))),
    }
}

const BY_POSITION: &[SortKey] = &[SortKey::Ascending("place"), SortKey::Ascending("place_index")];

/// Messages of an endpoint that wait to be sent, in the order of the feed.
#[derive(Clone, Copy, Debug)]
pub struct HeldDeliveries {
    /// The endpoint.
    pub webhook: WebhookId,
}

impl Filter for HeldDeliveries {
    type Row = WebhookDelivery;

    fn order(&self) -> &'static [SortKey] {
        BY_POSITION
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::names("webhook", self.webhook));
        conditions.add(Predicate::equal("state", DeliveryState::Waiting.name()));
    }
}

/// Messages of an endpoint that were given up, in the order of the feed.
#[derive(Clone, Copy, Debug)]
pub struct ParkedDeliveries {
    /// The endpoint.
    pub webhook: WebhookId,
    /// Only those that were tried last at this time or later.
    pub since: Timestamp,
}

impl Filter for ParkedDeliveries {
    type Row = WebhookDelivery;

    fn order(&self) -> &'static [SortKey] {
        BY_POSITION
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::names("webhook", self.webhook));
        conditions.add(Predicate::equal("state", DeliveryState::Parked.name()));
        conditions.add(Predicate::compare("last_tried_at", Comparison::AtLeast, self.since.ms()));
    }
}

/// All messages of an endpoint that have a row, in the order of the feed.
#[derive(Clone, Copy, Debug)]
pub struct DeliveriesOfWebhook {
    /// The endpoint.
    pub webhook: WebhookId,
}

impl Filter for DeliveriesOfWebhook {
    type Row = WebhookDelivery;

    fn order(&self) -> &'static [SortKey] {
        BY_POSITION
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::names("webhook", self.webhook));
    }
}

/// Messages that were given up so long ago that they are forgotten.
#[derive(Clone, Copy, Debug)]
pub struct OldParkedDeliveries {
    /// The time.
    pub now: Timestamp,
}

impl Filter for OldParkedDeliveries {
    type Row = WebhookDelivery;

    fn order(&self) -> &'static [SortKey] {
        &[
            SortKey::Ascending("due_at"),
            SortKey::Ascending("webhook"),
            SortKey::Ascending("place"),
            SortKey::Ascending("place_index"),
        ]
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::equal("state", DeliveryState::Parked.name()));
        conditions.add(Predicate::compare("due_at", Comparison::AtMost, self.now.ms()));
    }
}

impl RowKey for (WebhookId, i64) {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.extend([self.0.key().into(), self.1.into()]);
    }
}

table! { WebhookAttempt, "webhook_attempts", |row, source| {
    Key Int "webhook": endpoint = Id::root(source.int()?), row.endpoint.key();
    Key Int "number": number = source.int()?, row.number;
    Immutable Json "message": message = source.json_or_null()?, row.message.as_ref().map(json_cell);
    Immutable Int "sent_at": sent_at = read_time(source)?, row.sent_at.ms();
    Immutable Int "duration_ms": duration_ms = source.int_as()?, i64::from(row.duration_ms);
    Immutable Int "status": status = source.int_or_null()?, row.result.status().map(i64::from);
    Immutable Text "answer": answer = source.text_or_null()?, answer_of(&row.result);
    Immutable Text "error": error = source.text_or_null()?, error_of(&row.result);
    // It follows from the status: so lists find what failed.
    Immutable Int "taken": _taken = source.derived()?, row.result.is_success();
} => WebhookAttempt { endpoint, number, message, sent_at, duration_ms, result: read_result(status, answer, error.as_deref())? } }

fn answer_of(result: &WebhookResult) -> Option<&str> {
    match result {
        WebhookResult::Answered { excerpt, .. } => Some(excerpt),
        WebhookResult::Unanswered(_) => None,
    }
}

fn error_of(result: &WebhookResult) -> Option<&'static str> {
    match result {
        WebhookResult::Answered { .. } => None,
        WebhookResult::Unanswered(cause) => Some(cause.name()),
    }
}

fn read_result(status: Option<i64>, answer: Option<String>, error: Option<&str>) -> Result<WebhookResult, StoreError> {
    let status = status.and_then(|status| u16::try_from(status).ok());
    let cause = error.and_then(Unanswered::from_name);
    match (status, answer, cause) {
        (Some(status), Some(excerpt), None) => Ok(WebhookResult::Answered { status, excerpt }),
        (None, None, Some(cause)) => Ok(WebhookResult::Unanswered(cause)),
        (status, _, _) => {
            Err(StoreError::Corrupt(format!("an attempt with the status {status:?} and error {error:?}")))
        }
    }
}

/// Attempts to send to an endpoint, newest first.
#[derive(Clone, Copy, Debug)]
pub struct WebhookAttemptsFilter {
    /// The endpoint.
    pub webhook: WebhookId,
    /// Whether only those are shown that came to nothing.
    pub only_failed: bool,
}

impl Filter for WebhookAttemptsFilter {
    type Row = WebhookAttempt;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Descending("number")]
    }

    fn conditions(&self, conditions: &mut Conditions) {
        conditions.add(Predicate::names("webhook", self.webhook));
        conditions.extend(self.only_failed.then(|| Predicate::equal("taken", false)));
    }
}

/// Attempts that were kept long enough, the oldest first.
#[derive(Clone, Copy, Debug)]
pub struct OldWebhookAttempts {
    /// The time.
    pub now: Timestamp,
}

impl Filter for OldWebhookAttempts {
    type Row = WebhookAttempt;

    fn order(&self) -> &'static [SortKey] {
        &[SortKey::Ascending("sent_at"), SortKey::Ascending("webhook"), SortKey::Ascending("number")]
    }

    fn conditions(&self, conditions: &mut Conditions) {
        let kept_from = self.now.plus_ms(-ATTEMPTS_KEPT_MS);
        conditions.add(Predicate::compare("sent_at", Comparison::AtMost, kept_from.ms()));
    }
}
