//! What an organizer asks of those who buy for themselves, and what it says of itself.

use serde_json::{Value, json};

use super::{ORDERS, at, given};
use crate::client::Client;
use crate::harness::{Event, Org, Set, Shop};

/// An order of two tickets of somebody who buys for itself: what opens it, and its path.
async fn buy(shop: &Shop, org: &Org, event: &Event, set: &Set) -> (Client, String) {
    let mut body = set.random(2);
    body["event"] = json!(event.id);
    body["settings"] = json!({"customer": {"email": "ann@example.org"}});
    let made = shop.visitor(org).post(ORDERS, body).await.ok();
    (shop.buyer(&made), at(&made))
}

fn fields(details: &Value) -> Vec<&str> {
    details.as_array().unwrap().iter().filter_map(|detail| detail["field"].as_str()).collect()
}

#[tokio::test]
async fn questions_are_asked_answered_shown_and_wanted_before_the_payment() {
    let shop = Shop::open().await;
    let (org, event, set) = given(&shop).await;
    org.patch(&org.path(), json!({"shop": {"open": true, "payments": ["DOOR"]}})).await.ok();
    let questions = json!([
        {"id": "club", "text": "Which club?", "kind": "text", "per": "order", "options": [], "required": true},
        {"id": "diet", "text": "What do you eat?", "kind": "choice", "per": "ticket", "options": ["Meat", "Vegan"],
         "required": true},
        {"id": "news", "text": "Bring a coat?", "kind": "yes_no", "per": "order", "options": [], "required": false},
    ]);
    let asks = json!({"questions": questions, "buyer_name": "required", "buyer_phone": "hidden"});
    assert_eq!(event.patch(asks).await["questions"], questions);
    assert_eq!(shop.anonymous().get(&event.path).await.ok()["buyer_name"], "required", "everybody sees what is asked");
    let (buyer, order) = buy(&shop, &org, &event, &set).await;
    let pay = format!("{order}/payments");
    let tickets = buyer.get(&order).await.ok()["data"]["tickets"].clone();
    let [first, second] = [0, 1].map(|at| tickets[at]["id"].as_str().unwrap().to_owned());
    let details = buyer.post(&pay, json!({"provider": "DOOR"})).await.refused(400, "checkout_incomplete");
    let diets = [&first, &second].map(|ticket| format!("$.ticket_answers.{ticket}.diet"));
    let wanted = ["$.settings.customer.name", "$.answers.club", diets[0].as_str(), diets[1].as_str()];
    assert_eq!(fields(&details), wanted);
    for (bad, code, field) in [
        (json!({"answers": {"club": 7}}), "invalid_fields", "$.answers.club"),
        (json!({"answers": {"size": "M"}}), "checkout_unfit", "$.answers.size"),
        (json!({"answers": {"news": "yes"}}), "checkout_unfit", "$.answers.news"),
        (json!({"ticket_answers": {&first: {"diet": "Fish"}}}), "checkout_unfit", &diets[0]),
        (json!({"settings": {"customer": {"phone": "+49"}}}), "checkout_unfit", "$.settings.customer.phone"),
    ] {
        assert_eq!(fields(&buyer.patch(&order, bad).await.refused(400, code)), [field]);
    }
    let says = json!({
        "settings": {"customer": {"name": "Ann Fox"}},
        "answers": {"club": "Nord", "news": true},
        "ticket_answers": {&first: {"diet": "Meat"}, &second: {"diet": "Vegan"}},
        "holders": {&second: "Bo Fox"},
    });
    let said = buyer.patch(&order, says).await.ok()["data"].clone();
    assert_eq!(said["answers"], json!({"club": "Nord", "news": true}));
    assert_eq!(said["tickets"][0]["answers"], json!({"diet": "Meat"}));
    assert_eq!((&said["tickets"][0]["holder"], &said["tickets"][1]["holder"]), (&Value::Null, &json!("Bo Fox")));
    assert_eq!(org.get(&order).await.ok()["data"], said, "the organizer reads it");
    buyer.post(&pay, json!({"provider": "DOOR"})).await.ok();
    let cleared = buyer.patch(&order, json!({"answers": {"news": null}})).await.ok();
    assert_eq!(cleared["data"]["answers"], json!({"club": "Nord"}));
}

#[tokio::test]
async fn questions_that_cannot_be_asked_are_refused() {
    let shop = Shop::open().await;
    let (org, event, _) = given(&shop).await;
    let diet = json!({"id": "diet", "text": "Diet?"});
    for (bad, field) in [
        (json!([{"id": "Diet", "text": "Diet?"}]), "$.questions[0].id"),
        (json!([{"id": "diet"}]), "$.questions[0].text"),
        (json!([{"id": "diet", "text": "Diet?", "kind": "choice", "options": ["One"]}]), "$.questions[0].options"),
        (json!([{"id": "diet", "text": "Diet?", "kind": "choice", "options": ["A", "A"]}]), "$.questions[0].options"),
        (json!([{"id": "diet", "text": "Diet?", "options": ["One"]}]), "$.questions[0].options"),
        (json!([diet, diet]), "$.questions[1].id"),
    ] {
        let details = org.patch(&event.path, json!({"questions": bad})).await.refused(400, "invalid_fields");
        assert_eq!(fields(&details), [field]);
    }
    assert_eq!(event.now().await["questions"], json!([]));
}

#[tokio::test]
async fn terms_are_accepted_by_when_they_began() {
    let shop = Shop::open().await;
    let (org, event, set) = given(&shop).await;
    let open = json!({"open": true, "payments": ["DOOR"], "about": "A hall.\nBy the sea.", "email": "hall@example.org",
        "phone": "+49 40", "terms": {"text": "No refunds."}});
    let said = org.patch(&org.path(), json!({"shop": open})).await.ok()["shop"].clone();
    assert_eq!((&said["about"], &said["terms"]["text"]), (&open["about"], &open["terms"]["text"]));
    assert_eq!(shop.anonymous().get(&org.path()).await.ok()["shop"]["terms"], said["terms"], "everybody reads them");
    let (buyer, order) = buy(&shop, &org, &event, &set).await;
    let pay = format!("{order}/payments");
    let details = buyer.post(&pay, json!({"provider": "DOOR"})).await.refused(400, "checkout_incomplete");
    assert_eq!(fields(&details), ["$.settings.accepted_terms"]);
    let accepts = json!({"settings": {"accepted_terms": said["terms"]["since"]}});
    let kept = buyer.patch(&order, accepts).await.ok()["data"]["settings"]["accepted_terms"].clone();
    assert_eq!(kept, json!({"terms": "2026-01-01 00:00:00", "at": "2026-01-01 00:00:00"}));
    buyer.post(&pay, json!({"provider": "DOOR"})).await.ok();
    let none = org.patch(&org.path(), json!({"shop": {"terms": null}})).await.ok();
    assert_eq!((&none["shop"]["terms"], &none["shop"]["about"]), (&Value::Null, &open["about"]));
}
