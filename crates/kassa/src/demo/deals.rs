//! Under which terms agents sell: deals in several states.

use serde_json::{Value, json};

use super::catalogue::DemoCatalogue;
use super::client::text_field;
use super::event::DemoEvent;
use super::partners::{DemoPartner, DemoPartners};
use crate::error::Fatal;

/// Makes all deals.
pub(super) async fn create_deals(partners: &DemoPartners, catalogue: &DemoCatalogue) -> Result<(), Fatal> {
    let DemoPartners { harbour, clockwork, north_light, city_tickets, weekend_guide } = partners;
    let DemoCatalogue { lanterns, brass, strings, organ, garden, festival, .. } = catalogue;

    // An organizer's offer is in force at once. Numbers are percents: the agent adds a tenth, and
    // keeps what is left of the price besides.
    offer_deal(harbour, city_tickets, lanterns, json!({"org": 90, "extra": 10})).await?;
    offer_deal(harbour, city_tickets, strings, json!({"org": 90, "extra": 5})).await?;
    offer_deal(harbour, north_light, organ, json!({"org": 93, "extra": 5})).await?;
    // Texts without a percent sign are amounts for each ticket.
    offer_deal(harbour, city_tickets, brass, json!({"org": 92, "extra": "1.50"})).await?;
    offer_deal(clockwork, weekend_guide, garden, json!({"org": "14.00", "extra": "2.50"})).await?;

    // An agent's proposal waits for the organizer. With `pfc` the customer pays the commission.
    let deal =
        propose_deal(city_tickets, festival, json!({"org": 95, "extra": 6, "pfc": true}), "As last summer?").await?;
    set_deal_status(north_light, &deal, "accepted").await?;
    let deal = propose_deal(weekend_guide, festival, json!({"org": 60, "extra": 25}), "We reach everybody.").await?;
    set_deal_status(north_light, &deal, "declined").await?;
    propose_deal(city_tickets, garden, json!({"org": 80, "extra": 15}), "May we have the last rows?").await?;
    Ok(())
}

async fn offer_deal(org: &DemoPartner, agent: &DemoPartner, event: &DemoEvent, term: Value) -> Result<(), Fatal> {
    let deal = json!({"event": event.id, "subj": agent.id, "term": term});
    org.client.post("/v1/resources/deals", deal).await.map(drop)
}

/// The id of the proposed deal.
async fn propose_deal(agent: &DemoPartner, event: &DemoEvent, term: Value, message: &str) -> Result<String, Fatal> {
    let deal = json!({"event": event.id, "term": term, "message": message});
    text_field(&agent.client.post("/v1/resources/deals", deal).await?, "id")
}

async fn set_deal_status(org: &DemoPartner, deal: &str, status: &str) -> Result<(), Fatal> {
    org.client.patch(&format!("/v1/resources/deals/{deal}"), json!({"status": status})).await.map(drop)
}
