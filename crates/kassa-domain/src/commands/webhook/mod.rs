//! Commands on webhooks: what partners say of their endpoints, and what a sender does.

mod claim;
mod create;
mod disable;
mod facts;
mod patch;
mod purge;
mod record;
mod record_test;
mod replay;
mod rotate_secret;
mod update;
mod watch;

pub use claim::{ClaimWebhook, WEBHOOK_CLAIM_MS, WebhookClaimOutcome};
pub use create::CreateWebhook;
pub use disable::DisableWebhook;
pub use patch::WebhookPatch;
pub use purge::{PurgeWebhookAttempts, PurgeWebhookDeliveries};
pub use record::{AttemptReport, ClaimEnd, RecordWebhookAttempts, RecordedAttempts};
pub use record_test::RecordWebhookTest;
pub use replay::ReplayWebhook;
pub use rotate_secret::RotateWebhookSecret;
pub use update::UpdateWebhook;
pub use watch::WatchWebhook;

use crate::context::actor::Actor;
use crate::model::webhook::Webhook;
use crate::permission;
use crate::refusal::Refusal;
use crate::values::resource_ids::{PartnerId, WebhookId};
use crate::view::View;

/// Why what senders do states nothing.
const SENDERS_WORK: &str = "what is sent, and when, is the server's own work";

/// An endpoint of a partner, which the actor may change.
fn own_webhook(actor: &Actor, partner: PartnerId, id: WebhookId, view: &View) -> Result<Webhook, Refusal> {
    permission::manage_webhooks(actor, partner)?;
    let webhook = view.webhooks.get(id).filter(|webhook| webhook.partner == partner);
    Ok(webhook.ok_or(Refusal::NotFound("webhook"))?.clone())
}
