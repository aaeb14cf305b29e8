//! An endpoint of webhooks as v2 shows it.

use kassa_domain::webhook::{DisabledReason, Webhook, WebhookAttempt, WebhookPayload, WebhookResult};
use kassa_engine::webhooks::WebhookSecret;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

use super::super::changes::ChangeRef;
use super::super::pagination::{PageRequest, list_answer};
use crate::openapi::schema;
use crate::wire::{EmptyBody, EventRef, IdRef, PartnerRef, TimeV2, WebhookRef, scope_names, scopes_schema};

/// An endpoint to which changes are posted.
#[derive(Serialize, ToSchema)]
#[schema(as = Webhook)]
pub(super) struct WebhookBody {
    /// The id of the webhook.
    id: WebhookRef,
    /// The partner that is told: what it may see is what is sent.
    partner: PartnerRef,
    /// Where changes are posted to.
    #[schema(example = "https://example.org/hooks")]
    url: String,
    /// What it is for; `null` if that is not said.
    description: Option<String>,
    /// The types of changes that it gets; `order.*` are all of orders, and `*` are all.
    #[schema(example = json!(["order.*", "ticket.issued"]))]
    types: Vec<String>,
    /// The events whose changes it gets; empty for all, and for what hangs on no event.
    events: Vec<EventRef>,
    #[schema(schema_with = payload_schema)]
    payload: &'static str,
    #[schema(schema_with = scope_schema)]
    scope: Vec<&'static str>,
    #[schema(schema_with = status_schema)]
    status: &'static str,
    #[schema(schema_with = reason_schema)]
    disabled_reason: Option<&'static str>,
    /// The first change that it was not sent, nor refused: `after` of a replay, and of the feed.
    #[schema(example = "1200-3")]
    cursor: String,
    /// Failures since the last success.
    failures: u32,
    /// Since when it accepts nothing; `null` if it does.
    failing_since: Option<TimeV2>,
    /// When it accepted a message last; `null` if never.
    last_success_at: Option<TimeV2>,
    /// When a message was sent to it last; `null` if never.
    last_attempt_at: Option<TimeV2>,
    /// When it was created.
    created_at: TimeV2,
    /// When it was last edited.
    updated_at: TimeV2,
    /// Whether it is removed: nothing is sent any more.
    removed: bool,
    /// The secret by which messages are signed; only in the answers that make one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")]
    secret: Option<String>,
}

impl WebhookBody {
    fn new(webhook: &Webhook, secret: Option<&WebhookSecret>) -> Self {
        let health = &webhook.health;
        Self {
            id: IdRef(webhook.id),
            partner: IdRef(webhook.partner),
            url: webhook.url.clone(),
            description: webhook.description.clone(),
            types: webhook.selection.types.iter().map(ToString::to_string).collect(),
            events: webhook.selection.events.iter().copied().map(IdRef).collect(),
            payload: match webhook.payload {
                WebhookPayload::Full => "full",
                WebhookPayload::Thin => "thin",
            },
            scope: scope_names(webhook.has_customers),
            status: webhook.status.name(),
            disabled_reason: webhook.status.reason().map(DisabledReason::name),
            cursor: webhook.read_from.to_string(),
            failures: health.failures,
            failing_since: health.failing_since.map(TimeV2),
            last_success_at: health.last_success_at.map(TimeV2),
            last_attempt_at: health.last_attempt_at.map(TimeV2),
            created_at: TimeV2(webhook.created_at),
            updated_at: TimeV2(webhook.updated_at),
            removed: webhook.removed,
            secret: secret.map(ToString::to_string),
        }
    }
}

pub(super) fn payload_schema() -> RefOr<Schema> {
    let about = "With `full`, a message has the resource as it is when the message is sent; with `thin`, only its id.";
    schema::words(["full", "thin"]).description(Some(about)).into()
}

fn scope_schema() -> RefOr<Schema> {
    scopes_schema("With `customers`, messages have the data of customers and visitors.")
}

fn status_schema() -> RefOr<Schema> {
    let about = "Nothing is sent to one that is `disabled`. When it is enabled again, it goes on where it stopped.";
    schema::words(["enabled", "disabled"]).description(Some(about)).into()
}

fn reason_schema() -> RefOr<Schema> {
    let about = "Why it is disabled: because it was `asked` for, because it was `failing` for five days, or because it \
                 answered 410 and so is `gone`; `null` if it is not.";
    schema::nullable(schema::words(["asked", "failing", "gone"]).description(Some(about)).into())
}

/// A webhook.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookAnswer)]
pub(super) struct WebhookResponse {
    /// The webhook.
    data: WebhookBody,
    /// Always empty.
    refs: EmptyBody,
}

impl WebhookResponse {
    pub(super) fn new(webhook: &Webhook) -> Self {
        Self { data: WebhookBody::new(webhook, None), refs: EmptyBody {} }
    }

    pub(super) fn with_secret(webhook: &Webhook, secret: &WebhookSecret) -> Self {
        Self { data: WebhookBody::new(webhook, Some(secret)), refs: EmptyBody {} }
    }
}

list_answer! {
    /// Webhooks.
    pub(super) struct WebhookListResponse as WebhooksAnswer {
        /// The webhooks of this page.
        data: Vec<WebhookBody>,
        /// Always empty.
        refs: EmptyBody,
    }
}

impl WebhookListResponse {
    pub(super) fn new(webhooks: &[Webhook], wanted: PageRequest, total: u64) -> Self {
        let data = webhooks.iter().map(|webhook| WebhookBody::new(webhook, None)).collect();
        Self::page(wanted, total, data, EmptyBody {})
    }
}

/// The secret of a webhook.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookSecret)]
pub(super) struct SecretBody {
    /// What messages are signed by: `whsec_` and base64, as the libraries of Standard Webhooks take it.
    #[schema(example = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")]
    secret: String,
    /// Until when messages are signed by the secret before, too; `null` if they are not.
    previous_signs_till: Option<TimeV2>,
}

/// The secret of a webhook.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookSecretAnswer)]
pub(super) struct SecretResponse {
    /// The secret.
    data: SecretBody,
    /// Always empty.
    refs: EmptyBody,
}

impl SecretResponse {
    pub(super) fn new(webhook: &Webhook, secret: &WebhookSecret) -> Self {
        let previous_signs_till = webhook.replaced_secret.as_ref().map(|replaced| TimeV2(replaced.signs_till));
        Self { data: SecretBody { secret: secret.to_string(), previous_signs_till }, refs: EmptyBody {} }
    }
}

/// What came of sending a message.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookResult)]
pub(super) struct ResultBody {
    /// Whether the receiver has accepted it: with a status from 200 to 299.
    accepted: bool,
    /// The status of the answer; `null` if there was none.
    status: Option<u16>,
    /// The first kilobyte of the answer; `null` if there was none.
    answer: Option<String>,
    #[schema(schema_with = error_schema)]
    error: Option<&'static str>,
    /// How long it took, in milliseconds.
    duration_ms: u32,
}

fn error_schema() -> RefOr<Schema> {
    let about = "Why there was no answer; `null` if there was one.";
    let words = kassa_domain::webhook::Unanswered::ALL.map(kassa_domain::webhook::Unanswered::name);
    schema::nullable(schema::words(words).description(Some(about)).into())
}

impl ResultBody {
    fn new(result: &WebhookResult, duration_ms: u32) -> Self {
        let (answer, error) = match result {
            WebhookResult::Answered { excerpt, .. } => (Some(excerpt.clone()), None),
            WebhookResult::Unanswered(cause) => (None, Some(cause.name())),
        };
        Self { accepted: result.is_success(), status: result.status(), answer, error, duration_ms }
    }
}

/// What came of a test.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookTestAnswer)]
pub(super) struct TestResponse {
    /// What came of it.
    data: ResultBody,
    /// Always empty.
    refs: EmptyBody,
}

impl TestResponse {
    pub(super) fn new(result: &WebhookResult, duration_ms: u32) -> Self {
        Self { data: ResultBody::new(result, duration_ms), refs: EmptyBody {} }
    }
}

/// An attempt to send a message.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookAttempt)]
pub(super) struct AttemptBody {
    /// Which of the attempts of the webhook it is, from 1.
    number: i64,
    /// The change that was sent; `null` for a test.
    #[schema(value_type = Option<String>, example = "chg_1200-3")]
    change: Option<ChangeRef>,
    /// Its type.
    #[serde(rename = "type")]
    #[schema(example = "order.paid")]
    kind: &'static str,
    /// When it was sent.
    sent_at: TimeV2,
    /// What came of it.
    result: ResultBody,
}

impl AttemptBody {
    fn new(attempt: &WebhookAttempt) -> Self {
        Self {
            number: attempt.number,
            change: attempt.message.map(|message| ChangeRef(message.position)),
            kind: attempt.message.map_or("webhook.test", |message| message.kind.name()),
            sent_at: TimeV2(attempt.sent_at),
            result: ResultBody::new(&attempt.result, attempt.duration_ms),
        }
    }
}

list_answer! {
    /// Attempts.
    pub(super) struct AttemptListResponse as WebhookAttemptsAnswer {
        /// The attempts of this page.
        data: Vec<AttemptBody>,
        /// Always empty.
        refs: EmptyBody,
    }
}

impl AttemptListResponse {
    pub(super) fn new(attempts: &[WebhookAttempt], wanted: PageRequest, total: u64) -> Self {
        Self::page(wanted, total, attempts.iter().map(AttemptBody::new).collect(), EmptyBody {})
    }
}
