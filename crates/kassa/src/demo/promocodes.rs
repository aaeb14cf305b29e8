//! Codes that make tickets cheaper.

use serde_json::{Value, json};

use super::catalogue::{Catalogue, Event};
use super::partners::{Partner, Partners};
use crate::installation::Fatal;

/// For three tickets of a set and more.
pub(super) const FAMILY: &str = "FAMILY";

/// Makes all promocodes.
pub(super) async fn give_out(partners: &Partners, catalogue: &Catalogue) -> Result<(), Fatal> {
    let (harbour, lanterns) = (&partners.harbour, &catalogue.lanterns);
    let family = json!({
        "code": FAMILY, "name": "Families", "discount": {"fixed": "5.00"}, "sets": [lanterns.set("Stalls")?],
        "tickets_count": {"min": 3},
    });
    promise(harbour, lanterns, family).await?;
    let early = json!({"code": "EARLYBIRD", "name": "First hundred", "discount": {"percengate": "20%"}, "amount": 100});
    promise(harbour, lanterns, early).await?;
    let guest = json!({"code": "BACKSTAGE", "discount": {"percengate": "100%"}, "amount": 5});
    promise(&partners.clockwork, &catalogue.garden, guest).await
}

async fn promise(org: &Partner, event: &Event, promocode: Value) -> Result<(), Fatal> {
    org.api.post(&format!("/v1/resources/events/{}/promocodes", event.id), promocode).await.map(drop)
}
