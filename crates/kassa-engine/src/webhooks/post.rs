//! One message on its way to a receiver.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use kassa_domain::Timestamp;
use kassa_domain::webhook::{Unanswered, Webhook, WebhookMessage, WebhookResult};
use reqwest::header::{HeaderMap, HeaderValue, InvalidHeaderValue};
use tokio::time::Instant;

use super::signature::{WebhookSecret, sign_with_all};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::feed::FeedChange;
use crate::outgoing::{OutgoingAnswer, OutgoingError, OutgoingHttp, RetryAfter};

/// What secrets of endpoints are sealed for.
const SECRET_PURPOSE: &str = "webhook secret";

/// A message as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenMessage {
    /// Its id: the same each time it is tried.
    pub id: String,
    /// Its body, which is JSON.
    pub body: Bytes,
}

/// Writes messages: as the API shows changes.
pub trait MessageWriter: Send + Sync + 'static {
    /// A message for an endpoint. The change is `None` where it is kept no longer.
    fn write(
        &self,
        webhook: Arc<Webhook>,
        message: WebhookMessage,
        change: Option<FeedChange>,
    ) -> BoxFuture<'static, Result<WrittenMessage, Failure>>;

    /// A message that says nothing, to try an endpoint.
    fn write_test(&self, webhook: &Webhook, now: Timestamp) -> Result<WrittenMessage, Failure>;
}

/// How messages leave.
#[derive(Clone)]
pub struct WebhookSettings {
    /// What sends them.
    pub outgoing: OutgoingHttp,
    /// What writes them.
    pub writer: Arc<dyn MessageWriter>,
}

/// What came of an attempt, and how long it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Posted {
    pub(super) sent_at: Timestamp,
    pub(super) duration_ms: u32,
    pub(super) result: WebhookResult,
    /// Until when the receiver has asked us to wait.
    pub(super) retry_at: Option<Timestamp>,
}

impl Engine {
    /// Encrypts the secret of an endpoint.
    pub(super) fn seal_webhook_secret(&self, secret: &WebhookSecret) -> Result<Vec<u8>, Failure> {
        let sealed = self.inner.secret.seal(secret.bytes(), SECRET_PURPOSE, self.nonce());
        sealed.ok_or_else(|| Failure::internal("the secret of a webhook could not be sealed"))
    }

    /// The secret of an endpoint.
    pub fn webhook_secret(&self, webhook: &Webhook) -> Result<WebhookSecret, Failure> {
        self.open_webhook_secret(&webhook.encrypted_secret)
    }

    fn open_webhook_secret(&self, encrypted: &[u8]) -> Result<WebhookSecret, Failure> {
        let opened = self.inner.secret.open(encrypted, SECRET_PURPOSE).map(WebhookSecret::new);
        opened.ok_or_else(|| Failure::internal("the secret of a webhook could not be opened with this secret"))
    }

    /// All secrets by which messages are signed now, the newest first.
    fn signing_secrets(&self, webhook: &Webhook, now: Timestamp) -> Result<Vec<WebhookSecret>, Failure> {
        let replaced = webhook.replaced_secret.as_ref().filter(|secret| secret.signs_till > now);
        let encrypted = [Some(&webhook.encrypted_secret), replaced.map(|secret| &secret.encrypted)];
        encrypted.into_iter().flatten().map(|encrypted| self.open_webhook_secret(encrypted)).collect()
    }

    /// Signs a message and posts it to an endpoint.
    pub(super) async fn post_message(
        &self,
        outgoing: &OutgoingHttp,
        webhook: &Webhook,
        message: WrittenMessage,
    ) -> Result<Posted, Failure> {
        let sent_at = self.now();
        let secrets = self.signing_secrets(webhook, sent_at)?;
        let headers = signed_headers(&secrets, &message, sent_at.ms().div_euclid(1_000));
        let headers = headers.map_err(|error| Failure::internal(&error.to_string()))?;
        let began = Instant::now();
        let answer = outgoing.post_json(&webhook.url, headers, message.body).await;
        let duration_ms = u32::try_from(began.elapsed().as_millis()).unwrap_or(u32::MAX);
        let retry_at = answer.as_ref().ok().and_then(|answer| answer.retry_after).map(|asked| match asked {
            RetryAfter::Seconds(seconds) => self.now().plus_ms(i64::from(seconds) * 1_000),
            RetryAfter::At(at) => at,
        });
        Ok(Posted { sent_at, duration_ms, result: result_of(answer), retry_at })
    }
}

fn signed_headers(
    secrets: &[WebhookSecret],
    message: &WrittenMessage,
    sent_at: i64,
) -> Result<HeaderMap, InvalidHeaderValue> {
    let mut headers = HeaderMap::new();
    headers.insert("webhook-id", HeaderValue::try_from(&message.id)?);
    headers.insert("webhook-timestamp", HeaderValue::from(sent_at));
    let signatures = sign_with_all(secrets, &message.id, sent_at, &message.body);
    headers.insert("webhook-signature", HeaderValue::try_from(signatures)?);
    Ok(headers)
}

fn result_of(answer: Result<OutgoingAnswer, OutgoingError>) -> WebhookResult {
    let unanswered = match answer {
        Ok(OutgoingAnswer { status, excerpt, .. }) => return WebhookResult::Answered { status, excerpt },
        Err(OutgoingError::Target(_)) => Unanswered::UrlForbidden,
        Err(OutgoingError::Name) => Unanswered::NameUnknown,
        Err(OutgoingError::Address) => Unanswered::AddressForbidden,
        Err(OutgoingError::Connect) => Unanswered::NotConnected,
        Err(OutgoingError::Tls) => Unanswered::TlsFailed,
        Err(OutgoingError::Timeout) => Unanswered::TimedOut,
        Err(OutgoingError::Protocol) => Unanswered::Broken,
    };
    WebhookResult::Unanswered(unanswered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_the_headers_of_the_standard() {
        let secrets = [WebhookSecret::new(vec![1; 32]), WebhookSecret::new(vec![2; 32])];
        let message = WrittenMessage { id: "chg_7-1".to_owned(), body: Bytes::from_static(b"{}") };
        let headers = signed_headers(&secrets, &message, 1_772_366_400).unwrap();
        assert_eq!(headers["webhook-id"], "chg_7-1");
        assert_eq!(headers["webhook-timestamp"], "1772366400");
        let signatures: Vec<&str> = headers["webhook-signature"].to_str().unwrap().split(' ').collect();
        assert_eq!(signatures.len(), 2);
        assert!(signatures.iter().all(|signature| signature.starts_with("v1,")));
    }
}
