//! `GET /v1/resources/events/{event}/tickets` (decisions §2, §5; api-facts §3.2).

use serde_json::{Value, json};

use crate::client::shape;
use crate::harness::{PASSWORD, Shop, text};

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

#[tokio::test]
async fn tickets_are_filtered_by_ids() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    event.set(3, "1.00").await;
    let tickets = event.ticket_ids().await;
    let list = org.get(&format!("{}/tickets?ids={},{}", event.path, tickets[0], tickets[2])).await;
    assert_eq!(list.total(), 2);
    assert_eq!(crate::client::ids(&list.ok()), [tickets[0].clone(), tickets[2].clone()]);
}
