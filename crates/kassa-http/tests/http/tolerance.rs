//! What requests may leave out or write in another way.

use serde_json::{Value, json};

use crate::harness::{Shop, text};

#[tokio::test]
async fn a_body_without_a_type_is_json_and_another_type_is_refused() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let body = br#"{"title": "Gala"}"#.to_vec();
    let plain = org.send("PATCH", &event.path, None, body.clone()).await.ok();
    assert_eq!(plain["title"]["text"], "Gala");
    for other in ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"] {
        org.send("PATCH", &event.path, Some(other), body.clone()).await.refused(415, "unsupported_media_type");
    }
}

#[tokio::test]
async fn a_misspelled_field_is_named_in_a_warning_and_its_value_is_not() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(5, "10.00").await;
    let warning =
        |unknown: &str, known: &str| format!("299 - \"Unknown field {unknown} is ignored: did you mean {known}?\"");
    let random = json!({&set.id: 1});
    let cases = [
        (json!({"promocode": ["S3CRET"]}), vec![warning("promocode", "promocodes")]),
        (json!({"randoms": 3}), vec![warning("randoms", "random")]),
        (json!({"customer": {"firstName": "Ann"}}), vec![warning("firstName", "first_name")]),
        (json!({"promocode": 1, "stauts": 2}), vec![warning("promocode", "promocodes"), warning("stauts", "status")]),
        (
            json!({"stat\"us": 1}),
            vec!["299 - \"Unknown field in the request is ignored: did you mean status?\"".to_owned()],
        ),
        (json!({"colour": "red", "values": {}, "promotions": []}), vec![]),
    ];
    for (extra, mut expected) in cases {
        let mut body = json!({"event": event.id, "random": random});
        body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let answer = org.post("orders", body).await;
        let mut found: Vec<String> =
            answer.headers.get_all("warning").iter().map(|value| value.to_str().unwrap().to_owned()).collect();
        found.sort();
        expected.sort();
        assert_eq!((answer.status, found), (201, expected), "{extra}");
    }
}

#[tokio::test]
async fn a_fraction_of_zeros_is_a_whole_number() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set_with(serde_json::from_str(r#"{"name": "A", "amount": 5.0, "pos": -1.0, "price": 1}"#).unwrap());
    let set = set.await;
    assert_eq!(set.now().await["amount"], 5);
    let body = format!(r#"{{"event": "{}", "random": {{"{}": 2.0}}}}"#, event.id, set.id);
    let order = org.send("POST", "orders", Some("application/json"), body.into_bytes()).await.created();
    assert_eq!(order["tickets"].as_array().unwrap().len(), 2);
    let half = format!(r#"{{"event": "{}", "random": {{"{}": 2.5}}}}"#, event.id, set.id);
    org.send("POST", "orders", Some("application/json"), half.into_bytes()).await.refused(400, "invalid_fields");
}

#[tokio::test]
async fn an_event_shows_the_place_of_its_venue_and_a_partner_the_id_of_its_contact() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let point = json!({"type": "Point", "coordinates": [37.6, 55.7]});
    let venue = json!({"name": "Pier", "address": "1 Quay", "city": 524_901, "point": point});
    let venue = text(&org.post("venues", venue).await.created()["id"]);
    let event = org.event("Concert").await;
    assert_eq!(event.now().await["place"], json!(null));
    let place = json!({"address": "1 Quay", "city": 524_901, "country": "RU", "point": point});
    assert_eq!(event.patch(json!({"venue": venue})).await["place"], place);
    assert_eq!(event.patch(json!({"title": "Gala"})).await["place"], place);
    let anonymous = shop.anonymous();
    assert_eq!(anonymous.get(&event.path).await.ok()["place"], place);
    assert_eq!(anonymous.get("events").await.ok()[0]["place"], place);
    let made = json!({"title": "Second", "venue": venue, "place": {"address": "ignored"}});
    assert_eq!(org.post("events", made).await.ok()["place"], place);
    let partner = anonymous.get(&format!("partners/{}", org.id)).await.ok();
    assert_eq!(partner["contact"]["id"], json!(org.id));
}

#[tokio::test]
async fn whoever_sees_an_order_sees_its_promocodes_and_no_others() {
    let shop = Shop::open().await;
    let (org, agent) = (shop.organizer("org@example.org").await, shop.organizer("agent@example.org").await);
    let event = org.event("Concert").await;
    let set = event.set(5, "100.00").await;
    let spring = event.promocode("SPRING", json!({"percengate": "10%"}), json!({"name": "ours"})).await;
    event.promocode("OTHER", json!({"percengate": "20%"}), json!({})).await;
    let deal = json!({"event": event.id, "subj": agent.id, "term": {"org": 90}});
    org.post("deals", deal).await.ok();
    let order = json!({"event": event.id, "random": {&set.id: 1}, "promocodes": ["spring"]});
    let order = format!("orders/{}", text(&agent.post("orders", order).await.created()["id"]));
    let schema = |fields: &str| format!("{order}?fields-schema=promocodes%7B{fields}%7D");
    let seen = json!({"promocodes": [{"id": spring.id, "code": "SPRING", "discount": {"percengate": "10%"}}]});
    assert_eq!(agent.get(&schema("id,code,discount")).await.ok(), seen);
    let mine = agent.get(&schema("code,name,counter")).await.ok();
    assert_eq!(mine, json!({"promocodes": [{"code": "SPRING"}]}), "what is the organizer's own stays so");
    let own = json!({"promocodes": [{"code": "SPRING", "name": "ours"}]});
    assert_eq!(org.get(&schema("code,name")).await.ok(), own);
    agent.get(&spring.path).await.refused(404, "not_found");
}

#[tokio::test]
async fn a_proposal_at_a_loss_or_beyond_the_bound_or_after_an_end_waits() {
    let shop = Shop::open().await;
    let (org, agent) = (shop.organizer("org@example.org").await, shop.organizer("agent@example.org").await);
    let event = org.event("Concert").await;
    event.set(5, "100.00").await;
    let partner = format!("partners/{}", org.id);
    org.patch(&partner, json!({"standard_term": {"org": 100, "extra": 5, "extra_max": "20%"}})).await.ok();
    let propose = async |term: Value| {
        let deal = agent.post("deals", json!({"event": event.id, "term": term})).await.ok();
        (text(&deal["id"]), text(&deal["status"]))
    };
    for (term, status) in [
        (json!({"org": 100, "extra": "0.00", "pfc": false}), "new"),
        (json!({"org": 100, "extra": "3.00"}), "accepted"),
        (json!({"org": "100.00", "extra": 20}), "accepted"),
        (json!({"org": 100, "extra": 21}), "new"),
        (json!({"org": 100, "extra": 0, "pfc": true}), "accepted"),
        (json!({"org": 100, "extra": 18, "pfc": true}), "new"),
    ] {
        assert_eq!(propose(term.clone()).await.1, status, "{term}");
    }
    let (deal, _) = propose(json!({"org": 100, "extra": 5})).await;
    org.patch(&format!("deals/{deal}"), json!({"status": "terminated"})).await.ok();
    assert_eq!(propose(json!({"org": 100, "extra": 5})).await.1, "new");
}

#[tokio::test]
async fn a_set_without_a_price_says_so_in_the_details_of_orders_and_quotes() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set_with(json!({"name": "Unpriced", "amount": 3})).await;
    let details = json!([{"set": set.id, "wanted": 1, "got": 0, "reason": "no_price"}]);
    let wanted = json!({"event": event.id, "random": {&set.id: 1}});
    assert_eq!(org.post("orders", wanted.clone()).await.created()["details"], details);
    assert_eq!(org.post("/v2/resources/orders", wanted.clone()).await.ok()["details"], details);
    assert_eq!(org.post("/v2/services/orders/quote", wanted.clone()).await.ok()["data"]["details"], details);
    let ticket = event.ticket_ids().await[0].clone();
    let named = org.post("orders", json!({"event": event.id, "tickets": [ticket]})).await.created();
    assert_eq!(named["details"], json!([{"ticket": ticket, "reason": "no_price", "reserved_till": null}]));
    set.patch(json!({"price": "5.00"})).await;
    assert_eq!(org.post("orders", wanted).await.created()["value"], "5.00");
}
