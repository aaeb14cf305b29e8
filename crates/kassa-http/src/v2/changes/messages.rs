//! Messages of webhooks: their body is a change.

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use kassa_domain::webhook::{Webhook, WebhookMessage, WebhookPayload};
use kassa_domain::{Actor, Timestamp};
use kassa_engine::feed::FeedChange;
use kassa_engine::webhooks::{MessageWriter, WrittenMessage};
use kassa_engine::{Engine, Failure};
use serde::Serialize;

use super::data::form_of;
use super::model::{ChangeBody, ChangeReader, ChangeRef, json_of};
use crate::wire::{IdRef, TimeV2};

/// The longest body, in bytes: a longer one leaves the resource out, whose id says where it is.
const BODY_BYTES_MAX: usize = 20_000;

/// Writes the messages of webhooks.
pub struct ChangeMessages {
    engine: Engine,
}

impl ChangeMessages {
    /// About the rows of an engine.
    pub fn new(engine: Engine) -> Self {
        Self { engine }
    }
}

impl MessageWriter for ChangeMessages {
    fn write(
        &self,
        webhook: Arc<Webhook>,
        message: WebhookMessage,
        change: Option<FeedChange>,
    ) -> BoxFuture<'static, Result<WrittenMessage, Failure>> {
        let engine = self.engine.clone();
        async move {
            let actor = Actor::Partner(webhook.partner);
            let data = match webhook.payload {
                WebhookPayload::Full => form_of(&engine, &actor, message.subject, webhook.has_customers).await?,
                WebhookPayload::Thin => None,
            };
            let body = ChangeBody::new(&message, change.as_ref(), ChangeReader::Partners(&[webhook.partner]))
                .with_data(data)
                .into_json(BODY_BYTES_MAX)?;
            Ok(WrittenMessage { id: ChangeRef(message.position).to_string(), body: body.into() })
        }
        .boxed()
    }

    fn write_test(&self, webhook: &Webhook, now: Timestamp) -> Result<WrittenMessage, Failure> {
        let id = format!("test_{}_{}", webhook.id, webhook.attempts + 1);
        let body = TestBody { id: &id, kind: "webhook.test", timestamp: TimeV2(now), webhook: IdRef(webhook.id) };
        Ok(WrittenMessage { body: json_of(&body)?.into(), id: id.clone() })
    }
}

/// A message that says nothing.
#[derive(Serialize)]
struct TestBody<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    timestamp: TimeV2,
    webhook: IdRef<Webhook>,
}
