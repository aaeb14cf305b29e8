//! One store of orders serves both versions: whatever one does, the other shows.

use serde_json::{Value, json};

use super::{at, given};
use crate::harness::{MINUTE_MS, Org, Shop, text};

/// A time of version 1 as version 2 shows it.
pub(super) fn time(time: &Value) -> String {
    text(time).replace('T', " ").replace(".000000+00:00", "")
}

/// Both views of an order, held against each other. Gives that of version 2.
pub(super) async fn agree(org: &Org, id: &str) -> Value {
    let (one, two) =
        (org.get(&format!("orders/{id}")).await.ok(), org.get(&format!("/v2/resources/orders/{id}")).await.ok());
    let data = &two["data"];
    // Clients of version 2 know five states.
    let status = text(&one["status"]).replace("canceled", "cancelled").replace("refunded", "done");
    assert_eq!(one["refunded"], data["refunded"]);
    assert_eq!(data["status"], json!(status));
    for same in ["id", "number", "event", "org", "vendor", "promocodes"] {
        assert_eq!(one[same], data[same], "{same}");
    }
    let tickets: Vec<&Value> = data["tickets"].as_array().unwrap().iter().map(|ticket| &ticket["id"]).collect();
    assert_eq!(one["tickets"], json!(tickets));
    for sum in ["full", "nominal", "extra", "discount"] {
        assert_eq!(one["values"][sum], data["values"][sum], "{sum}");
    }
    assert_eq!(one["value"], data["values"]["full"]);
    for set in one["values"]["sets"].as_array().unwrap() {
        let same = &data["values"]["sets_values"][text(&set["id"])];
        let promocode = set["ps"].get(0).cloned().unwrap_or_default();
        assert_eq!([&set["d"], &set["p"], &promocode], [&same["discount"], &same["nominal"], &same["promocode"]]);
        assert_eq!(set["promotion"], same["promotion"]);
    }
    assert_eq!(
        [time(&one["created_at"]), time(&one["reserved_till"])],
        [&data["created_at"], &data["expired_after"]].map(text)
    );
    assert_eq!(one["payment"]["send_tickets"], data["settings"]["send_tickets"]);
    assert_eq!(one["payment"]["system"] == "system/INVITATION", data["settings"]["invitation"] == true);
    let (customer, shown) = (&one["customer"], &data["settings"]["customer"]);
    assert_eq!(customer == &json!({}), shown.is_null());
    if !shown.is_null() {
        let names: Vec<&str> = ["first_name", "last_name"].iter().filter_map(|name| customer[*name].as_str()).collect();
        assert_eq!(names.join(" "), shown["name"].as_str().unwrap_or_default());
        assert_eq!(
            [&customer["email"], &customer["mobile"], &customer["lang"]],
            [&shown["email"], &shown["phone"], &shown["lang"]]
        );
    }
    let listed = org.get(&format!("{id}/tickets").replace(id, &format!("orders/{id}"))).await.ok();
    let mut barcodes: Vec<String> = [&listed, &data["tickets"]]
        .into_iter()
        .map(|list| {
            let mut codes: Vec<String> =
                list.as_array().unwrap().iter().map(|ticket| ticket["barcode"].to_string()).collect();
            codes.sort();
            codes.join(" ")
        })
        .collect();
    barcodes.dedup();
    assert_eq!(barcodes.len(), 1, "{barcodes:?}");
    two
}

pub(crate) async fn both_versions_always_agree_about_one_order(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    event.promocode("TEN", json!({"percengate": "10%"}), json!({})).await;
    // Odd steps are taken by one version, even ones by the other, and then the other way round.
    let steps: [(Value, Value); 7] = [
        (json!({"random": {&set.id: 3}}), json!({"random": {&set.id: 3}})),
        (json!({"promocodes": ["ten"]}), json!({"promocodes": ["ten"]})),
        (
            json!({"customer": {"email": "ann@example.org", "first_name": "Ann Mary", "last_name": "Fox", "mobile": "+1"}}),
            json!({"settings": {"customer": {"email": "bob@example.org", "name": "Bob", "phone": "+2", "lang": "ru"}}}),
        ),
        (json!({"payment": {"send_tickets": true}}), json!({"settings": {"send_tickets": true}})),
        (json!({"random": {&set.id: 2}}), json!({"random": {&set.id: 1}})),
        (json!({"payment": {"system": "api/BASE"}, "status": "in_progress"}), json!({"status": "in_progress"})),
        (json!({"status": "done"}), json!({"status": "done"})),
    ];
    for first in [0, 1] {
        let id = if first == 0 {
            text(&org.post("orders", json!({"event": event.id, "random": {&set.id: 1}})).await.created()["id"])
        } else {
            text(&org.order_v2(&event, json!({})).await["data"]["id"])
        };
        agree(&org, &id).await;
        for (turn, (one, two)) in steps.iter().enumerate() {
            if turn % 2 == first {
                org.patch(&format!("orders/{id}"), one.clone()).await.ok();
            } else {
                org.patch(&format!("/v2/resources/orders/{id}"), two.clone()).await.ok();
            }
            shop.pass_ms(1000);
            agree(&org, &id).await;
        }
        assert_eq!(agree(&org, &id).await["data"]["status"], "done");
    }
}

pub(crate) async fn both_versions_agree_about_refunds(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let paid = org.order_v2(&event, set.random(2)).await;
    let id = text(&paid["data"]["id"]);
    org.patch(&at(&paid), json!({"status": "done"})).await.ok();
    for gone in [0, 1] {
        let ticket = &paid["data"]["tickets"][gone]["id"];
        let request = json!({"order": id, "culprit": "org", "tickets_refund": [ticket]});
        let request = text(&org.post("refund_requests", request).await.created()["id"]);
        org.patch(&format!("refund_requests/{request}"), json!({"status": "approved"})).await.ok();
        let order = agree(&org, &id).await["data"].clone();
        assert_eq!((&order["status"], order["tickets"].as_array().unwrap().len()), (&json!("done"), 1 - gone));
        assert_eq!([&order["code"], &order["done_at"]].map(Value::is_string), [true; 2]);
    }
    assert_eq!(org.get("/v2/resources/orders?status=done").await.ok()["data"][0]["id"], json!(id));
}

pub(crate) async fn both_versions_agree_about_the_ends(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let made = org.order_v2(&event, set.random(2)).await;
    let id = text(&made["data"]["id"]);
    assert_eq!(shop.expire_after_ms(15 * MINUTE_MS).await, 1);
    assert_eq!(agree(&org, &id).await["data"]["status"], "expired");
    org.patch(&format!("orders/{id}"), json!({"status": "done"})).await.ok();
    assert_eq!(agree(&org, &id).await["data"]["status"], "done");
    let given_up = org.order_v2(&event, set.random(2)).await;
    org.delete(&format!("orders/{}", text(&given_up["data"]["id"]))).await.ok();
    assert_eq!(agree(&org, &text(&given_up["data"]["id"])).await["data"]["status"], "cancelled");
    let guest =
        json!({"random": {&set.id: 1}, "settings": {"invitation": true, "customer": {"email": "g@example.org"}}});
    let invited = org.order_v2(&event, guest).await;
    assert_eq!(invited["data"]["values"]["full"], "0.00");
    agree(&org, &text(&invited["data"]["id"])).await;
    let cleared = json!({"payment": {"system": null}});
    org.patch(&format!("orders/{}", text(&invited["data"]["id"])), cleared).await.ok();
    assert_eq!(agree(&org, &text(&invited["data"]["id"])).await["data"]["values"]["full"], "100.00");
    assert_eq!(org.get(&at(&invited)).await.ok()["data"]["settings"]["invitation"], false);
}
