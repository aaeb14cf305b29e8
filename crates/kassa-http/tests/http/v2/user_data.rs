//! `PUT /v2/services/orders/{vendor}/user_data`.

use kassa_http::HttpConfig;
use serde_json::{Value, json};

use super::{at, given};
use crate::access::{Row, row};
use crate::harness::{NOTHING, Shop, text};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("PUT /v2/services/orders/{vendor}/user_data", r#"{"order": "{order}", "user_data": []}"#, 401, [400, 400], [202, 202], 202),
];

const USER_DATA: &str = "/v2/services/orders/mosbilet/user_data";

fn visitor(ticket: Option<&str>, name: &str) -> Value {
    let mut visitor = json!({"user_id": format!("u-{name}"), "name": name, "surname": "Fox"});
    if let Some(ticket) = ticket {
        visitor["ticket_id"] = json!(ticket);
    }
    visitor
}

/// The names of those who come, by ticket; empty where nothing was said.
fn names(order: &Value) -> Vec<String> {
    let tickets = order["data"]["tickets"].as_array().unwrap();
    tickets.iter().map(|ticket| ticket["user_data"]["name"].as_str().unwrap_or_default().to_owned()).collect()
}

pub(crate) async fn those_who_come_are_kept_with_the_tickets(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let made = org.order_v2(&event, set.random(3)).await;
    let (id, path) = (text(&made["data"]["id"]), at(&made));
    let tickets: Vec<String> = made["data"]["tickets"].as_array().unwrap().iter().map(|one| text(&one["id"])).collect();
    let body = json!({"order": id, "user_data": [visitor(None, "Ann"), visitor(Some(&tickets[0]), "Bob")]});
    let answer = org.put(USER_DATA, body).await;
    assert_eq!((answer.status, answer.bytes.len()), (202, 0));
    assert_eq!(answer.header("content-type"), "text/html; charset=UTF-8");
    let order = org.get(&path).await.ok();
    assert_eq!(names(&order), ["Bob", "Ann", ""]);
    let bob = json!({"user_id": "u-Bob", "name": "Bob", "surname": "Fox", "middle_name": null});
    assert_eq!(order["data"]["tickets"][0]["user_data"], bob);
    // What leaves the order takes its visitor along.
    let fewer = org.patch(&path, json!({"tickets": [tickets[1], tickets[2]]})).await.ok();
    assert_eq!(names(&fewer), ["Ann", ""]);
    let again = json!({"order": id, "user_data": [visitor(None, "Cid"), visitor(None, "Dan")]});
    assert_eq!(org.put(USER_DATA, again).await.status, 202);
    let done = org.patch(&path, json!({"status": "done"})).await.ok();
    assert_eq!(names(&done), ["Cid", "Dan"], "in place of all that was said before");
}

pub(crate) async fn only_the_vendor_says_who_comes_and_only_in_time(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let made = org.order_v2(&event, set.random(1)).await;
    let id = text(&made["data"]["id"]);
    let ticket = text(&made["data"]["tickets"][0]["id"]);
    let say = |visitors: Value| json!({"order": id, "user_data": visitors});
    let one = say(json!([visitor(None, "Ann")]));
    let stranger = shop.organizer("stranger@example.org").await;
    let refused = stranger.put(USER_DATA, one.clone()).await.error();
    assert_eq!(
        [&refused["reason"], &refused["code"]],
        [&json!(format!("Order {id} not found")), &json!("order_not_found")]
    );
    org.put(USER_DATA, json!({"order": NOTHING, "user_data": []})).await.refused(400, "order_not_found");
    org.put(USER_DATA, say(json!([visitor(None, "A"), visitor(None, "B")]))).await.refused(400, "too_many");
    org.put(USER_DATA, say(json!([visitor(Some(NOTHING), "A")]))).await.refused(400, "ticket_not_in_order");
    let wrong = org.put(USER_DATA, say(json!([{"user_id": 7, "name": "A", "ticket_id": "x"}]))).await;
    let fields: Vec<String> =
        wrong.refused(400, "invalid_fields").as_array().unwrap().iter().map(|detail| text(&detail["field"])).collect();
    assert_eq!(fields, ["$.user_data[0].ticket_id", "$.user_data[0].user_id", "$.user_data[0].surname"]);
    org.put("/v2/services/orders/other/user_data", one.clone()).await.refused(404, "not_found");
    let two = org.order_v2(&event, set.random(2)).await;
    let same = text(&two["data"]["tickets"][0]["id"]);
    let twice =
        json!({"order": two["data"]["id"], "user_data": [visitor(Some(&same), "A"), visitor(Some(&same), "B")]});
    org.put(USER_DATA, twice).await.refused(400, "ticket_twice");
    org.patch(&at(&made), json!({"status": "in_progress"})).await.ok();
    org.put(USER_DATA, say(json!([visitor(Some(&ticket), "Ann")]))).await.refused(400, "order_final");
    let agent = shop.organizer("agent@example.org").await;
    let deal = json!({"event": event.id, "subj": agent.id, "term": {"org": 90}});
    org.post("deals", deal).await.ok();
    let sold = agent.order_v2(&event, set.random(1)).await;
    let body = json!({"order": sold["data"]["id"], "user_data": []});
    org.put(USER_DATA, body.clone()).await.refused(403, "forbidden");
    assert_eq!(agent.put(USER_DATA, body).await.status, 202);
}

#[tokio::test]
async fn the_vendors_are_those_of_the_configuration() {
    let config = HttpConfig { user_data_vendors: vec!["till-7".to_owned()], ..HttpConfig::default() };
    let shop = Shop::with(config).await;
    let (org, event, set) = given(&shop).await;
    let made = org.order_v2(&event, set.random(1)).await;
    let body = json!({"order": made["data"]["id"], "user_data": []});
    org.put(USER_DATA, body.clone()).await.refused(404, "not_found");
    assert_eq!(org.put("/v2/services/orders/till-7/user_data/", body).await.status, 202);
}
