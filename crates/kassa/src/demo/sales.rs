//! What was sold: orders in every state.

use serde_json::{Value, json};

use super::catalogue::DemoCatalogue;
use super::client::text_field;
use super::event::DemoEvent;
use super::hall::{block_last_seat, sell_at_the_box_office};
use super::partners::{DemoPartner, DemoPartners};
use super::promocodes::FAMILY_CODE;
use super::refunds::{refund_whole_order, request_ticket_refund};
use crate::error::Fatal;

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
pub(super) async fn sell_last_month(partners: &DemoPartners, catalogue: &DemoCatalogue) -> Result<(), Fatal> {
    let DemoPartners { harbour, clockwork, north_light, city_tickets, weekend_guide } = partners;
    let DemoCatalogue { lanterns, brass, strings, garden, festival, .. } = catalogue;

    reserve_and_pay(harbour, brass, &[("Hall", 2)], &ADA).await?;
    reserve_and_pay(harbour, brass, &[("Hall", 6)], &BRUNO).await?;
    reserve_and_pay(harbour, lanterns, &[("Stalls", 2), ("Balcony", 1)], &ADA).await?;
    reserve_and_pay(clockwork, garden, &[("Parterre", 2)], &CHIARA).await?;
    reserve_and_pay(north_light, festival, &[("Three days", 4), ("Camping", 2)], &DMITRI).await?;

    reserve_and_pay(harbour, strings, &[("Stalls", 2), ("Balcony", 4)], &CHIARA).await?;
    block_last_seat(harbour, strings, "Stalls").await?;
    sell_at_the_box_office(harbour, strings).await?;

    // Agents sell at their own prices, under their deals.
    reserve_and_pay(city_tickets, brass, &[("Hall", 3)], &CHIARA).await?;
    reserve_and_pay(city_tickets, lanterns, &[("Stalls", 4)], &ELLEN).await?;
    reserve_and_pay(city_tickets, strings, &[("Stalls", 3)], &ELLEN).await?;
    reserve_and_pay(city_tickets, festival, &[("Saturday", 2)], &FARID).await?;
    reserve_and_pay(weekend_guide, garden, &[("Gallery", 2)], &FARID).await?;

    let order = reserve(city_tickets, lanterns, &[("Balcony", 2)]).await?;
    update(city_tickets, &order, json!({"customer": customer_body(&BRUNO), "status": "canceled"})).await?;
    // Nobody pays for this one: it expires by itself.
    let order = reserve(harbour, lanterns, &[("Stalls", 5)]).await?;
    update(harbour, &order, json!({"customer": customer_body(&FARID)})).await
}

/// Orders that are under way.
pub(super) async fn sell_today(partners: &DemoPartners, catalogue: &DemoCatalogue) -> Result<(), Fatal> {
    let DemoPartners { harbour, north_light, city_tickets, .. } = partners;
    let DemoCatalogue { lanterns, organ, tango, .. } = catalogue;

    // All of them are gone.
    reserve_and_pay(harbour, tango, &[("Floor", 8)], &BRUNO).await?;

    let order = reserve(city_tickets, lanterns, &[("Stalls", 2), ("Balcony", 2)]).await?;
    begin_and_finish_payment(city_tickets, &order, &DMITRI).await?;
    request_ticket_refund(city_tickets, &order).await?;
    let order = reserve(harbour, lanterns, &[("Balcony", 1)]).await?;
    begin_and_finish_payment(harbour, &order, &ELLEN).await?;
    refund_whole_order(harbour, &order).await?;
    reserve_and_pay(north_light, organ, &[("Nave", 2)], &BRUNO).await?;
    let order = reserve(harbour, lanterns, &[("Stalls", 3)]).await?;
    update(harbour, &order, json!({"promocodes": [FAMILY_CODE]})).await?;
    begin_and_finish_payment(harbour, &order, &FARID).await?;
    let order = reserve(city_tickets, lanterns, &[("Stalls", 3)]).await?;
    begin_payment(city_tickets, &order, &CHIARA).await?;
    // Held for a week.
    let order = reserve(harbour, organ, &[("Nave", 24)]).await?;
    update(harbour, &order, json!({"customer": customer_body(&ELLEN)})).await?;
    invite(harbour, organ, &[("Nave", 2)], &ADA).await
}

/// Reserves tickets and pays for them: the vendor has the money.
async fn reserve_and_pay(
    vendor: &DemoPartner,
    event: &DemoEvent,
    wanted: &[(&str, u32)],
    buyer: &Customer,
) -> Result<(), Fatal> {
    let order = reserve(vendor, event, wanted).await?;
    begin_and_finish_payment(vendor, &order, buyer).await
}

/// Begins the payment and ends it.
async fn begin_and_finish_payment(vendor: &DemoPartner, order: &str, buyer: &Customer) -> Result<(), Fatal> {
    begin_payment(vendor, order, buyer).await?;
    update(vendor, order, json!({"status": "done"})).await
}

/// From here on the tickets are held while the customer pays.
async fn begin_payment(vendor: &DemoPartner, order: &str, buyer: &Customer) -> Result<(), Fatal> {
    let begun = json!({"customer": customer_body(buyer), "payment": {"system": "api/BASE"}, "status": "in_progress"});
    update(vendor, order, begun).await
}

/// Gives tickets away, as only the organizer can. Nothing is to be paid, so that it is done at once.
async fn invite(org: &DemoPartner, event: &DemoEvent, wanted: &[(&str, u32)], guest: &Customer) -> Result<(), Fatal> {
    let order = reserve(org, event, wanted).await?;
    let invitation =
        json!({"customer": customer_body(guest), "payment": {"system": "system/INVITATION"}, "status": "in_progress"});
    update(org, &order, invitation).await
}

/// Holds any tickets: the id of the order.
async fn reserve(vendor: &DemoPartner, event: &DemoEvent, wanted: &[(&str, u32)]) -> Result<String, Fatal> {
    text_field(&vendor.client.post("/v1/resources/orders", event.order_body(wanted)?).await?, "id")
}

async fn update(vendor: &DemoPartner, order: &str, change: Value) -> Result<(), Fatal> {
    vendor.client.patch(&format!("/v1/resources/orders/{order}"), change).await.map(drop)
}

fn customer_body(who: &Customer) -> Value {
    json!({"first_name": who.first_name, "last_name": who.last_name, "email": who.email, "lang": "en"})
}
