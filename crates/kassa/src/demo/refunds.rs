//! Refund requests, granted and open.

use serde_json::{Value, json};

use super::client::text_field;
use super::partners::DemoPartner;
use crate::error::Fatal;

const REFUND_REQUESTS_PATH: &str = "/v1/resources/refund_requests";

/// A customer gives one ticket of a paid order back: the vendor asks the organizer.
pub(super) async fn request_ticket_refund(vendor: &DemoPartner, order: &str) -> Result<(), Fatal> {
    let found = vendor.client.get(&format!("/v1/resources/orders/{order}")).await?;
    let request = json!({"order": order, "culprit": "user", "tickets_refund": [found["tickets"][0]],
        "reason": "The customer is ill."});
    vendor.client.post(REFUND_REQUESTS_PATH, request).await.map(drop)
}

/// The organizer makes good for a whole order: all that was paid goes back.
pub(super) async fn refund_whole_order(org: &DemoPartner, order: &str) -> Result<(), Fatal> {
    let request: Value = json!({"order": order, "culprit": "org", "tickets": [], "reason": "The view was blocked."});
    let request = text_field(&org.client.post(REFUND_REQUESTS_PATH, request).await?, "id")?;
    org.client.patch(&format!("{REFUND_REQUESTS_PATH}/{request}"), json!({"status": "approved"})).await.map(drop)
}
