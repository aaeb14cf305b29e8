//! The texts of errors that clients of this interface know: each that can occur here.

use serde_json::{Value, json};

use super::{ORDERS, at, given};
use crate::harness::{MINUTE_MS, Shop};

pub(crate) async fn refusals_have_the_texts_that_clients_know(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    for from in ["executed", "in_progress", "done", "cancelled", "expired"] {
        let fresh = async || {
            let made = org.order_v2(&event, set.random(1)).await;
            match from {
                "executed" => {}
                "expired" => assert!(shop.expire_after_ms(15 * MINUTE_MS).await >= 1),
                status => drop(org.patch(&at(&made), json!({"status": status})).await.ok()),
            }
            made
        };
        let id = |made: &Value| made["data"]["id"].as_str().unwrap().to_owned();
        let made = fresh().await;
        let final_text = format!("Not allow to update order in status {from}");
        let not_now = format!("Incorrect status {from} for this operation");
        let kept = format!("Order {} is not cancellable", id(&made));
        // (what is asked for, the statuses from which it is refused, the text)
        let cases = [
            (json!({"settings": {"send_tickets": true}}), "done cancelled expired", &final_text),
            (json!({"random": {&set.id: 2}}), "done cancelled expired", &final_text),
            (json!({"promocodes": ["NONE"]}), "in_progress done cancelled expired", &final_text),
            (json!({"vendor_data": {"order_id": "1"}}), "done cancelled expired", &final_text),
            (json!({"status": "in_progress"}), "cancelled expired", &not_now),
            (json!({"status": "done"}), "cancelled", &not_now),
            (json!({"status": "in_progress"}), "done", &final_text),
            (json!({"status": "cancelled"}), "done", &final_text),
            (json!({"status": "cancelled"}), "expired", &kept),
        ];
        for (body, refused_from, text) in cases {
            if refused_from.split(' ').any(|refused| refused == from) {
                let answer = org.patch(&at(&made), body.clone()).await;
                assert_eq!(answer.status, 400, "{body} from {from}");
                assert_eq!(answer.error()["errors"], json!([text]), "{body} from {from}");
            }
        }
        if !matches!(from, "cancelled" | "expired" | "done") {
            org.patch(&at(&made), json!({"status": "cancelled"})).await.ok();
        }
    }
    let empty = org.order_v2(&event, json!({})).await;
    let told = org.patch(&at(&empty), json!({"status": "done"})).await.told(400, "order_empty");
    assert_eq!(told, ["there is no tickets in order"]);
    let stranger = shop.organizer("stranger@example.org").await;
    let told = stranger.post(ORDERS, json!({"event": event.id})).await.told(400, "deal_not_found");
    assert_eq!(told, ["Deal not found"]);
}

#[tokio::test]
async fn errors_of_resources_have_texts_and_those_of_services_have_none() {
    let shop = Shop::open().await;
    let (org, event, _) = given(&shop).await;
    let several = json!({"event": event.id, "tickets": 7, "settings": {"customer": {"email": "x"}}});
    let texts = org.post(ORDERS, several).await.told(400, "invalid_fields");
    let email = "settings.customer.email must be an e-mail address of at most 254 characters";
    assert_eq!(texts, [email, "tickets must be a list"]);
    // The helper holds that a service's error has no texts.
    org.post("/v2/services/orders/quote", json!({"event": 7})).await.refused(400, "invalid_fields");
    org.get("/v2/services/orders/quote").await.refused(405, "method_not_allowed");
    let head = org.send("HEAD", &format!("{ORDERS}/x"), None, Vec::new()).await;
    assert_eq!((head.status, head.bytes.len()), (404, 0));
    // A long one that was packed is told plainly.
    let bad: Vec<Value> = (0..200).map(|_| json!("x")).collect();
    let long = org.with("accept-encoding", "gzip").post(ORDERS, json!({"tickets": bad})).await;
    assert_eq!(long.header("content-encoding"), "");
    assert_eq!(long.told(400, "invalid_fields").len(), 100, "no more are named");
}

#[tokio::test]
async fn texts_stay_where_reasons_say_more() {
    let shop = Shop::open().await;
    let (org, ..) = given(&shop).await;
    let nobody = shop.anonymous();
    let unknown = org.get(&format!("{ORDERS}?status=new")).await;
    let details = unknown.error()["details"].clone();
    let problem = "\"new\" is none of its values; allowed: executed, in_progress, done, cancelled, canceled, \
                   expired";
    assert_eq!(details, json!([{"field": "status", "problem": problem}]));
    let key = nobody.with("authorization", "key None");
    // The reasons say more than that: clients of this interface know these texts.
    let cases = [
        (nobody.get(ORDERS).await.told(401, "credential_required"), "Authentication is required"),
        (key.get("//v2/resources/orders").await.told(401, "credential_invalid"), "The credentials are invalid"),
        (org.get("/v2/resources/nothing").await.told(404, "no_such_path"), "There is nothing at /v2/resources/nothing"),
        (org.delete(ORDERS).await.told(405, "method_not_allowed"), "DELETE is not possible at /v2/resources/orders"),
        (
            org.send("POST", ORDERS, Some("text/plain"), b"{}".to_vec()).await.told(415, "unsupported_media_type"),
            "The body must be application/json in UTF-8: Content-Type names something else",
        ),
        (
            org.get(&format!("{ORDERS}?a=%")).await.told(400, "malformed_query"),
            "The query has a bad percent-escape, or is not UTF-8",
        ),
        (unknown.told(400, "invalid_fields"), "status \"new\" is none of its values"),
        (org.post(ORDERS, json!({"event": 7})).await.told(400, "invalid_fields"), "event must be an id"),
    ];
    for (texts, known) in cases {
        assert_eq!(texts, [known]);
    }
}
