//! What happened to a resource: who reads it, and what it tells of whom.

use serde_json::{Value, json};

use super::ORDERS;
use crate::access::{Row, row};
use crate::client::Client;
use crate::harness::{DAY_MS, EVENING, Event, MINUTE_MS, Org, Shop, User, text};

#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET /v2/resources/orders/{order}/history", "", 401, [404, 404], [200, 200], 200),
    row("GET /v2/resources/refund_requests/{refund_request}/history", "", 401, [404, 404], [200, 200], 200),
    row("GET /v2/resources/events/{event}/history", "", 401, [403, 403], [200, 200], 200),
    row("GET /v2/resources/events/{hidden}/history", "", 401, [404, 404], [200, 200], 200),
    row("GET /v2/resources/events/{event}/sets/{set}/history", "", 401, [403, 403], [200, 200], 200),
    row("GET /v2/resources/events/{hidden}/sets/{backstage}/history", "", 401, [404, 404], [200, 200], 200),
    row("GET /v2/resources/deals/{deal}/history", "", 401, [404, 404], [200, 200], 200),
    row("GET /v2/resources/partners/{partner}/history", "", 401, [403, 403], [200, 200], 200),
];

/// What the two partners are called.
const ORG: &str = "Partner of org@example.org";
const AGENT: &str = "Partner of agent@example.org";

/// An organizer and an agent with a deal for its event, each with a user who has a name.
struct Sale {
    shop: Shop,
    org: Org,
    agent: Org,
    /// Of the organizer.
    olga: User,
    /// Of the agent.
    adam: User,
    event: Event,
    set: String,
    deal: String,
}

impl Sale {
    async fn begin() -> Self {
        let shop = Shop::open().await;
        let [org, agent] = [shop.organizer("org@example.org").await, shop.organizer("agent@example.org").await];
        let [olga, adam] = [named(&shop, "Olga", &org).await, named(&shop, "Adam", &agent).await];
        let event = org.event("Concert").await;
        let set = event.set(9, "100.00").await.id;
        let body = json!({"event": event.id, "subj": agent.id, "term": {"org": 90}});
        let deal = text(&org.post("deals", body).await.ok()["id"]);
        Self { shop, org, agent, olga, adam, event, set, deal }
    }

    /// An order of two tickets, by the agent's key.
    async fn order(&self) -> String {
        let body = json!({"event": self.event.id, "random": {&self.set: 2}});
        text(&self.agent.at_address("203.0.113.7").post("orders", body).await.created()["id"])
    }
}

/// A user who manages a partner.
async fn named(shop: &Shop, name: &str, partner: &Org) -> User {
    let user = shop.user(&format!("{name}@example.org")).await;
    user.patch(&user.path(), json!({"first_name": name, "last_name": "Lee"})).await.ok();
    shop.manage(&partner.id, &[&user.id]).await;
    shop.log_in(&format!("{name}@example.org"), crate::harness::PASSWORD).await
}

fn history(kind: &str, id: &str) -> String {
    format!("/v2/resources/{kind}/{id}/history")
}

/// What a page tells, a line each: what by whom from where, and what it was before where that is a word.
fn told(page: &Value) -> Vec<String> {
    page["data"].as_array().unwrap().iter().map(line).collect()
}

fn line(change: &Value) -> String {
    let said = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let actor = &change["actor"];
    let facts = change["facts"].as_object().unwrap().iter().map(|(name, fact)| match (&fact["from"], &fact["to"]) {
        (Value::Null, Value::Null) => name.clone(),
        (from, to) => format!("{name} {from}>{to}"),
    });
    format!(
        "{} {} by {} {} of {} from {}: {}",
        change["version"],
        said(&change["type"]),
        said(&actor["type"]),
        said(if actor["job"].is_null() { &actor["name"] } else { &actor["job"] }),
        said(&actor["partner"]["name"]),
        said(&change["origin"]["address"]),
        facts.collect::<Vec<String>>().join(", "),
    )
}

async fn told_to(reader: &Client, path: &str) -> Vec<String> {
    let page = reader.get(path).await.ok();
    assert_eq!(page["pagination"], json!({"limit": 50, "next": null, "forgotten": 0}), "{page}");
    assert_eq!(page["total_count"], json!(page["data"].as_array().unwrap().len()));
    told(&page)
}

#[tokio::test]
async fn the_history_of_an_order_tells_each_side_who_of_it_did_what() {
    let sale = Sale::begin().await;
    let order = sale.order().await;
    let (mine, path) = (format!("orders/{order}"), history("orders", &order));
    sale.adam.at_address("10.0.0.7").patch(&mine, json!({"status": "in_progress"})).await.ok();
    sale.olga.at_address("2001:db8::7").patch(&mine, json!({"status": "cancelled"})).await.ok();
    let canceled = r#"full, status "in_progress">"cancelled", ticket_count, tickets"#;
    let begun = concat!(
        r#"full, reserved_till "2026-01-01 00:15:00">"2026-01-01 00:30:00", "#,
        r#"status "executed">"in_progress", ticket_count"#
    );
    let reserved = "full, reserved_till, status, ticket_count, tickets";
    assert_eq!(
        told_to(&sale.agent, &path).await,
        [
            format!("3 order.canceled by user - of {ORG} from -: {canceled}"),
            format!("2 order.payment_started by user Adam Lee of {AGENT} from private: {begun}"),
            format!("1 order.reserved by api_key till of {AGENT} from public: {reserved}"),
        ]
    );
    assert_eq!(
        told_to(&sale.org, &path).await,
        [
            format!("3 order.canceled by user Olga Lee of {ORG} from public: {canceled}"),
            format!("2 order.payment_started by user - of {AGENT} from -: {begun}"),
            format!("1 order.reserved by api_key - of {AGENT} from -: {reserved}"),
        ]
    );
    // Whoever is of one side is named to it only.
    let ids = async |reader: &Org| {
        let page = reader.get(&path).await.ok();
        [0, 1, 2].map(|at| page["data"][at]["actor"]["id"].as_str().map(str::to_owned))
    };
    assert_eq!(ids(&sale.agent).await, [None, Some(sale.adam.id.clone()), Some(sale.agent.key.clone())]);
    assert_eq!(ids(&sale.org).await, [Some(sale.olga.id.clone()), None, None]);
}

#[tokio::test]
async fn a_payment_and_a_refund_are_told_with_those_who_asked_and_approved() {
    let sale = Sale::begin().await;
    let order = sale.order().await;
    sale.adam.patch(&format!("orders/{order}"), json!({"status": "done"})).await.ok();
    let body = json!({"order": order, "culprit": "user", "tickets": []});
    let request = text(&sale.agent.post("refund_requests", body).await.created()["id"]);
    sale.olga.patch(&format!("refund_requests/{request}"), json!({"status": "approved"})).await.ok();
    let path = history("refund_requests", &request);
    let approved = concat!(
        "agent_amount, order, organizer_amount, platform_amount, refund_paid, refund_returned, ",
        r#"status "new">"approved""#
    );
    let created = concat!(
        "agent_amount, culprit, order, organizer_amount, platform_amount, refund_paid, refund_returned, ",
        "status, tickets"
    );
    assert_eq!(
        told_to(&sale.agent, &path).await,
        [
            format!("2 refund_request.approved by user - of {ORG} from -: {approved}"),
            format!("1 refund_request.created by api_key till of {AGENT} from -: {created}"),
        ]
    );
    assert_eq!(
        told_to(&sale.org, &path).await,
        [
            format!("2 refund_request.approved by user Olga Lee of {ORG} from -: {approved}"),
            format!("1 refund_request.created by api_key - of {AGENT} from -: {created}"),
        ]
    );
    let of_order = told_to(&sale.adam, &history("orders", &order)).await;
    let begins: Vec<&str> = of_order.iter().map(|line| line.split(" from ").next().unwrap()).collect();
    assert_eq!(
        begins,
        [
            format!("5 ticket.voided by user - of {ORG}"),
            format!("4 order.refunded by user - of {ORG}"),
            format!("3 ticket.issued by user Adam Lee of {AGENT}"),
            format!("2 order.paid by user Adam Lee of {AGENT}"),
            format!("1 order.reserved by api_key till of {AGENT}"),
        ]
    );
}

#[tokio::test]
async fn what_the_server_does_by_itself_is_told_by_the_name_of_the_job() {
    let sale = Sale::begin().await;
    let order = sale.order().await;
    assert_eq!(sale.shop.expire_after_ms(60 * MINUTE_MS).await, 1);
    assert_eq!(
        told_to(&sale.org, &history("orders", &order)).await[0],
        r#"2 order.expired by system expire_orders of - from -: full, status "executed">"expired", ticket_count, tickets"#
    );
    let paid = sale.order().await;
    sale.agent.patch(&format!("orders/{paid}"), json!({"status": "done"})).await.ok();
    sale.org.patch(&sale.event.path, json!({"status": "canceled"})).await.ok();
    sale.shop.run_jobs().await;
    let request = text(&sale.org.get("refund_requests").await.ok()[0]["id"]);
    let opened = told_to(&sale.agent, &history("refund_requests", &request)).await;
    assert!(
        opened[0].starts_with("1 refund_request.created by system refund_canceled_event of - from -: "),
        "{opened:?}"
    );
    let path = format!("{}/sets", sale.event.path);
    let large = sale.org.post(&path, json!({"name": "Field", "amount": 30_000, "price": 1})).await.created();
    sale.shop.run_jobs().await;
    let path = format!("/v2/resources/events/{}/sets/{}/history", sale.event.id, text(&large["id"]));
    let made = told_to(&sale.org, &path).await;
    assert!(made[0].contains(" set.changed by system resize_set of - from -: "), "{made:?}");
}

#[tokio::test]
async fn an_event_and_its_sets_tell_the_organizer_what_was_changed() {
    let sale = Sale::begin().await;
    let path = &sale.event.path;
    sale.olga.patch(path, json!({"title": "Late concert", "age_rating": 18})).await.ok();
    sale.olga.patch(&format!("{path}/sets/{}", sale.set), json!({"price": "120.00", "name": "Stalls"})).await.ok();
    sale.org.patch(path, json!({"lifetime": EVENING, "status": "canceled"})).await.ok();
    let of_event = history("events", &sale.event.id);
    assert_eq!(
        told_to(&sale.org, &of_event).await,
        [
            format!(r#"4 event.canceled by api_key till of {ORG} from -: status "public">"canceled""#),
            format!("3 event.changed by user Olga Lee of {ORG} from -: age_rating 0>18, title"),
            format!(r#"2 event.published by api_key till of {ORG} from -: status "stand_by">"public""#),
            format!(
                "1 event.created by api_key till of {ORG} from -: {}, status, venue",
                r#"finish null>"2026-06-01 21:00:00", start null>"2026-06-01 18:00:00""#
            ),
        ]
    );
    let of_set = format!("/v2/resources/events/{}/sets/{}/history", sale.event.id, sale.set);
    assert_eq!(
        told_to(&sale.olga, &of_set).await,
        [
            format!(r#"2 set.changed by user Olga Lee of {ORG} from -: name, price "100.00">"120.00", price_rules"#),
            format!("1 set.created by api_key till of {ORG} from -: amount, pending, price"),
        ]
    );
    let elsewhere = sale.org.event("Other").await.id;
    let of_other = format!("/v2/resources/events/{elsewhere}/sets/{}/history", sale.set);
    sale.org.get(&of_other).await.refused(404, "not_found");
    // Agents sell the event as it is.
    for path in [&of_event, &of_set] {
        sale.agent.get(path).await.refused(403, "forbidden");
        sale.adam.get(path).await.refused(403, "forbidden");
    }
}

#[tokio::test]
async fn a_deal_and_a_partner_tell_their_own() {
    let sale = Sale::begin().await;
    let path = format!("deals/{}", sale.deal);
    sale.adam.patch(&path, json!({"status": "terminated"})).await.ok();
    let (ended, begun) = (r#"status "accepted">"terminated""#, "agent, organizer, status");
    assert_eq!(
        told_to(&sale.agent, &history("deals", &sale.deal)).await,
        [
            format!("2 deal.terminated by user Adam Lee of {AGENT} from -: {ended}"),
            format!("1 deal.accepted by api_key - of {ORG} from -: {begun}"),
        ]
    );
    assert_eq!(
        told_to(&sale.olga, &history("deals", &sale.deal)).await,
        [
            format!("2 deal.terminated by user - of {AGENT} from -: {ended}"),
            format!("1 deal.accepted by api_key till of {ORG} from -: {begun}"),
        ]
    );
    sale.adam.patch(&sale.agent.path(), json!({"name": "Kiosk"})).await.ok();
    let path = history("partners", &sale.agent.id);
    assert_eq!(
        told_to(&sale.adam, &path).await,
        [
            "3 partner.changed by user Adam Lee of Kiosk from -: name",
            "2 partner.changed by operator - of - from -: managers",
            "1 partner.created by operator - of - from -: ",
        ]
    );
    sale.org.get(&path).await.refused(403, "forbidden");
    // Its users bring it back, and see what it came to.
    sale.adam.patch(&sale.agent.path(), json!({"removed": true})).await.ok();
    assert_eq!(told_to(&sale.adam, &path).await.len(), 4);
    sale.org.get(&path).await.refused(404, "not_found");
}

#[tokio::test]
async fn who_did_not_manage_a_partner_yet_is_told_once_it_does() {
    let sale = Sale::begin().await;
    let own = sale.olga.partner("Own").await;
    let [ben, kim] = [sale.shop.user("ben@example.org").await, sale.shop.user("kim@example.org").await];
    let managers = json!({"users": [sale.olga.id, ben.id, kim.id]});
    sale.olga.for_partner(&own).patch(&format!("partners/{own}"), managers).await.ok();
    sale.shop.accept_invitation(&ben, &own).await;
    sale.shop.confirm(&kim.id, "kim@example.org").await;
    kim.patch(&format!("{}/invitations/{own}", kim.path()), json!({"status": "declined"})).await.ok();
    let path = history("partners", &own);
    let page = sale.olga.for_partner(&own).get(&path).await.ok();
    assert_eq!(
        told(&page),
        [
            "4 partner.changed by user - of - from -: managers",
            "3 partner.changed by user - of - from -: managers",
            "2 partner.changed by user Olga Lee of Own from -: managers",
            "1 partner.created by user Olga Lee of - from -: ",
        ]
    );
    // Nobody has a name but by its id: one accepted, the other is a stranger.
    assert_eq!([&page["data"][0]["actor"]["id"], &page["data"][1]["actor"]["id"]], [&Value::Null, &json!(ben.id)]);
}

#[tokio::test]
async fn a_customer_reads_its_order_and_not_its_history() {
    let sale = Sale::begin().await;
    let customer = sale.shop.user("customer@example.org").await;
    let body = json!({"event": sale.event.id, "random": {&sale.set: 1}, "customer": {"email": "customer@example.org"}});
    let order = text(&sale.agent.post("orders", body).await.created()["id"]);
    sale.shop.confirm(&customer.id, "customer@example.org").await;
    let customer = sale.shop.log_in("customer@example.org", crate::harness::PASSWORD).await;
    customer.get(&format!("{ORDERS}/{order}")).await.ok();
    customer.get(&history("orders", &order)).await.refused(403, "forbidden");
    let page = sale.agent.get(&history("orders", &order)).await.ok();
    assert!(!page.to_string().contains("customer@example.org"), "{page}");
}

#[tokio::test]
async fn keys_keep_their_names_and_users_who_left_are_still_told() {
    let sale = Sale::begin().await;
    let order = sale.order().await;
    sale.adam.patch(&format!("orders/{order}"), json!({"status": "in_progress"})).await.ok();
    let eve = named(&sale.shop, "Eve", &sale.agent).await;
    eve.delete(&format!("{}/api_keys/{}", sale.agent.path(), sale.agent.key)).await.ok();
    let path = history("orders", &order);
    sale.adam.get(&path).await.refused(404, "not_found");
    let page = eve.get(&path).await.ok();
    let begins: Vec<String> = told(&page).iter().map(|line| line.split(" from ").next().unwrap().to_owned()).collect();
    assert_eq!(
        begins,
        [
            format!("2 order.payment_started by user Adam Lee of {AGENT}"),
            format!("1 order.reserved by api_key till of {AGENT}"),
        ]
    );
    assert_eq!(page["data"][1]["actor"]["id"], json!(sale.agent.key));
    assert_eq!(page["data"][0]["actor"]["id"], json!(sale.adam.id));
}

#[tokio::test]
async fn a_history_is_read_page_by_page() {
    let sale = Sale::begin().await;
    let path = history("events", &sale.event.id);
    for age in [6, 12, 16] {
        sale.org.patch(&sale.event.path, json!({"age_rating": age})).await.ok();
    }
    sale.shop.engine.place_batches().await.unwrap();
    let whole = sale.org.get(&path).await.ok();
    let versions = |page: &Value| -> Vec<i64> {
        page["data"].as_array().unwrap().iter().map(|change| change["version"].as_i64().unwrap()).collect()
    };
    assert_eq!(versions(&whole), [5, 4, 3, 2, 1]);
    assert!(text(&whole["data"][0]["id"]).starts_with("chg_"));
    let (mut pages, mut next) = (Vec::new(), path.clone());
    loop {
        let page = sale.org.get(&format!("{next}{}limit=2", if pages.is_empty() { "?" } else { "&" })).await;
        assert_eq!(page.total(), 5);
        let page = page.ok();
        let cursor = page["pagination"]["next"].clone();
        assert_eq!(page["pagination"]["forgotten"], if cursor.is_null() { json!(0) } else { Value::Null });
        pages.push(page["data"].clone());
        let Some(cursor) = cursor.as_str() else { break };
        next = format!("{path}?cursor={cursor}");
    }
    let joined: Vec<Value> = pages.iter().flat_map(|page| page.as_array().unwrap().clone()).collect();
    assert_eq!((pages.len(), json!(joined)), (3, whole["data"].clone()));
    // What no page gave.
    let last = text(&sale.org.get(&format!("{path}?limit=1")).await.ok()["pagination"]["next"]);
    let (version, batch) = last.split_once('-').unwrap();
    assert_eq!(version, "4");
    for cursor in ["x", "5", "0-0.1.1", "5-0.1", "9-0.1.1", &format!("3-{batch}"), &format!("5-{batch}")] {
        sale.org.get(&format!("{path}?cursor={cursor}")).await.refused(400, "invalid_fields");
    }
    for limit in ["0", "101", "x"] {
        sale.org.get(&format!("{path}?limit={limit}")).await.refused(400, "invalid_fields");
    }
}

#[tokio::test]
async fn what_is_kept_no_longer_ends_the_list_and_is_counted() {
    let sale = Sale::begin().await;
    let engine = &sale.shop.engine;
    let (path, order) = (history("events", &sale.event.id), sale.order().await);
    sale.shop.pass_ms(31 * DAY_MS);
    sale.org.patch(&sale.event.path, json!({"age_rating": 6})).await.ok();
    let before = sale.org.get(&format!("{path}?limit=2")).await.ok();
    engine.place_batches().await.unwrap();
    assert!(engine.purge_batches(engine.now().plus_ms(-30 * DAY_MS)).await.unwrap() > 0);
    let page = sale.org.get(&path).await.ok();
    assert_eq!(told(&page).len(), 1, "{page}");
    assert_eq!((&page["pagination"]["forgotten"], &page["total_count"]), (&json!(2), &json!(3)));
    // So it is where a page before it was read in time.
    let next = text(&before["pagination"]["next"]);
    let page = sale.org.get(&format!("{path}?cursor={next}")).await.ok();
    assert_eq!((&page["data"], &page["pagination"]["forgotten"]), (&json!([]), &json!(1)));
    let page = sale.agent.get(&history("orders", &order)).await.ok();
    assert_eq!(
        (&page["data"], &page["pagination"]["forgotten"], &page["total_count"]),
        (&json!([]), &json!(1), &json!(1))
    );
}
