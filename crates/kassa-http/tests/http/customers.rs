//! `/v1/resources/users` as a list, and the orders of a user.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::client::{Client, ids};
use crate::harness::{NOTHING, OPEN_END, Order, Org, PASSWORD, Set, Shop, text};

/// An order of one ticket under an address.
async fn bought(org: &Org, set: &Set, email: &str) -> Value {
    let event = set.now().await["event"].clone();
    let body = json!({"event": event, "random": {&set.id: 1}, "customer": {"email": email, "first_name": "X"}});
    org.post("orders", body).await.created()
}

/// The e-mails of a list, up to the `@`.
async fn listed(client: &Client, path: &str) -> Vec<String> {
    let answer = client.get(path).await;
    let total = answer.total();
    let list = answer.ok();
    let name = |user: &Value| text(&user["email"]).split('@').next().unwrap().to_owned();
    let names: Vec<String> = list.as_array().unwrap().iter().map(name).collect();
    assert!(total >= names.len(), "{path}");
    names
}

pub(crate) async fn a_partner_lists_its_customers_and_a_user_itself(shop: Shop) {
    let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
    let set = org.event("Concert").await.set(9, "10.00").await;
    let theirs = other.event("Play").await.set(9, "10.00").await;
    for email in ["ann@example.org", "bob@example.org", "ann@example.org"] {
        bought(&org, &set, email).await;
    }
    bought(&other, &theirs, "cid@example.org").await;
    assert_eq!(listed(&org, "users").await, ["bob", "ann"], "newest first");
    assert_eq!(listed(&other, "users").await, ["cid"]);
    let dan = shop.user("dan@example.org").await;
    assert_eq!(listed(&dan, "users").await, ["dan"]);
    let hall = dan.partner("Hall").await;
    let event =
        text(&dan.post("events", json!({"title": "X", "status": "public", "lifetime": OPEN_END})).await.ok()["id"]);
    let body = json!({"event": event, "tickets": [], "customer": {"email": "ann@example.org"}});
    dan.post("orders", body).await.created();
    assert_eq!(listed(&dan, "users").await, ["dan", "ann"]);
    let list = dan.get("users").await.ok();
    assert_eq!((&list[0]["partners"], &list[1]["partners"]), (&json!([hall]), &json!([])));
    for user in list.as_array().unwrap() {
        assert_eq!(dan.get(&format!("users/{}", text(&user["id"]))).await.ok(), *user, "as by its id");
    }
}

pub(crate) async fn customers_are_listed_with_what_they_bought(shop: Shop) {
    let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
    let set = org.event("Concert").await.set(9, "10.00").await;
    let theirs = other.event("Play").await.set(9, "5.00").await;
    for _ in 0..2 {
        Order::of(&org, &bought(&org, &set, "ann@example.org").await).becomes("done").await;
    }
    bought(&org, &set, "bob@example.org").await;
    Order::of(&other, &bought(&other, &theirs, "ann@example.org").await).becomes("done").await;
    let list = org.get("users?sort=email").await.ok();
    let crm =
        |sum, avg, count| json!({"values": {"sum": sum, "avg": avg}, "counters": {"orders": count, "tickets": count}});
    assert_eq!(list[0]["crm"], crm("20.00", "10.00", 2));
    assert_eq!(list[1]["crm"], crm("0.00", "0.00", 0));
    let named = "users?sort=email&fields-schema=email%2Ccrm%7Bcounters%7Borders%7D%7D";
    let wanted = json!({"email": "ann@example.org", "crm": {"counters": {"orders": 2}}});
    assert_eq!(org.get(named).await.ok()[0], wanted);
}

pub(crate) async fn customers_are_searched_filtered_and_sorted(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let (one, two) = (org.event("One").await, org.event("Two").await);
    let (first, second) = (one.set(9, "10.00").await, two.set(9, "10.00").await);
    let ann = text(&bought(&org, &first, "ann@example.org").await["customer"]["user"]);
    shop.pass_ms(1);
    Order::of(&org, &bought(&org, &first, "bob@example.com").await).becomes("done").await;
    shop.pass_ms(1);
    bought(&org, &second, "cid@example.org").await;
    shop.pass_ms(1);
    let credentials =
        json!({"email": "eve@example.org", "password": PASSWORD, "first_name": "Änne", "last_name": "Lee"});
    shop.anonymous().post("users", credentials).await.created();
    shop.pass_ms(60_000);
    bought(&org, &second, "eve@example.org").await;
    let (one, two) = (&one.id, &two.id);
    let cases: [(String, &[&str]); 18] = [
        ("sort=email".to_owned(), &["ann", "bob", "cid", "eve"]),
        ("sort=-email".to_owned(), &["eve", "cid", "bob", "ann"]),
        ("sort=suggest".to_owned(), &["ann", "bob", "cid", "eve"]),
        ("sort=-suggest".to_owned(), &["eve", "cid", "bob", "ann"]),
        ("suggest=ANN".to_owned(), &["ann"]),
        ("suggest=%C3%A4nne%20l".to_owned(), &[]),
        ("suggest=.ORG&sort=email".to_owned(), &["ann", "cid", "eve"]),
        ("suggest=%25".to_owned(), &[]),
        (format!("ids={ann},{NOTHING}"), &["ann"]),
        (format!("order_event={one}"), &["bob", "ann"]),
        (format!("order_event={two}"), &["eve", "cid"]),
        (format!("order_event={one}&order_status=done"), &["bob"]),
        (format!("order_event={two}&order_status=done"), &[]),
        (format!("order_event={one}&order_status=done,executed"), &["bob", "ann"]),
        (format!("order_event={NOTHING}"), &[]),
        ("sort=email&page=2&page-size=3".to_owned(), &["eve"]),
        ("sort=email&page=2&page_size=2".to_owned(), &["cid", "eve"]),
        ("sort=email&limit=1&offset=1".to_owned(), &["bob"]),
    ];
    for (query, expected) in cases {
        assert_eq!(listed(&org, &format!("users?{query}")).await, expected, "{query}");
    }
    assert_eq!(org.get("users?limit=1").await.total(), 4);
    // What Eve's account is called is not said, nor when she registered: she is X, since she ordered.
    let eve = &org.get("users?suggest=eve").await.ok()[0];
    let order = &org.get(&format!("users/{}/orders", text(&eve["id"]))).await.ok()[0];
    assert_eq!((&eve["first_name"], &eve["last_name"]), (&json!("X"), &json!(null)));
    assert_eq!((&eve["created_at"], &eve["updated_at"]), (&order["created_at"], &order["updated_at"]));
    let expanded = org.get(&format!("orders/{}?fields-schema=customer%7Buser%7D", text(&order["id"]))).await.ok();
    assert_eq!(expanded["customer"]["user"], eve["id"]);
    let named = "customer%7Buser%7Bid,email,first_name,last_name,partners,created_at%7D%7D";
    let expanded = org.get(&format!("orders/{}?fields-schema={named}", text(&order["id"]))).await.ok();
    let seen = ["id", "email", "first_name", "last_name", "partners", "created_at"].map(|field| (field, &eve[field]));
    assert_eq!(expanded["customer"]["user"], json!(BTreeMap::from(seen)));
    for bad in ["order_status=done", "order_event=x", "sort=name", "page=0", "ids=x"] {
        org.get(&format!("users?{bad}")).await.refused(400, "invalid_fields");
    }
    org.get(&format!("users?order_event={one}&order_status=lost")).await.refused(400, "invalid_fields");
}

pub(crate) async fn orders_of_a_customer_are_those_with_the_partner(shop: Shop) {
    let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
    let (one, two) = (org.event("One").await, org.event("Two").await);
    let (first, second) = (one.set(9, "10.00").await, two.set(9, "10.00").await);
    let theirs = other.event("Play").await.set(9, "5.00").await;
    let older = bought(&org, &first, "ann@example.org").await;
    let newer = bought(&org, &second, "ann@example.org").await;
    bought(&org, &second, "bob@example.org").await;
    bought(&other, &theirs, "ann@example.org").await;
    Order::of(&org, &newer).becomes("done").await;
    let (older, newer) = (text(&older["id"]), text(&newer["id"]));
    let ann = text(&org.get("users?suggest=ann").await.ok()[0]["id"]);
    let path = format!("users/{ann}/orders");
    let cases: [(String, &[&String]); 6] = [
        (String::new(), &[&newer, &older]),
        (format!("?event={}", one.id), &[&older]),
        ("?status=done".to_owned(), &[&newer]),
        (format!("?event={}&status=done", one.id), &[]),
        ("?limit=1&offset=1".to_owned(), &[&older]),
        (format!("?ids={older}"), &[&older]),
    ];
    for (query, expected) in cases {
        let list = org.get(&format!("{path}{query}")).await.ok();
        assert_eq!(ids(&list).iter().collect::<Vec<_>>(), expected, "{query}");
    }
    let list = org.get(&format!("{path}?limit=1")).await;
    assert_eq!(list.total(), 2);
    assert_eq!(list.ok()[0], Order::of(&org, &json!({"id": newer})).now().await);
    assert_eq!(other.get(&path).await.total(), 1);
    org.get(&format!("{path}?status=lost")).await.refused(400, "invalid_fields");
    org.get(&format!("users/{NOTHING}/orders")).await.refused(404, "not_found");
    shop.organizer("third@example.org").await.get(&path).await.refused(404, "not_found");
}

pub(crate) async fn own_orders_follow_proved_addresses(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(9, "10.00").await;
    let ann = shop.user("ann@example.org").await;
    let order = bought(&org, &set, "ann@example.org").await;
    let path = format!("{}/orders", ann.path());
    assert_eq!(ann.get(&path).await.ok(), json!([]));
    let ordered = format!("users?order_event={}", event.id);
    assert_eq!(ann.get(&ordered).await.ok(), json!([]));
    shop.confirm(&ann.id, "ann@example.org").await;
    let ann = shop.log_in("ann@example.org", PASSWORD).await;
    assert_eq!(ids(&ann.get(&path).await.ok()), [text(&order["id"])]);
    assert_eq!(listed(&ann, &ordered).await, ["ann"]);
    let shown = ann.get(&format!("{path}?fields-schema=event%7Btitle%7Btext%7D%7D")).await.ok();
    assert_eq!(shown, json!([{"event": {"title": {"text": "Concert"}}}]));
    shop.user("bob@example.org").await.get(&path).await.refused(404, "not_found");
}
