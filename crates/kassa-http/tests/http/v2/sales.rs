//! Sums of sales, the search of orders, and tickets that are mailed again.

use std::collections::BTreeMap;

use kassa_domain::mail::MailContent;
use kassa_engine::order_index::OrderIndexFollower;
use kassa_store::PageWindow;
use kassa_store::queries::UnsentMailsFilter;
use serde_json::{Value, json};

use super::{ORDERS, at, given, numbers};
use crate::access::{Row, row};
use crate::harness::{Event, MINUTE_MS, Org, Set, Shop, text};

#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET /v2/services/sales", "", 401, [200, 200], [200, 200], 200),
    row("POST /v2/resources/orders/{paid}/tickets_mail", "", 401, [404, 404], [200, 200], 200),
];

const SALES: &str = "/v2/services/sales";

/// Lets everything be counted that has happened.
async fn count(shop: &Shop, follower: &OrderIndexFollower) -> u64 {
    shop.engine.place_batches().await.unwrap();
    shop.engine.index_orders(follower).await.unwrap()
}

/// An organizer with an event and its set, and an agent that sells it.
async fn with_agent(shop: &Shop) -> (Org, Org, Event, Set) {
    let (org, event, set) = given(shop).await;
    let agent = shop.organizer("agent@example.org").await;
    let terms = json!({"event": event.id, "subj": agent.id, "term": {"org": 90, "extra": 4}});
    org.post("deals", terms).await.ok();
    (org, agent, event, set)
}

/// Tickets and cents by event, vendor and day, as the orders themselves say.
async fn sums_of_orders(org: &Org) -> BTreeMap<(String, String, String), (i64, i64)> {
    let mut sums = BTreeMap::<_, (i64, i64)>::new();
    let orders = org.get(&format!("{ORDERS}?page_size=200&status=done")).await.ok();
    for order in orders["data"].as_array().unwrap() {
        let tickets = i64::try_from(order["tickets"].as_array().unwrap().len()).unwrap();
        let key = (text(&order["event"]), text(&order["vendor"]), text(&order["done_at"])[..10].to_owned());
        let sum = sums.entry(key).or_default();
        let cents = if tickets == 0 { 0 } else { cents(&order["values"]["full"]) };
        *sum = (sum.0 + tickets, sum.1 + cents);
    }
    sums.retain(|_, sum| *sum != (0, 0));
    sums
}

fn cents(sum: &Value) -> i64 {
    text(sum).replace('.', "").parse().unwrap()
}

/// The same, as they are counted.
fn counted(sales: &Value) -> BTreeMap<(String, String, String), (i64, i64)> {
    let rows = sales["data"].as_array().unwrap().iter().map(|row| {
        let key = (text(&row["event"]), text(&row["vendor"]), text(&row["date"]));
        (key, (row["sums"]["tickets"].as_i64().unwrap(), cents(&row["sums"]["full"])))
    });
    rows.filter(|(_, sums)| *sums != (0, 0)).collect()
}

pub(crate) async fn sums_are_those_of_the_orders(shop: Shop) {
    let (org, agent, event, set) = with_agent(&shop).await;
    set.patch(json!({"amount": 200})).await;
    let other = org.event("Other").await;
    let cheap = other.set(100, "12.35").await;
    let (first, second) = (shop.engine.order_index_follower(), shop.engine.order_index_follower());
    for step in 0..40_u32 {
        shop.pass_ms(7 * 60 * MINUTE_MS);
        let (seller, of, wanted) = match step % 4 {
            0 => (&agent, &event, &set),
            1 | 2 => (&org, &other, &cheap),
            _ => (&org, &event, &set),
        };
        let made = seller.order_v2(of, wanted.random(1 + step % 3)).await;
        let path = at(&made);
        match step % 5 {
            // Held, until it lapses.
            0 => {}
            1 => drop(seller.patch(&path, json!({"status": "cancelled"})).await.ok()),
            _ => drop(seller.patch(&path, json!({"status": "done"})).await.ok()),
        }
        if step % 5 > 2 {
            let tickets: Vec<String> =
                made["data"]["tickets"].as_array().unwrap().iter().map(|ticket| text(&ticket["id"])).collect();
            let given_back = &tickets[..if step % 2 == 0 { 1 } else { tickets.len() }];
            let order = text(&made["data"]["id"]);
            let body = json!({"order": order, "culprit": "org", "tickets": given_back});
            let asked = org.post("/v2/resources/refund_requests", body).await.ok();
            if step % 3 > 0 {
                let request = format!("/v2/resources/refund_requests/{}", text(&asked["data"]["id"]));
                org.patch(&request, json!({"status": "approved"})).await.ok();
            }
        }
        // What was made before anybody followed is counted, and so is what came then; who follows may change.
        if step == 15 || step == 22 {
            count(&shop, &first).await;
        }
        shop.expire_after_ms(1).await;
    }
    shop.pass_ms(MINUTE_MS);
    count(&shop, &second).await;
    assert_eq!(count(&shop, &second).await, 0, "nothing is counted twice");
    let sales = org.get(&format!("{SALES}?by=event,vendor,day")).await.ok();
    let expected = sums_of_orders(&org).await;
    assert!(expected.len() > 8, "{expected:?}");
    assert_eq!(counted(&sales), expected);
    assert_eq!((&sales["is_complete"], &sales["is_cut"]), (&json!(true), &json!(false)));
    // Each way to tell them apart comes to the same.
    for by in ["", "event", "vendor", "month", "vendor,day,event"] {
        let told = org.get(&format!("{SALES}?by={by}")).await.ok();
        assert_eq!(told["total"], sales["total"], "{by}");
        let parts = told["data"].as_array().unwrap();
        let together = |name: &str| -> i64 { parts.iter().map(|part| cents(&part["sums"][name])).sum() };
        if !by.is_empty() {
            for name in ["full", "organizer", "agent", "platform", "retained"] {
                assert_eq!(together(name), cents(&told["total"][name]), "{by} {name}");
            }
        }
    }
    let [full, organizer, agents, platform] =
        ["full", "organizer", "agent", "platform"].map(|name| cents(&sales["total"][name]));
    assert!(agents > 0 && full == organizer + agents + platform, "{}", sales["total"]);
    let of_event = org.get(&format!("{SALES}?event={}&by=set", event.id)).await.ok();
    let of_sets: i64 = of_event["data"].as_array().unwrap().iter().map(|row| cents(&row["sums"]["full"])).sum();
    assert_eq!(of_sets, cents(&of_event["total"]["full"]), "sets come to the whole");
    let inventory = &of_event["inventory"][0];
    let sold: i64 =
        of_event["data"].as_array().unwrap().iter().map(|row| row["sums"]["tickets"].as_i64().unwrap()).sum();
    assert_eq!((&inventory["set"], &inventory["amount"]), (&json!(set.id), &json!(200)));
    assert_eq!(inventory["sold"], sold, "the counters of the set agree");
    assert_eq!(of_event["refs"]["events"][&event.id], "Concert");
}

pub(crate) async fn sums_are_for_whoever_sold_or_organizes(shop: Shop) {
    let (org, agent, event, set) = with_agent(&shop).await;
    let stranger = shop.organizer("stranger@example.org").await;
    for (seller, tickets) in [(&org, 2), (&agent, 3)] {
        let made = seller.order_v2(&event, set.random(tickets)).await;
        seller.patch(&at(&made), json!({"status": "done"})).await.ok();
    }
    assert_eq!(org.get(SALES).await.ok()["counted_to"], Value::Null);
    count(&shop, &shop.engine.order_index_follower()).await;
    let tickets = async |who: &Org, query: &str| {
        let sales = who.get(&format!("{SALES}?{query}")).await.ok();
        (sales["total"]["tickets"].as_i64().unwrap(), sales["inventory"].is_null())
    };
    assert_eq!(tickets(&org, "").await, (5, true));
    assert_eq!(tickets(&org, &format!("event={}", event.id)).await, (5, false));
    assert_eq!(tickets(&org, "side=agent").await, (0, true), "what it sells of its own is no agent's");
    assert_eq!(tickets(&agent, "side=agent").await, (3, true));
    assert_eq!(tickets(&agent, &format!("side=agent&event={}", event.id)).await, (3, true));
    assert_eq!(tickets(&agent, &format!("event={}", event.id)).await, (0, true));
    assert_eq!(tickets(&stranger, &format!("event={}", event.id)).await, (0, true));
    assert_eq!(tickets(&org, "days=2026-01-01,2026-01-01").await, (5, true));
    assert_eq!(tickets(&org, "days=2026-01-02,2026-02-01").await, (0, true));
    let of_agent = agent.get(&format!("{SALES}?side=agent&by=event,month")).await.ok();
    let sums = &of_agent["data"][0]["sums"];
    // 3 × 100.00, and 4 % on top: the organizer gets 90 % but for what the platform takes.
    assert_eq!(sums["full"], "312.00");
    assert_eq!(cents(&sums["organizer"]) + cents(&sums["agent"]) + cents(&sums["platform"]), 31_200);
    assert_eq!(of_agent["data"][0]["date"], "2026-01");
    for bad in [
        "by=week",
        "by=set",
        "by=day,month",
        "by=day,day",
        "side=organizer,agent",
        "event=x",
        "days=2026-01-01",
        "days=1,2",
    ] {
        org.get(&format!("{SALES}?{bad}")).await.refused(400, "invalid_fields");
    }
}

pub(crate) async fn orders_are_found_by_what_is_known_of_them(shop: Shop) {
    let (org, agent, event, set) = with_agent(&shop).await;
    let follower = shop.engine.order_index_follower();
    let customer = |name: &str, email: &str, phone: &str| {
        let mut body = set.random(1);
        body["settings"] = json!({"customer": {"name": name, "email": email, "phone": phone}});
        body
    };
    let ann = org.order_v2(&event, customer("Ann Fox", "ann@example.org", "+49 170 1234567")).await;
    let anna = agent.order_v2(&event, customer("Анна Петрова", "petrova@example.org", "+7 900 123")).await;
    org.patch(&at(&ann), json!({"status": "done"})).await.ok();
    assert_eq!(count(&shop, &follower).await, 2);
    let number = |order: &Value| order["data"]["number"].as_i64().unwrap();
    let barcode = text(&org.get(&at(&ann)).await.ok()["data"]["tickets"][0]["barcode"]);
    let found = async |who: &Org, text: &str| {
        let text: String = percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
        let mut found = numbers(&who.get(&format!("{ORDERS}?search={text}")).await.ok());
        found.sort_unstable();
        found
    };
    let (fox_number, petrova_number) = (number(&ann), number(&anna));
    let cases = [
        ("Ann", vec![fox_number]),
        ("fox ANN", vec![fox_number]),
        ("fox anna", vec![]),
        ("+49 170", vec![]),
        ("+49170", vec![fox_number]),
        ("ann@example", vec![fox_number]),
        ("АННА", vec![petrova_number]),
        ("Петр", vec![petrova_number]),
        ("nn", vec![]),
        ("%", vec![]),
        (barcode.as_str(), vec![fox_number]),
        (&barcode[..15], vec![]),
    ];
    for (text, expected) in cases {
        assert_eq!(found(&org, text).await, expected, "{text}");
    }
    assert_eq!(found(&org, &petrova_number.to_string()).await, [petrova_number]);
    assert_eq!(found(&agent, "ann@").await, Vec::<i64>::new(), "what others sell is not found");
    assert_eq!(found(&agent, "анна").await, [petrova_number]);
    assert_eq!(found(&agent, &fox_number.to_string()).await, Vec::<i64>::new());
    assert_eq!(found(&agent, &barcode).await, Vec::<i64>::new());
    let narrowed = org.get(&format!("{ORDERS}?search=ann&status=cancelled")).await.ok();
    assert_eq!(narrowed["total_count"], 0);
    // Another customer is found, and the one before is not.
    let body = json!({"settings": {"customer": {"name": "Zoe", "email": "zoe@example.org"}}});
    agent.patch(&at(&anna), body).await.ok();
    count(&shop, &follower).await;
    assert_eq!((found(&org, "zoe").await, found(&org, "petrova").await), (vec![petrova_number], vec![]));
    // Whoever is named with the reservation is found before anything else happens to the order.
    org.order_v2(&event, set.random(1)).await;
    assert_eq!(count(&shop, &follower).await, 0, "an order that names nobody");
    let eve = agent.order_v2(&event, customer("Eve", "eve@example.org", "")).await;
    assert_eq!(count(&shop, &follower).await, 1);
    assert_eq!(found(&org, "eve").await, [number(&eve)]);
}

pub(crate) async fn tickets_are_mailed_again(shop: Shop) {
    let (org, agent, event, set) = with_agent(&shop).await;
    let mut body = set.random(1);
    body["settings"] = json!({"customer": {"email": "ann@example.org", "lang": "de"}});
    let (with_mail, without) = (agent.order_v2(&event, body).await, agent.order_v2(&event, set.random(1)).await);
    let path = |order: &Value| format!("{}/tickets_mail", at(order));
    agent.post(&path(&with_mail), Value::Null).await.refused(400, "order_not_done");
    for order in [&with_mail, &without] {
        agent.patch(&at(order), json!({"status": "done"})).await.ok();
    }
    agent.post(&path(&without), Value::Null).await.refused(400, "customer_email_required");
    org.post(&path(&with_mail), Value::Null).await.refused(403, "forbidden");
    for _ in 0..10 {
        assert_eq!(agent.post(&path(&with_mail), Value::Null).await.ok(), json!({}));
    }
    agent.post(&path(&with_mail), Value::Null).await.refused(429, "too_many_requests");
    let mails = shop.engine.page(UnsentMailsFilter, PageWindow::first(100)).await.unwrap().rows;
    let tickets = mails.iter().filter(|mail| matches!(mail.content, MailContent::Tickets { .. }));
    let to: Vec<_> = tickets.map(|mail| (mail.to.to_string(), mail.lang.clone())).collect();
    assert_eq!(to, vec![("ann@example.org".to_owned(), Some("de".to_owned())); 10]);
}
