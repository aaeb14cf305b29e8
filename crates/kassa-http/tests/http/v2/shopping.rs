//! People who buy for themselves: visitors of a shop, and whoever has the link of an order.

use kassa_engine::metrics::Limit;
use serde_json::{Value, json};

use super::{ORDERS, at, given};
use crate::client::Client;
use crate::harness::{Event, MINUTE_MS, Org, Set, Shop, text};

const RANDOM_KEY: &str = "b0b9e8d2-6a5c-4c29-9a4f-3e1d5f6a7b8c";

/// So many tickets of a set.
fn wanted(event: &Event, set: &Set, count: u32) -> Value {
    let mut body = set.random(count);
    body["event"] = json!(event.id);
    body
}

impl Shop {
    /// Whoever visits the shop of a partner.
    pub(super) fn visitor(&self, org: &Org) -> Client {
        let token = self.engine.shop_token(org.id.parse().unwrap());
        self.anonymous().with("authorization", format!("widget {token}"))
    }

    /// Whoever has the link of an order that a visitor has made.
    pub(super) fn buyer(&self, made: &Value) -> Client {
        self.anonymous().with("authorization", format!("order {}", text(&made["access"]["token"])))
    }
}

impl Org {
    async fn open_shop(&self) {
        self.patch(&self.path(), json!({"shop": {"open": true, "payments": ["DOOR"]}})).await.ok();
    }
}

#[tokio::test]
async fn a_partner_says_how_it_sells_to_people() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let closed = json!({
        "open": false, "payments": [], "accent": null, "transfer": null, "origins": [], "about": null, "email": null,
        "phone": null, "header": null, "terms": null,
    });
    assert_eq!(org.get(&org.path()).await.ok()["shop"], closed);
    let said = json!({"open": true, "payments": ["TRANSFER", "DOOR", "TRANSFER"], "accent": "#0A7b8c"});
    let seen = org.patch(&org.path(), json!({"shop": said})).await.ok()["shop"].clone();
    let mut wanted = closed.clone();
    for (field, value) in
        [("open", json!(true)), ("payments", json!(["TRANSFER", "DOOR"])), ("accent", json!("#0a7b8c"))]
    {
        wanted[field] = value;
    }
    assert_eq!(seen, wanted);
    let mut public = seen.clone();
    public["payments"] = json!(["DOOR"]);
    let others = shop.anonymous();
    assert_eq!(others.get(&org.path()).await.ok()["shop"], public, "everybody sees it, but for what it cannot take");
    let account = json!({"iban": "DE02120300000000202051", "holder": "Club Nord"});
    org.patch(&org.path(), json!({"shop": {"transfer": account}})).await.ok();
    assert_eq!(others.get(&org.path()).await.ok()["shop"]["payments"], json!(["TRANSFER", "DOOR"]));
    org.patch(&org.path(), json!({"shop": {"transfer": null}})).await.ok();
    org.patch(&org.path(), json!({"shop": {"accent": null}})).await.ok();
    assert_eq!(org.get(&org.path()).await.ok()["shop"]["payments"], json!(["TRANSFER", "DOOR"]));
    for bad in
        [json!({"accent": "red"}), json!({"accent": "#12345"}), json!({"payments": ["CASH"]}), json!({"open": 7})]
    {
        org.patch(&org.path(), json!({"shop": bad})).await.refused(400, "invalid_fields");
    }
    assert_eq!(org.patch(&org.path(), json!({"shop": null})).await.ok()["shop"], closed);
}

#[tokio::test]
async fn a_visitor_orders_in_an_open_shop_and_nothing_else() {
    let shop = Shop::open().await;
    let (org, event, set) = given(&shop).await;
    let (visitor, wanted) = (shop.visitor(&org), wanted(&event, &set, 2));
    visitor.post(ORDERS, wanted.clone()).await.refused(403, "forbidden");
    org.open_shop().await;
    visitor.post(ORDERS, json!({"event": event.id})).await.refused(400, "order_empty");
    let made = visitor.post(ORDERS, wanted.clone()).await.ok();
    assert_eq!((&made["data"]["origin"], &made["data"]["vendor"]), (&json!("widget"), &json!(org.id)));
    let url = text(&made["access"]["url"]);
    assert!(url.ends_with(&format!("/order/{}", text(&made["access"]["token"]))), "{url}");
    visitor.get(&at(&made)).await.refused(404, "not_found");
    visitor.patch(&at(&made), json!({"status": "canceled"})).await.refused(404, "not_found");
    visitor.post("/v1/resources/orders", wanted).await.refused(403, "forbidden");
    visitor.post("/v1/resources/events", json!({"title": {"text": "Mine"}})).await.refused(403, "forbidden");
    visitor.get("/v2/resources/changes").await.refused(403, "forbidden");
    visitor.patch(&org.path(), json!({"shop": {"open": true}})).await.refused(403, "forbidden");
    assert_eq!(visitor.get(ORDERS).await.ok()["total_count"], 0, "a list shows no orders of others");
    assert_eq!(org.get(&at(&made)).await.ok()["data"]["status"], "executed", "the seller sees it");
    assert_eq!(org.get(&at(&made)).await.ok()["access"], Value::Null, "and not what opens it");
}

#[tokio::test]
async fn a_visitor_checks_codes_of_its_shop_and_does_not_guess_them() {
    let shop = Shop::open().await;
    let (org, event, set) = given(&shop).await;
    org.open_shop().await;
    let code = json!({"code": "SPRING", "discount": {"percentage": "10%"}});
    org.post(&format!("events/{}/promocodes", event.id), code).await.created();
    let visitor = shop.visitor(&org).at_address("192.0.2.1");
    let check = |code: &str| json!({"event": event.id, "code": code});
    let checked = visitor.post("/v2/services/promocodes/check", check("spring")).await.ok();
    assert_eq!(checked["data"]["discount"], json!({"percentage": "10%"}));
    visitor.post("/v2/services/promocodes/check", check("WINTER")).await.refused(400, "promocode_not_found");
    let stranger = shop.organizer("other@example.org").await;
    stranger.open_shop().await;
    let elsewhere = shop.visitor(&stranger).at_address("192.0.2.2");
    elsewhere.post("/v2/services/promocodes/check", check("SPRING")).await.refused(400, "event_not_found");

    let quote = |codes: Value| {
        let mut body = wanted(&event, &set, 1);
        body["promocodes"] = codes;
        visitor.post("/v2/services/orders/quote", body)
    };
    // Two checks and 58 codes in quotes are a minute's.
    for guess in 0..29 {
        quote(json!([format!("A{guess}"), format!("B{guess}")])).await.ok();
    }
    quote(json!(["SPRING"])).await.refused(429, "too_many_requests");
    assert_eq!(hits(&shop, Limit::PromocodeChecks), 1);
    quote(json!([])).await.ok();
    shop.pass_ms(MINUTE_MS);
    quote(json!(["SPRING"])).await.ok();
}

#[tokio::test]
async fn an_agents_shop_sells_at_the_agents_price_only() {
    let shop = Shop::open().await;
    let (org, event, set) = given(&shop).await;
    let agent = shop.organizer("agent@example.org").await;
    agent.open_shop().await;
    let (visitor, wanted) = (shop.visitor(&agent), wanted(&event, &set, 1));
    visitor.post(ORDERS, wanted.clone()).await.refused(400, "deal_not_found");
    let deal = |extra: u32| json!({"event": event.id, "subj": agent.id, "term": {"org": 90, "extra": extra}});
    let cheap = org.post("deals", deal(0)).await.ok();
    org.post("deals", deal(7)).await.ok();
    let quoted = visitor.post("/v2/services/orders/quote", wanted.clone()).await.ok();
    assert_eq!(quoted["data"]["values"]["full"], "107.00");
    let made = visitor.post(ORDERS, wanted.clone()).await.ok();
    assert_eq!((&made["data"]["values"]["full"], &made["data"]["vendor"]), (&json!("107.00"), &json!(agent.id)));
    let mut cheaper = wanted;
    cheaper["deal"] = cheap["id"].clone();
    visitor.post(ORDERS, cheaper).await.refused(403, "forbidden");
}

#[tokio::test]
async fn a_link_opens_one_order_for_what_its_customer_does() {
    let shop = Shop::open().await;
    let (org, event, set) = given(&shop).await;
    org.open_shop().await;
    let order = || async { shop.visitor(&org).post(ORDERS, wanted(&event, &set, 2)).await.ok() };
    let (made, other) = (order().await, order().await);
    let buyer = shop.buyer(&made);
    assert_eq!(buyer.get(&at(&made)).await.ok()["data"]["id"], made["data"]["id"]);
    buyer.get(&at(&other)).await.refused(404, "not_found");
    buyer.patch(&at(&other), json!({"status": "canceled"})).await.refused(404, "not_found");
    let customer =
        json!({"settings": {"customer": {"email": "ann@example.org", "name": "Ann Fox"}, "send_tickets": true}});
    assert_eq!(buyer.patch(&at(&made), customer).await.ok()["data"]["settings"]["customer"]["name"], "Ann Fox");
    let changed = buyer.patch(&at(&made), set.random(3)).await.ok();
    assert_eq!(changed["data"]["values"]["full"], "300.00");
    for vendors in [
        json!({"status": "done"}),
        json!({"status": "in_progress"}),
        json!({"settings": {"invitation": true}}),
        json!({"vendor_data": {"order_id": "mine"}}),
    ] {
        buyer.patch(&at(&made), vendors.clone()).await.refused(403, "forbidden");
        assert_eq!(buyer.get(&at(&made)).await.ok()["data"]["status"], "executed", "{vendors}");
    }
    buyer.post(ORDERS, wanted(&event, &set, 1)).await.refused(403, "forbidden");
    assert_eq!(buyer.patch(&at(&made), json!({"status": "canceled"})).await.ok()["data"]["status"], "cancelled");
    let token = text(&made["access"]["token"]);
    let (id, secret) = token.split_once('.').unwrap();
    let others = text(&other["access"]["token"]);
    let (other_id, other_secret) = others.split_once('.').unwrap();
    for wrong in [format!("{id}.{other_secret}"), format!("{other_id}.{secret}"), format!("{id}."), id.to_owned()] {
        let stranger = shop.anonymous().with("authorization", format!("order {wrong}"));
        stranger.get(&at(&made)).await.refused(401, "credential_invalid");
    }
}

#[tokio::test]
async fn who_needs_longer_gets_as_much_time_again() {
    let shop = Shop::open().await;
    let (org, event, set) = given(&shop).await;
    org.open_shop().await;
    let made = shop.visitor(&org).post(ORDERS, wanted(&event, &set, 1)).await.ok();
    let buyer = shop.buyer(&made);
    let till = |minutes: u32| json!({"expired_after": format!("2026-01-01 00:{minutes}:00")});
    assert_eq!(made["data"]["expired_after"], "2026-01-01 00:15:00");
    shop.pass_ms(14 * MINUTE_MS);
    let longer = buyer.patch(&at(&made), till(30)).await.ok();
    assert_eq!(longer["data"]["expired_after"], "2026-01-01 00:30:00");
    buyer.patch(&at(&made), till(31)).await.refused(400, "expired_after_limit");
    assert_eq!(shop.expire_after_ms(17 * MINUTE_MS).await, 1);
    assert_eq!(buyer.get(&at(&made)).await.ok()["data"]["status"], "expired");
}

#[tokio::test]
async fn a_visitors_key_is_too_long_to_be_guessed() {
    let shop = Shop::open().await;
    let (org, event, set) = given(&shop).await;
    org.open_shop().await;
    let wanted = wanted(&event, &set, 1);
    let visitor = shop.visitor(&org).with("idempotency-key", RANDOM_KEY);
    let (once, twice) =
        (visitor.post(ORDERS, wanted.clone()).await.ok(), visitor.post(ORDERS, wanted.clone()).await.ok());
    assert_eq!(once, twice);
    shop.visitor(&org).with("idempotency-key", "1").post(ORDERS, wanted).await.refused(400, "bad_idempotency_key");
}

#[tokio::test]
async fn tokens_of_others_open_no_shop() {
    let shop = Shop::open().await;
    let (org, event, set) = given(&shop).await;
    org.open_shop().await;
    let token = shop.engine.shop_token(org.id.parse().unwrap());
    let (signed, _) = token.rsplit_once('.').unwrap();
    // The signature of the HS256 key "secret", and none.
    for wrong in [format!("{signed}.{}", "A".repeat(43)), format!("{signed}."), signed.to_owned(), "x".to_owned()] {
        let stranger = shop.anonymous().with("authorization", format!("widget {wrong}"));
        let wanted = wanted(&event, &set, 1);
        stranger.post(ORDERS, wanted).await.refused(401, "credential_invalid");
    }
}

#[tokio::test]
async fn so_much_is_held_without_being_paid_by_one_e_mail_and_from_one_address() {
    let shop = Shop::open().await;
    let (org, event, _) = given(&shop).await;
    let set = event.set(500, "10.00").await;
    org.open_shop().await;
    let from = |address: &str| shop.visitor(&org).at_address(address);
    let named = |email: &str| {
        let mut body = wanted(&event, &set, 1);
        body["settings"] = json!({"customer": {"email": email}});
        body
    };
    for host in 1..=5 {
        from(&format!("192.0.2.{host}")).post(ORDERS, named("ann@example.org")).await.ok();
    }
    from("192.0.2.6").post(ORDERS, named("ann@example.org")).await.refused(400, "unpaid_limit");
    let other = from("192.0.2.6").post(ORDERS, named("ben@example.org")).await.ok();
    let rename = json!({"settings": {"customer": {"email": "ann@example.org"}}});
    shop.buyer(&other).patch(&at(&other), rename.clone()).await.refused(400, "unpaid_limit");
    assert_eq!(hits(&shop, Limit::UnpaidOrdersOfEmail), 2);
    // The seller names whom it likes.
    org.patch(&at(&other), rename).await.ok();
    for _ in 0..2 {
        from("198.51.100.7").post(ORDERS, wanted(&event, &set, 50)).await.ok();
    }
    from("198.51.100.7").post(ORDERS, wanted(&event, &set, 21)).await.refused(400, "unpaid_limit");
    assert_eq!(hits(&shop, Limit::UnpaidTicketsOfAddress), 1);
    let half = from("198.51.100.7").post(ORDERS, wanted(&event, &set, 20)).await.ok();
    for _ in 0..30 {
        from("2001:db8::1").post(ORDERS, wanted(&event, &set, 1)).await.ok();
    }
    from("2001:db8::ffff:1").post(ORDERS, wanted(&event, &set, 1)).await.refused(400, "unpaid_limit");
    assert_eq!(hits(&shop, Limit::UnpaidOrdersOfAddress), 1);
    shop.buyer(&half).patch(&at(&half), json!({"status": "canceled"})).await.ok();
    from("198.51.100.7").post(ORDERS, wanted(&event, &set, 20)).await.ok();
}

#[tokio::test]
async fn whoever_has_a_link_names_one_customer_after_another_so_often() {
    let shop = Shop::open().await;
    let (org, event, set) = given(&shop).await;
    org.open_shop().await;
    let made = shop.visitor(&org).post(ORDERS, wanted(&event, &set, 1)).await.ok();
    let named = |count: u32| json!({"settings": {"customer": {"email": format!("guest{count}@example.org")}}});
    for count in 0..=10 {
        shop.buyer(&made).patch(&at(&made), named(count)).await.ok();
        shop.buyer(&made).patch(&at(&made), named(count)).await.ok();
    }
    shop.buyer(&made).patch(&at(&made), named(11)).await.refused(429, "too_many_requests");
    assert_eq!((hits(&shop, Limit::ShopEmails), hits(&shop, Limit::EmptyOrders)), (1, 0));
    org.patch(&at(&made), named(12)).await.ok();
    shop.pass_ms(6 * MINUTE_MS);
    shop.buyer(&made).patch(&at(&made), named(13)).await.ok();
}

fn hits(shop: &Shop, limit: Limit) -> u64 {
    shop.engine.limit_hits().get(limit)
}
