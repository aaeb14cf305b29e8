//! Codes that make tickets cheaper.

use serde_json::{Value, json};

use super::catalogue::DemoCatalogue;
use super::event::DemoEvent;
use super::partners::{DemoPartner, DemoPartners};
use crate::error::Fatal;

/// For three tickets of a set and more.
pub(super) const FAMILY_CODE: &str = "FAMILY";

/// Makes all promocodes.
pub(super) async fn create_promocodes(partners: &DemoPartners, catalogue: &DemoCatalogue) -> Result<(), Fatal> {
    let (harbour, lanterns) = (&partners.harbour, &catalogue.lanterns);
    let family = json!({
        "code": FAMILY_CODE, "name": "Families", "discount": {"fixed": "5.00"}, "sets": [lanterns.set_id("Stalls")?],
        "tickets_count": {"min": 3},
    });
    create_promocode(harbour, lanterns, family).await?;
    let early = json!({"code": "EARLYBIRD", "name": "First hundred", "discount": {"percengate": "20%"}, "amount": 100});
    create_promocode(harbour, lanterns, early).await?;
    let guest = json!({"code": "BACKSTAGE", "discount": {"percengate": "100%"}, "amount": 5});
    create_promocode(&partners.clockwork, &catalogue.garden, guest).await
}

async fn create_promocode(org: &DemoPartner, event: &DemoEvent, promocode: Value) -> Result<(), Fatal> {
    org.client.post(&format!("/v1/resources/events/{}/promocodes", event.id), promocode).await.map(drop)
}
