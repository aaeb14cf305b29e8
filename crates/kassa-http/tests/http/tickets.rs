//! Tickets of events, sets and orders.

use std::time::Duration;

use serde_json::{Value, json};

use crate::access::{Row, row};
use crate::client::{ids, shape};
use crate::harness::{NOTHING, PASSWORD, Shop, text};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET events/{event}/sets/{set}/tickets", "", 200, [200, 200], [200, 200], 200),
    row("GET events/{hidden}/sets/{backstage}/tickets", "", 404, [404, 404], [200, 200], 200),
    row("GET events/{event}/sets/{set}/tickets/{ticket}", "", 200, [200, 200], [200, 200], 200),
    row("GET events/{hidden}/sets/{backstage}/tickets/{pass}", "", 404, [404, 404], [200, 200], 200),
    row("GET events/{event}/tickets", "", 200, [200, 200], [200, 200], 200),
    row("GET events/{hidden}/tickets", "", 404, [404, 404], [200, 200], 200),
];

pub(crate) async fn tickets_show_where_they_are(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(4, "1.00").await;
    let tickets = event.ticket_ids().await;
    org.order(&event, json!({"tickets": [tickets[0]]})).await.becomes("done").await;
    org.order(&event, json!({"tickets": [tickets[1]]})).await;
    set.patch(json!({"blocked": [tickets[2]]})).await;
    let list = org.get(&format!("{}/tickets", event.path)).await;
    assert_eq!(list.total(), 4);
    insta::allow_duplicates! {
        insta::assert_snapshot!(shape(&list.ok()), @r#"
    [
      {
        "barcode": "[barcode]",
        "id": "[id]",
        "number": 1,
        "reserved_till": null,
        "seat": {},
        "serial": "[serial]",
        "set": "[id]",
        "status": "sold"
      },
      {
        "barcode": null,
        "id": "[id]",
        "number": 2,
        "reserved_till": "2026-01-01T00:15:00.000000+00:00",
        "seat": {},
        "serial": "[serial]",
        "set": "[id]",
        "status": "reserved"
      },
      {
        "barcode": null,
        "id": "[id]",
        "number": 3,
        "reserved_till": null,
        "seat": {},
        "serial": "[serial]",
        "set": "[id]",
        "status": "blocked"
      },
      {
        "barcode": null,
        "id": "[id]",
        "number": 4,
        "reserved_till": null,
        "seat": {},
        "serial": "[serial]",
        "set": "[id]",
        "status": "vacant"
      }
    ]
    "#);
    }
}

pub(crate) async fn tickets_are_filtered_by_status_and_sector(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let left = event.set_with(json!({"name": "Left", "amount": 3, "price": 1, "sector": "L"})).await;
    event.set_with(json!({"name": "Right", "amount": 2, "price": 1, "sector": "R"})).await;
    event.set(1, "1.00").await;
    org.order(&event, left.random(1)).await;
    org.order(&event, left.random(1)).await.becomes("done").await;
    let cases = [
        ("", 6),
        ("?status=vacant", 4),
        ("?status=reserved", 1),
        ("?status=reserved,sold", 2),
        ("?status=reserved&status=sold", 2),
        ("?status=pending", 0),
        ("?sector=L", 3),
        ("?sector=L%2CR", 5),
        ("?sector=L&status=vacant", 1),
        ("?sector=nowhere", 0),
        ("?limit=1", 6),
    ];
    for (query, count) in cases {
        let list = org.get(&format!("{}/tickets{query}", event.path)).await;
        assert_eq!(list.total(), count, "{query}");
        assert_eq!(list.ok().as_array().unwrap().len(), count, "{query}");
    }
    org.get(&format!("{}/tickets?status=free", event.path)).await.refused(400, "invalid_fields");
}

pub(crate) async fn barcodes_are_for_the_organizer_and_the_customer(shop: Shop) {
    let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
    let ann = shop.user("ann@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(4, "1.00").await;
    let mut wanted = set.random(2);
    wanted["customer"] = json!({"email": "ann@example.org"});
    let hers = org.order(&event, wanted).await;
    hers.becomes("done").await;
    org.order(&event, set.random(1)).await.becomes("done").await;
    let path = format!("{}/tickets?status=sold", event.path);
    let seen = |list: Value| list.as_array().unwrap().iter().filter(|ticket| ticket["barcode"].is_string()).count();
    assert_eq!(seen(org.get(&path).await.ok()), 3);
    assert_eq!(seen(other.get(&path).await.ok()), 0);
    assert_eq!(seen(shop.anonymous().get(&path).await.ok()), 0);
    assert_eq!(seen(ann.get(&path).await.ok()), 0, "unconfirmed");
    shop.confirm(&ann.id, "ann@example.org").await;
    let ann = shop.log_in("ann@example.org", PASSWORD).await;
    let list = ann.get(&path).await.ok();
    assert_eq!(seen(list.clone()), 2);
    for ticket in list.as_array().unwrap().iter().filter(|ticket| ticket["barcode"].is_string()) {
        assert!(hers.tickets().await.contains(&text(&ticket["id"])));
    }
}

pub(crate) async fn barcodes_differ(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(50, "1.00").await;
    org.order(&event, set.random(50)).await.becomes("done").await;
    let mut barcodes: Vec<String> = event.tickets().await.iter().map(|ticket| text(&ticket["barcode"])).collect();
    barcodes.sort_unstable();
    barcodes.dedup();
    assert_eq!(barcodes.len(), 50);
}

pub(crate) async fn the_tickets_of_a_set_are_those_of_the_event_in_it(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let (one, two) = (event.set(3, "1.00").await, event.set(2, "2.00").await);
    org.order(&event, one.random(1)).await.becomes("done").await;
    let all = event.tickets().await;
    for set in [&one, &two] {
        let of_set: Vec<&Value> = all.iter().filter(|ticket| ticket["set"] == set.id).collect();
        let list = org.get(&format!("{}/tickets", set.path)).await;
        assert_eq!(list.total(), of_set.len());
        assert_eq!(list.ok(), json!(of_set));
    }
    let cases = [("status=vacant", 2), ("status=sold", 1), ("status=pending", 0), ("sector=nowhere", 3)];
    for (query, count) in cases {
        let list = org.get(&format!("{}/tickets?{query}", one.path)).await;
        assert_eq!((list.total(), list.ok().as_array().unwrap().len()), (count, count), "{query}");
    }
    let of_other = text(&all.iter().find(|ticket| ticket["set"] == two.id).unwrap()["id"]);
    let list = org.get(&format!("{}/tickets?ids={of_other}", one.path)).await;
    assert_eq!((list.total(), list.ok()), (0, json!([])));
    org.get(&format!("{}/tickets?status=free", one.path)).await.refused(400, "invalid_fields");
    let elsewhere = org.event("Play").await;
    let path = format!("{}/sets/{}/tickets", elsewhere.path, one.id);
    org.get(&path).await.refused(404, "not_found");
    org.delete(&two.path).await.ok();
    shop.anonymous().get(&format!("{}/tickets", two.path)).await.refused(404, "not_found");
    assert_eq!(org.get(&format!("{}/tickets", two.path)).await.total(), 2, "the organizer sees removed sets");
}

pub(crate) async fn a_ticket_is_shown_with_when_it_was_made(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(2, "1.00").await;
    org.order(&event, set.random(1)).await.becomes("done").await;
    let sold = text(&event.tickets().await[0]["id"]);
    let path = format!("{}/tickets/{sold}", set.path);
    let shown = org.get(&path).await.ok();
    insta::assert_snapshot!(shape(&shown), @r#"
    {
      "barcode": "[barcode]",
      "created_at": "2026-01-01T00:00:00.000000+00:00",
      "id": "[id]",
      "number": 1,
      "removed": false,
      "reserved_till": null,
      "seat": {},
      "serial": "[serial]",
      "set": "[id]",
      "status": "sold",
      "updated_at": "2026-01-01T00:00:00.000000+00:00"
    }
    "#);
    assert_eq!(shop.anonymous().get(&path).await.ok()["barcode"], json!(null));
    let part = org.get(&format!("{path}?fields-schema=removed%2Cset%7Bname%7D")).await.ok();
    assert_eq!(part, json!({"removed": false, "set": {"name": "Parterre"}}));
}

pub(crate) async fn a_ticket_is_seen_with_its_event_or_its_order(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let ann = shop.user("ann@example.org").await;
    shop.confirm(&ann.id, "ann@example.org").await;
    let ann = shop.log_in("ann@example.org", PASSWORD).await;
    let event = org.event("Concert").await;
    let (set, other) = (event.set(2, "1.00").await, event.set(1, "1.00").await);
    let mut wanted = set.random(1);
    wanted["customer"] = json!({"email": "ann@example.org"});
    let order = org.order(&event, wanted).await;
    order.becomes("done").await;
    let hers = order.tickets().await.remove(0);
    let path = format!("{}/tickets/{hers}", set.path);
    event.patch(json!({"status": "stand_by"})).await;
    assert!(ann.get(&path).await.ok()["barcode"].is_string());
    shop.anonymous().get(&path).await.refused(404, "not_found");
    org.get(&path).await.ok();
    let vacant = event.ticket_ids().await.into_iter().find(|id| *id != hers).unwrap();
    ann.get(&format!("{}/tickets/{vacant}", set.path)).await.refused(404, "not_found");
    for wrong in [format!("{}/tickets/{hers}", other.path), format!("{}/tickets/{NOTHING}", set.path)] {
        org.get(&wrong).await.refused(404, "not_found");
    }
    let elsewhere = org.event("Play").await;
    org.get(&format!("{}/sets/{}/tickets/{hers}", elsewhere.path, set.id)).await.refused(404, "not_found");
}

pub(crate) async fn the_tickets_of_an_order_have_barcodes_once_it_is_paid(shop: Shop) {
    let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
    let event = org.event("Concert").await;
    let set = event.set(3, "1.00").await;
    let order = org.order(&event, set.random(2)).await;
    let path = format!("{}/tickets", order.path);
    let held = org.get(&path).await;
    assert_eq!(held.total(), 2);
    let held = held.ok();
    assert_eq!(json!(ids(&held)), order.now().await["tickets"]);
    insta::assert_snapshot!(shape(&held[0]), @r#"
    {
      "barcode": null,
      "id": "[id]",
      "number": 1,
      "seat": {},
      "serial": "[serial]",
      "set": "[id]"
    }
    "#);
    order.becomes("done").await;
    let mut paid = org.get(&path).await.ok();
    for ticket in paid.as_array_mut().unwrap() {
        assert!(event.tickets().await.iter().any(|listed| listed["barcode"] == ticket["barcode"]));
        assert!(ticket["barcode"].is_string());
        ticket["barcode"] = json!(null);
    }
    assert_eq!(paid, held);
    other.get(&path).await.refused(404, "not_found");
    let only = org.get(&format!("{path}?ids={}&fields-schema=number", text(&held[1]["id"]))).await;
    assert_eq!((only.total(), only.ok()), (1, json!([{"number": 2}])));
    assert_eq!(ids(&org.get(&format!("{path}?limit=1&offset=1")).await.ok()), [text(&held[1]["id"])]);

    let lapsed = org.order(&event, set.random(1)).await;
    lapsed.becomes("canceled").await;
    org.order(&event, set.random(1)).await.becomes("done").await;
    let lines = org.get(&format!("{}/tickets", lapsed.path)).await.ok();
    assert_eq!((&lines[0]["number"], &lines[0]["barcode"]), (&json!(3), &json!(null)), "it is another's now");
}

#[tokio::test]
async fn tickets_are_listed_by_sector_first() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let right = event.set_with(json!({"name": "Right", "amount": 1, "price": 1, "sector": "R"})).await;
    let left = event.set_with(json!({"name": "Left", "amount": 1, "price": 1, "sector": "L"})).await;
    let sets: Vec<Value> = event.tickets().await.iter().map(|ticket| ticket["set"].clone()).collect();
    assert_eq!(sets, [json!(left.id), json!(right.id)]);
}

/// Few of a state are found by it, and among all where they are many: the list is the same.
#[tokio::test]
async fn tickets_of_a_status_are_listed_in_order_whether_few_or_many() {
    let shop = Shop::sqlite().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(2_100, "1.00").await;
    shop.run_jobs().await;
    let all = event.ticket_ids().await;
    let wanted: Vec<&String> = [2_050, 3, 700].map(|at| &all[at]).to_vec();
    let order = org.order(&event, json!({"tickets": wanted})).await;
    let status = async |status: &str| ids(&org.get(&format!("{}/tickets?status={status}", event.path)).await.ok());
    let picked = [3, 700, 2_050].map(|at| all[at].clone());
    assert_eq!(status("reserved").await, picked);
    order.becomes("done").await;
    assert_eq!(status("sold").await, picked);
    assert_eq!(status("reserved").await, [""; 0]);
    let vacant = status("vacant").await;
    assert_eq!(vacant, all.iter().filter(|id| !picked.contains(id)).cloned().collect::<Vec<_>>());
    let of_set = format!("{}/sets/{}/tickets?status=sold,blocked", event.path, set.id);
    assert_eq!(ids(&org.get(&of_set).await.ok()), picked);
}

#[tokio::test]
async fn a_list_that_takes_too_long_to_read_is_refused() {
    let shop = Shop::with_read_time(Duration::ZERO).await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    event.set(2_000, "1.00").await;
    shop.run_jobs().await;
    let refused = org.get(&format!("{}/tickets", event.path)).await;
    assert_eq!(refused.header("retry-after"), "1");
    refused.refused(503, "read_timeout");
    // What is read by its id is found at once.
    org.get(&event.path).await.ok();
}

#[tokio::test]
async fn tickets_are_filtered_by_ids() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    event.set(3, "1.00").await;
    let tickets = event.ticket_ids().await;
    let list = org.get(&format!("{}/tickets?ids={},{}", event.path, tickets[0], tickets[2])).await;
    assert_eq!(list.total(), 2);
    assert_eq!(ids(&list.ok()), [tickets[0].clone(), tickets[2].clone()]);
}

#[tokio::test]
async fn fields_of_a_list_of_several_pages_are_chosen() {
    let shop = Shop::sqlite().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    event.set(5_000, "10.00").await;
    let listed = org.get(&format!("{}/tickets?fields-schema=id,status,set,number", event.path)).await.ok();
    assert_eq!(listed.as_array().unwrap().len(), 5_000);
}
