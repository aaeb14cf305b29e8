//! What one vendor, partner or user may make so many of in an hour, so that it can be open to all.

use std::sync::Arc;

use kassa_engine::mail::{MailLimits, MailRates, MailSettings, Mailer, MemoryMailer};
use kassa_engine::metrics::Limit;
use kassa_http::{HttpConfig, Rate, RateLimits};
use serde_json::{Value, json};

use crate::client::Answer;
use crate::harness::{Event, MINUTE_MS, Org, Set, Shop, text};

const HOUR_MS: i64 = 60 * MINUTE_MS;
const ORDERS_V2: &str = "/v2/resources/orders";

/// A shop whose vendors make three orders without tickets in an hour, with ten tickets on sale.
async fn strict() -> (Shop, Org, Event, Set) {
    let rates = RateLimits { empty_orders: Rate::per_hour(3), ..RateLimits::default() };
    let shop = Shop::with(HttpConfig { rate_limits: rates, ..HttpConfig::default() }).await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(10, "10.00").await;
    (shop, org, event, set)
}

#[track_caller]
fn must_wait(answer: Answer) {
    assert_eq!(answer.header("retry-after"), "1200");
    answer.refused(429, "too_many_requests");
}

fn hits(shop: &Shop, limit: Limit) -> u64 {
    shop.engine.limit_hits().get(limit)
}

async fn orders(org: &Org) -> usize {
    org.get("orders").await.ok().as_array().unwrap().len()
}

#[tokio::test]
async fn a_vendor_makes_so_many_orders_without_tickets_and_goes_on_selling() {
    let (shop, org, event, set) = strict().await;
    let v1 = |email: &str| json!({"event": event.id, "tickets": [], "customer": {"email": email}});
    org.post("orders", v1("a@example.org")).await.created();
    let in_v2 = org.post(ORDERS_V2, json!({"event": event.id})).await.ok();
    org.post("orders", v1("b@example.org")).await.created();
    must_wait(org.post("orders", v1("c@example.org")).await);
    must_wait(org.post(ORDERS_V2, json!({"event": event.id})).await);
    assert_eq!((orders(&org).await, hits(&shop, Limit::EmptyOrders)), (3, 2), "what is refused leaves nothing");
    // Who sells is not kept from it, in either version.
    for _ in 0..4 {
        org.order(&event, set.random(1)).await;
    }
    let mut wanted = set.random(1);
    wanted["event"] = json!(event.id);
    org.post(ORDERS_V2, wanted).await.ok();
    // An order that gets tickets does not count any more.
    org.patch(&format!("{ORDERS_V2}/{}", text(&in_v2["data"]["id"])), set.random(1)).await.ok();
    org.post(ORDERS_V2, json!({"event": event.id})).await.ok();
    must_wait(org.post(ORDERS_V2, json!({"event": event.id})).await);
    // Others have their own.
    let other = shop.organizer("other@example.org").await;
    let theirs = other.event("Fair").await;
    other.post(ORDERS_V2, json!({"event": theirs.id})).await.ok();
    shop.pass_ms(20 * MINUTE_MS);
    org.post(ORDERS_V2, json!({"event": event.id})).await.ok();
}

#[tokio::test]
async fn an_order_that_finds_nothing_left_counts_as_one_without_tickets() {
    let (shop, org, event, set) = strict().await;
    let all = org.order(&event, set.random(10)).await;
    let mut wanted = set.random(1);
    wanted["event"] = json!(event.id);
    for _ in 0..3 {
        assert_eq!(org.post("orders", wanted.clone()).await.created()["tickets"], json!([]));
    }
    must_wait(org.post("orders", wanted.clone()).await);
    all.patch(json!({"status": "canceled"})).await;
    org.post("orders", wanted).await.created();
    // An order that is emptied counts, too.
    shop.pass_ms(HOUR_MS);
    for _ in 0..3 {
        org.order(&event, set.random(1)).await.patch(json!({"tickets": []})).await;
    }
    must_wait(org.post(ORDERS_V2, json!({"event": event.id})).await);
}

#[tokio::test]
async fn an_order_does_not_name_one_customer_after_another() {
    let (shop, org, event, set) = strict().await;
    let order = org.order(&event, set.random(1)).await;
    let customer = |email: Value| json!({"customer": {"email": email}});
    order.patch(customer(json!("first@example.org"))).await;
    order.patch(customer(json!("first@example.org"))).await;
    for email in [json!("second@example.org"), Value::Null, json!("third@example.org"), json!("fourth@example.org")] {
        order.patch(customer(email)).await;
    }
    must_wait(org.patch(&order.path, customer(json!("fifth@example.org"))).await);
    must_wait(org.patch(&order.path, customer(Value::Null)).await);
    let in_v2 = json!({"settings": {"customer": {"email": "fifth@example.org"}}});
    must_wait(org.patch(&format!("{ORDERS_V2}/{}", order.id), in_v2).await);
    assert_eq!(hits(&shop, Limit::EmptyOrders), 3);
    // The first one that an order names is what it needs to be sold.
    let next = org.order(&event, set.random(1)).await;
    next.patch(customer(json!("buyer@example.org"))).await;
    next.patch(json!({"payment": {"system": "api/BASE"}, "status": "done"})).await;
}

#[tokio::test]
async fn a_partner_sends_so_many_bytes_of_texts() {
    let rates = RateLimits { text_bytes: Rate::per_hour(36_000), ..RateLimits::default() };
    let shop = Shop::with(HttpConfig { rate_limits: rates, ..HttpConfig::default() }).await;
    let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
    let (event, theirs) = (org.event("Concert").await, other.event("Fair").await);
    let long = |name: &str| json!({"name": name, "amount": 1, "price": "1.00", "desc": "é".repeat(5_000)});
    let set = event.set_with(long("A")).await;
    event.set_with(long("B")).await;
    set.patch(json!({"desc": "x".repeat(10_000)})).await;
    let refused = |answer: Answer| answer.refused(429, "too_many_requests");
    refused(org.post(&format!("{}/sets", event.path), long("C")).await);
    refused(org.patch(&set.path, json!({"desc": "y".repeat(10_000)})).await);
    refused(org.patch(&event.path, json!({"title": {"desc": "z".repeat(10_000)}})).await);
    let fat = json!({"title": {"text": "Fat", "desc": "z".repeat(10_000)}});
    refused(org.post("events", fat).await);
    assert_eq!(hits(&shop, Limit::TextBytes), 4);
    // Nothing else waits for it.
    set.patch(json!({"amount": 2})).await;
    org.order(&event, set.random(1)).await;
    theirs.set_with(long("A")).await;
    shop.pass_ms(HOUR_MS);
    event.set_with(long("C")).await;
}

/// A mailer, and how mails leave by it.
fn post(rates: MailRates) -> (MemoryMailer, MailSettings) {
    let mailer = MemoryMailer::default();
    let settings = MailSettings {
        mailer: Mailer::Memory(mailer.clone()),
        sender: "tickets@example.org".parse().unwrap(),
        currency: None,
        public_url: None,
        confirm_page: None,
        reset_page: None,
        limits: Arc::new(MailLimits::new(rates)),
    };
    (mailer, settings)
}

/// Mails of this subject to this address, of those that were sent since the last look.
async fn sent(shop: &Shop, (mailer, settings): &(MemoryMailer, MailSettings), subject: &str) -> Vec<String> {
    shop.engine.send_due_mails(settings).await.unwrap();
    let messages = mailer.take_sent().into_iter().map(|message| String::from_utf8(message.bytes).unwrap());
    let about = messages.filter(|text| text.lines().any(|line| line.starts_with("Subject:") && line.contains(subject)));
    let to = |text: String| text.lines().find_map(|line| line.strip_prefix("To: ")).unwrap().to_owned();
    about.map(to).collect()
}

#[tokio::test]
async fn tickets_for_one_address_are_mailed_twenty_times_an_hour_and_none_is_lost() {
    let shop = Shop::open().await;
    let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
    let post = post(MailRates::default());
    let sell = async |org: &Org, email: &str, count: usize| {
        let event = org.event("Concert").await;
        let set = event.set(100, "10.00").await;
        for _ in 0..count {
            let mut wanted = set.random(1);
            wanted["customer"] = json!({"email": email});
            wanted["payment"] = json!({"system": "api/BASE", "send_tickets": true});
            org.order(&event, wanted).await.patch(json!({"status": "done"})).await;
        }
    };
    sell(&org, "victim@example.org", 45).await;
    sell(&other, "victim@example.org", 1).await;
    for number in 0..30 {
        sell(&org, &format!("buyer{number}@example.org"), 1).await;
    }
    let mut first = sent(&shop, &post, "Concert").await;
    first.retain(|to| to == "victim@example.org");
    assert_eq!(first.len(), 21, "twenty of one partner, and those of others");
    assert!(hits(&shop, Limit::TicketsMails) >= 25);
    assert_eq!(sent(&shop, &post, "Concert").await.len(), 0);
    let mut later = 0;
    for minute in 0..180 {
        shop.pass_ms(MINUTE_MS);
        later += sent(&shop, &post, "Concert").await.len();
        assert!(later <= 1 + minute / 3, "one every three minutes: {later} after {minute}");
    }
    assert_eq!(later, 25, "none is lost");
}

#[tokio::test]
async fn orders_that_sell_nothing_mail_nobody() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let post = post(MailRates::OFF);
    sent(&shop, &post, "").await;
    let wanted =
        json!({"tickets": [], "customer": {"email": "stranger@example.org"}, "payment": {"send_tickets": true}});
    let order = org.order(&event, wanted).await;
    for status in ["in_progress", "done"] {
        let answer = org.patch(&order.path, json!({"status": status})).await;
        assert!(answer.status == 200 || answer.status == 400, "{answer:?}");
    }
    assert_eq!(sent(&shop, &post, "").await, Vec::<String>::new());
}

#[tokio::test]
async fn one_user_invites_twenty_managers_an_hour_for_all_of_its_partners() {
    let shop = Shop::open().await;
    let (ann, bob) = (shop.user("ann@example.org").await, shop.user("bob@example.org").await);
    let post = post(MailRates::default());
    sent(&shop, &post, "").await;
    for partner in 0..3 {
        let hall = format!("partners/{}", ann.partner("Hall").await);
        let invited = (0..10).map(|number| json!(format!("manager{partner}.{number}@example.org")));
        let users: Vec<Value> = [json!(ann.id)].into_iter().chain(invited).collect();
        ann.patch(&hall, json!({"users": users})).await.ok();
    }
    let fair = format!("partners/{}", bob.partner("Fair").await);
    bob.patch(&fair, json!({"users": [bob.id, "friend@example.org"]})).await.ok();
    let mut first = sent(&shop, &post, "").await;
    assert!(first.contains(&"friend@example.org".to_owned()), "{first:?}");
    first.retain(|to| to.starts_with("manager"));
    assert_eq!((first.len(), hits(&shop, Limit::InvitationMails)), (20, 10));
    shop.pass_ms(HOUR_MS);
    assert_eq!(sent(&shop, &post, "").await.len(), 10, "none is lost");
}
