//! A webhook to try: it posts to a receiver on this machine, once somebody has started one and enabled it.

use kassa_engine::outgoing::AllowedTarget;
use serde_json::json;

use super::partners::DemoPartners;
use crate::error::Fatal;

/// Where the receiver of the guide listens: `docs/api/webhooks.md`.
const RECEIVER: &str = "127.0.0.1:9000";

/// What the demo allows besides what the flags do.
pub(super) fn receiver() -> Option<AllowedTarget> {
    RECEIVER.parse().ok()
}

/// Makes the webhook, disabled.
pub(super) async fn create_webhook(partners: &DemoPartners) -> Result<(), Fatal> {
    let webhook = json!({
        "url": format!("http://{RECEIVER}/"), "description": "Try it: docs/api/webhooks.md has a receiver",
        "types": ["order.*", "ticket.*"], "status": "disabled",
    });
    partners.harbour.client.post("/v2/resources/webhooks", webhook).await.map(drop)
}
