//! What was sold: orders in every state.

use serde_json::{Value, json};

use super::api::text;
use super::catalogue::{Catalogue, Event};
use super::hall::block_last;
use super::partners::{Partner, Partners};
use super::promocodes::FAMILY;
use super::refunds::{ask_for_one, make_good};
use crate::installation::Fatal;

/// Somebody who buys.
struct Customer {
    first_name: &'static str,
    last_name: &'static str,
    email: &'static str,
}

const ADA: Customer = Customer { first_name: "Ada", last_name: "Winter", email: "ada@example.org" };
const BRUNO: Customer = Customer { first_name: "Bruno", last_name: "Castell", email: "bruno@example.org" };
const CHIARA: Customer = Customer { first_name: "Chiara", last_name: "Lindt", email: "chiara@example.org" };
const DMITRI: Customer = Customer { first_name: "Dmitri", last_name: "Orlov", email: "dmitri@example.org" };
const ELLEN: Customer = Customer { first_name: "Ellen", last_name: "Marsh", email: "ellen@example.org" };
const FARID: Customer = Customer { first_name: "Farid", last_name: "Amini", email: "farid@example.org" };

/// Orders whose fate is settled.
pub(super) async fn of_last_month(partners: &Partners, catalogue: &Catalogue) -> Result<(), Fatal> {
    let Partners { harbour, clockwork, north_light, city_tickets, weekend_guide } = partners;
    let Catalogue { lanterns, brass, strings, garden, festival, .. } = catalogue;

    sell(harbour, brass, &[("Hall", 2)], &ADA).await?;
    sell(harbour, brass, &[("Hall", 6)], &BRUNO).await?;
    sell(harbour, lanterns, &[("Stalls", 2), ("Balcony", 1)], &ADA).await?;
    sell(clockwork, garden, &[("Parterre", 2)], &CHIARA).await?;
    sell(north_light, festival, &[("Three days", 4), ("Camping", 2)], &DMITRI).await?;

    sell(harbour, strings, &[("Stalls", 2), ("Balcony", 4)], &CHIARA).await?;
    block_last(harbour, strings, "Stalls").await?;

    // Agents sell at their own prices, under their deals.
    sell(city_tickets, brass, &[("Hall", 3)], &CHIARA).await?;
    sell(city_tickets, lanterns, &[("Stalls", 4)], &ELLEN).await?;
    sell(city_tickets, strings, &[("Stalls", 3)], &ELLEN).await?;
    sell(city_tickets, festival, &[("Saturday", 2)], &FARID).await?;
    sell(weekend_guide, garden, &[("Gallery", 2)], &FARID).await?;

    let order = reserve(city_tickets, lanterns, &[("Balcony", 2)]).await?;
    update(city_tickets, &order, json!({"customer": customer(&BRUNO), "status": "canceled"})).await?;
    // Nobody pays for this one: it expires by itself.
    let order = reserve(harbour, lanterns, &[("Stalls", 5)]).await?;
    update(harbour, &order, json!({"customer": customer(&FARID)})).await
}

/// Orders that are under way.
pub(super) async fn of_today(partners: &Partners, catalogue: &Catalogue) -> Result<(), Fatal> {
    let Partners { harbour, north_light, city_tickets, .. } = partners;
    let Catalogue { lanterns, organ, .. } = catalogue;

    let order = reserve(city_tickets, lanterns, &[("Stalls", 2), ("Balcony", 2)]).await?;
    pay(city_tickets, &order, &DMITRI).await?;
    ask_for_one(city_tickets, &order).await?;
    let order = reserve(harbour, lanterns, &[("Balcony", 1)]).await?;
    pay(harbour, &order, &ELLEN).await?;
    make_good(harbour, &order).await?;
    sell(north_light, organ, &[("Nave", 2)], &BRUNO).await?;
    let order = reserve(harbour, lanterns, &[("Stalls", 3)]).await?;
    update(harbour, &order, json!({"promocodes": [FAMILY]})).await?;
    pay(harbour, &order, &FARID).await?;
    let order = reserve(city_tickets, lanterns, &[("Stalls", 3)]).await?;
    begin_payment(city_tickets, &order, &CHIARA).await?;
    // Held for a week.
    let order = reserve(harbour, organ, &[("Nave", 24)]).await?;
    update(harbour, &order, json!({"customer": customer(&ELLEN)})).await?;
    invite(harbour, organ, &[("Nave", 2)], &ADA).await
}

/// Reserves tickets and pays for them: the vendor has the money.
async fn sell(vendor: &Partner, event: &Event, wanted: &[(&str, u32)], buyer: &Customer) -> Result<(), Fatal> {
    let order = reserve(vendor, event, wanted).await?;
    pay(vendor, &order, buyer).await
}

/// Begins the payment and ends it.
async fn pay(vendor: &Partner, order: &str, buyer: &Customer) -> Result<(), Fatal> {
    begin_payment(vendor, order, buyer).await?;
    update(vendor, order, json!({"status": "done"})).await
}

/// From here on the tickets are held while the customer pays.
async fn begin_payment(vendor: &Partner, order: &str, buyer: &Customer) -> Result<(), Fatal> {
    let begun = json!({"customer": customer(buyer), "payment": {"system": "api/BASE"}, "status": "in_progress"});
    update(vendor, order, begun).await
}

/// Gives tickets away, as only the organizer can. Nothing is to be paid, so that it is done at once.
async fn invite(org: &Partner, event: &Event, wanted: &[(&str, u32)], guest: &Customer) -> Result<(), Fatal> {
    let order = reserve(org, event, wanted).await?;
    let invitation =
        json!({"customer": customer(guest), "payment": {"system": "system/INVITATION"}, "status": "in_progress"});
    update(org, &order, invitation).await
}

/// Holds any tickets: the id of the order.
async fn reserve(vendor: &Partner, event: &Event, wanted: &[(&str, u32)]) -> Result<String, Fatal> {
    text(&vendor.api.post("/v1/resources/orders", event.any(wanted)?).await?, "id")
}

async fn update(vendor: &Partner, order: &str, change: Value) -> Result<(), Fatal> {
    vendor.api.patch(&format!("/v1/resources/orders/{order}"), change).await.map(drop)
}

fn customer(who: &Customer) -> Value {
    json!({"first_name": who.first_name, "last_name": who.last_name, "email": who.email, "lang": "en"})
}
