//! `/v2/resources/webhooks`

pub(super) mod attempts;
pub(super) mod create;
pub(super) mod delete;
pub(super) mod get;
mod input;
pub(super) mod list;
mod model;
pub(super) mod replay;
pub(super) mod rotate;
pub(super) mod secret;
pub(super) mod test;
pub(super) mod update;

use kassa_domain::webhook::{Webhook, WebhookId};
use kassa_domain::{Actor, ReadSet, Refusal, permission};
use kassa_engine::Engine;

use crate::error::ApiError;

/// An endpoint that the caller may see and change.
async fn load_own_webhook(engine: &Engine, actor: &Actor, id: WebhookId) -> Result<Webhook, ApiError> {
    actor.require_credential()?;
    let view = engine.view(&ReadSet { webhooks: vec![id], ..ReadSet::default() }).await?;
    let webhook = view.webhooks.get(id).ok_or_else(|| ApiError::not_found("webhook"))?;
    actor.require_second_factor_for(webhook.partner)?;
    permission::manage_webhooks(actor, webhook.partner).map_err(|refusal| {
        // Others do not learn of it.
        let is_hidden = matches!(refusal, Refusal::NotFound(_));
        if is_hidden { ApiError::not_found("webhook") } else { refusal.into() }
    })?;
    Ok(webhook.clone())
}
