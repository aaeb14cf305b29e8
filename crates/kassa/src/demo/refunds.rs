//! What was given back, or shall be.

use serde_json::{Value, json};

use super::api::text;
use super::partners::Partner;
use crate::installation::Fatal;

const REQUESTS: &str = "/v1/resources/refund_requests";

/// A customer gives one ticket of a paid order back: the vendor asks the organizer.
pub(super) async fn ask_for_one(vendor: &Partner, order: &str) -> Result<(), Fatal> {
    let found = vendor.api.get(&format!("/v1/resources/orders/{order}")).await?;
    let wish = json!({"order": order, "culprit": "user", "tickets_refund": [found["tickets"][0]],
        "reason": "The customer is ill."});
    vendor.api.post(REQUESTS, wish).await.map(drop)
}

/// The organizer makes good for a whole order: all that was paid goes back.
pub(super) async fn make_good(org: &Partner, order: &str) -> Result<(), Fatal> {
    let wish: Value = json!({"order": order, "culprit": "org", "tickets": [], "reason": "The view was blocked."});
    let request = text(&org.api.post(REQUESTS, wish).await?, "id")?;
    org.api.patch(&format!("{REQUESTS}/{request}"), json!({"status": "approved"})).await.map(drop)
}
