//! `/v1/resources/refund_requests`, the policies, and the cancellation of an event.

use serde_json::{Value, json};

use crate::access::{Row, row};
use crate::client::{Client, ids, shape};
use crate::harness::{DAY_MS, Event, NOTHING, Order, Org, Set, Shop, TO_END_OF_EVENING_MS, text, tickets_of};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET refund_requests", "", 401, [200, 200], [200, 200], 200),
    row("POST refund_requests", r#"{"order": "{paid}", "culprit": "org", "tickets_refund": ["{sold}"]}"#, 401, [400, 400], [201, 201], 201),
    row("GET refund_requests/{refund_request}", "", 401, [404, 404], [200, 200], 200),
    row("PATCH refund_requests/{refund_request}", r#"{"status": "approved"}"#, 401, [404, 404], [200, 200], 200),
    row("POST refund_requests/{refund_request}", r#"{"status": "rejected"}"#, 401, [404, 404], [200, 200], 200),
];

const REQUESTS: &str = "refund_requests";

/// An organizer with an event in the evening and a set of ten tickets at 100.00.
pub(crate) async fn shop_open(shop: &Shop) -> (Org, Event, Set) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(10, "100.00").await;
    (org, event, set)
}

/// A paid order of so many tickets.
pub(crate) async fn sold(org: &Org, event: &Event, set: &Set, count: u32) -> Order {
    let order = org.order(event, set.random(count)).await;
    order.patch(json!({"customer": {"email": "ann@example.org"}, "payment": {"system": "api/BASE"}})).await;
    order.becomes("done").await;
    order
}

/// An order of two tickets that an agent sold, with its organizer; a tenth is kept.
pub(crate) async fn sold_by_an_agent(shop: &Shop) -> (Org, Org, Order) {
    let (org, event, set) = shop_open(shop).await;
    let agent = shop.organizer("agent@example.org").await;
    let deal = json!({"event": event.id, "subj": agent.id, "term": {"org": 90, "extra": 10}});
    org.post("deals", deal).await.ok();
    event.patch(json!({"refund_policy": {"kept_percent": 10}})).await;
    let order = sold(&agent, &event, &set, 2).await;
    (org, agent, order)
}

/// A request for these tickets of an order.
async fn ask(client: &Client, order: &Order, culprit: &str, tickets: &[String]) -> Value {
    let body = json!({"order": order.id, "culprit": culprit, "tickets_refund": tickets});
    client.post(REQUESTS, body).await.created()
}

fn path(request: &Value) -> String {
    format!("{REQUESTS}/{}", text(&request["id"]))
}

async fn decide(client: &Client, request: &Value, status: &str) -> Value {
    let decided = client.patch(&path(request), json!({"status": status})).await.ok();
    assert_eq!(decided["status"], status);
    decided
}

/// The sentence of a refusal.
async fn reason(client: &Client, method: &str, path: &str, body: Value, code: &str) -> String {
    let answer = client.json(method, path, &body).await;
    let reason = text(&answer.error()["reason"]);
    answer.refused(400, code);
    reason
}

pub(crate) async fn a_request_says_what_is_given_back_and_by_whom(shop: Shop) {
    let (org, agent, order) = sold_by_an_agent(&shop).await;
    let tickets = order.tickets().await;
    let asked = ask(&agent, &order, "user", &tickets[..1]).await;
    insta::allow_duplicates! {
        insta::assert_snapshot!(shape(&asked), @r#"
        {
          "created_at": "2026-01-01T00:00:00.000000+00:00",
          "culprit": "user",
          "event": "[id]",
          "finished_at": null,
          "id": "[id]",
          "lines": [
            {
              "set": "[id]",
              "ticket": "[id]",
              "value": "90.00",
              "values": {
                "agent": "6.30",
                "core": "2.70",
                "extra": "0.00",
                "nominal": "90.00",
                "org": "81.00",
                "paid": "110.00"
              }
            }
          ],
          "order": "[id]",
          "org": "[id]",
          "payment_system": "api/BASE",
          "policy": {
            "after_start": false,
            "days_before": 0,
            "kept_percent": "10%"
          },
          "reason": null,
          "requested_at": "2026-01-01T00:00:00.000000+00:00",
          "status": "new",
          "tickets": [
            "[id]"
          ],
          "tickets_refund": [
            "[id]"
          ],
          "updated_at": "2026-01-01T00:00:00.000000+00:00",
          "value": "90.00",
          "values": {
            "agent": "6.30",
            "core": "2.70",
            "extra": "0.00",
            "nominal": "90.00",
            "org": "81.00",
            "paid": "110.00"
          },
          "vendor": "[id]"
        }
        "#);
    }
    assert_eq!([&asked["tickets"][0], &asked["tickets_refund"][0]], [&tickets[1], &tickets[0]]);
    assert_eq!([&asked["org"], &asked["vendor"]], [&org.id, &agent.id]);
    for side in [&org, &agent] {
        assert_eq!(side.get(&path(&asked)).await.ok(), asked);
    }
}

pub(crate) async fn what_is_the_organizers_doing_is_given_back_whole(shop: Shop) {
    let (org, _, order) = sold_by_an_agent(&shop).await;
    let by_org = ask(&org, &order, "org", &order.tickets().await[1..]).await;
    let values = json!({"paid": "110.00", "nominal": "100.00", "extra": "10.00", "org": "90.00", "agent": "17.00", "core": "3.00"});
    assert_eq!((&by_org["value"], &by_org["values"]), (&json!("110.00"), &values));
}

pub(crate) async fn what_is_approved_leaves_the_order_and_is_sold_again_under_a_new_barcode(shop: Shop) {
    let (org, event, set) = shop_open(&shop).await;
    let order = sold(&org, &event, &set, 10).await;
    let tickets = order.tickets().await;
    let barcode_of =
        async |ticket: &str| org.get(&format!("{}/tickets/{ticket}", set.path)).await.ok()["barcode"].clone();
    let dead = text(&barcode_of(&tickets[0]).await);
    let asked = ask(&org, &order, "org", &tickets[..2]).await;
    assert_eq!(set.amounts().await, (10, 0), "nothing is given back yet");
    let approved = decide(&org, &asked, "approved").await;
    assert!(asked["finished_at"].is_null() && approved["finished_at"].is_string());
    assert_eq!((set.amounts().await, barcode_of(&tickets[0]).await), ((10, 2), json!(null)));
    let left = order.now().await;
    assert_eq!((tickets_of(&left), &left["status"]), (tickets[2..].to_vec(), &json!("done")));
    assert_eq!([&left["value"], &left["refunded"]], ["800.00", "200.00"]);
    let again = sold(&org, &event, &set, 2).await;
    let mut resold = again.tickets().await;
    resold.sort();
    assert_eq!(resold, tickets[..2]);
    assert_ne!(text(&barcode_of(&tickets[0]).await), dead);
    let barcodes = event.tickets().await.iter().filter(|ticket| ticket["barcode"] == dead.as_str()).count();
    assert_eq!(barcodes, 0, "the old one opens no door");
}

pub(crate) async fn an_order_is_refunded_when_its_last_ticket_goes(shop: Shop) {
    let (org, event, set) = shop_open(&shop).await;
    event.patch(json!({"refund_policy": {"kept_percent": "25%"}})).await;
    let order = sold(&org, &event, &set, 3).await;
    let tickets = order.tickets().await;
    let keeps = json!({"order": order.id, "culprit": "user", "tickets": tickets[..1]});
    let first = org.post(REQUESTS, keeps).await.created();
    assert_eq!((&first["tickets_refund"], &first["value"]), (&json!(tickets[1..]), &json!("150.00")));
    decide(&org, &first, "in_progress").await;
    decide(&org, &first, "approved").await;
    assert_eq!(order.status().await, "done");
    let crm = async || org.get("users").await.ok()[0]["crm"].clone();
    let sums =
        |sum, tickets| json!({"values": {"sum": sum, "avg": sum}, "counters": {"orders": 1, "tickets": tickets}});
    assert_eq!(crm().await, sums("150.00", 1), "paid 300.00, given back 150.00");
    let last = ask(&org, &order, "user", &tickets[..1]).await;
    decide(&org, &last, "approved").await;
    let after = order.now().await;
    assert_eq!([&after["status"], &after["value"], &after["refunded"]], ["refunded", "0.00", "225.00"]);
    assert_eq!(crm().await, sums("75.00", 0));
    let second = org.get(&format!("/v2/resources/orders/{}", order.id)).await.ok()["data"].clone();
    assert_eq!((&second["status"], &second["tickets"]), (&json!("done"), &json!([])));
    assert_eq!(second["refunded"], "225.00");
    assert!(second["code"].is_string() && second["done_at"].is_string(), "it was paid: {second}");
    assert_eq!(org.get("/v2/resources/orders?status=done").await.ok()["total_count"], 1);
    org.get("/v2/resources/orders?status=refunded").await.refused(400, "invalid_fields");
    let again = org.patch(&format!("/v2/resources/orders/{}", order.id), json!({"status": "done"})).await.ok();
    assert_eq!(again["data"], second, "it is done, as it is shown");
    for (query, count) in [("status=refunded", 1), ("status=refunded,done", 1), ("status=done", 0)] {
        assert_eq!(org.get(&format!("orders?{query}")).await.total(), count, "{query}");
    }
    order.refuses(json!({"status": "canceled"}), 400, "order_transition").await;
    assert_eq!(set.amounts().await, (10, 10));
}

pub(crate) async fn what_cannot_be_asked_for_is_refused_in_known_words(shop: Shop) {
    let (org, event, set) = shop_open(&shop).await;
    let order = sold(&org, &event, &set, 2).await;
    let tickets = order.tickets().await;
    let unpaid = org.order(&event, set.random(1)).await;
    let body = |order: &str, culprit: &str, tickets: Value| json!({"order": order, "culprit": culprit, "tickets_refund": tickets});
    let all = json!(tickets);
    let cases = [
        (body(NOTHING, "user", all.clone()), "order_not_found", format!("Order {NOTHING} not found")),
        (
            body(&unpaid.id, "user", all.clone()),
            "order_not_done",
            format!("Order {} is executed: only tickets of a paid order can be returned", unpaid.id),
        ),
        (body(&order.id, "user", json!([])), "refund_empty", "Name at least one ticket to return".to_owned()),
        (
            json!({"order": order.id, "culprit": "org", "tickets": tickets}),
            "refund_empty",
            "All tickets of the order would be kept: leave out those to return".to_owned(),
        ),
        (
            body(&order.id, "user", json!([NOTHING])),
            "refund_bad_tickets",
            "A ticket is not in the order, or is named twice".to_owned(),
        ),
        (body(&order.id, "core", all.clone()), "invalid_fields", "$.culprit: must be one of user, org".to_owned()),
    ];
    for (body, code, expected) in cases {
        assert_eq!(reason(&org, "POST", REQUESTS, body, code).await, expected);
    }
    let wrong = [
        json!({"order": order.id, "culprit": "user"}),
        json!({"order": order.id, "culprit": "user", "tickets": tickets, "tickets_refund": tickets}),
        json!({"order": order.id, "tickets_refund": tickets}),
        json!({"order": "x", "culprit": "user", "tickets_refund": tickets}),
        json!({"order": order.id, "culprit": "user", "tickets_refund": tickets, "requested_at": "soon"}),
    ];
    for body in wrong {
        assert_eq!(org.post(REQUESTS, body).await.refused(400, "invalid_fields").as_array().unwrap().len(), 1);
    }
    let asked = ask(&org, &order, "user", &tickets[..1]).await;
    let taken = "A ticket is in another open refund request";
    assert_eq!(reason(&org, "POST", REQUESTS, body(&order.id, "org", all), "refund_tickets_taken").await, taken);
    decide(&org, &asked, "rejected").await;
    let status = |status: &str| json!({"status": status});
    let cases = [
        ("approved", "refund_transition", "A refund request that is rejected cannot be approved".to_owned()),
        ("new", "refund_transition", "A refund request that is rejected cannot become new".to_owned()),
        ("in_progress", "refund_transition", "A refund request that is rejected cannot become in_progress".to_owned()),
        ("open", "invalid_fields", "$.status: must be one of new, in_progress, approved, rejected".to_owned()),
    ];
    for (step, code, expected) in cases {
        assert_eq!(reason(&org, "PATCH", &path(&asked), status(step), code).await, expected);
    }
}

pub(crate) async fn customers_ask_until_the_event_starts_unless_its_policy_says_more(shop: Shop) {
    let (org, event, set) = shop_open(&shop).await;
    let early = sold(&org, &event, &set, 1).await;
    event.patch(json!({"refund_policy": {"days_before": 3}})).await;
    let strict = sold(&org, &event, &set, 1).await;
    event.patch(json!({"refund_policy": {"after_start": true}})).await;
    let open = sold(&org, &event, &set, 1).await;
    let asked_at = "2026-01-01 00:00:00";
    let refused = async |order: &Order, code: &str| {
        let body = json!({"order": order.id, "culprit": "user", "tickets_refund": order.tickets().await});
        reason(&org, "POST", REQUESTS, body, code).await
    };
    // Two days before the evening.
    shop.pass_ms(149 * DAY_MS);
    let late = "The refund policy requires customers to ask at least 3 days before the event starts";
    assert_eq!(refused(&strict, "refund_too_late").await, late);
    let body = json!({"order": strict.id, "culprit": "user", "tickets": [], "requested_at": asked_at});
    let in_time = org.post(REQUESTS, body).await.created();
    assert_eq!(in_time["requested_at"], "2026-01-01T00:00:00.000000+00:00");
    // During the event.
    shop.pass_ms(TO_END_OF_EVENING_MS - 149 * DAY_MS - 1);
    let started = "The refund policy takes no tickets back from customers once the event has started";
    assert_eq!(refused(&early, "refund_event_started").await, started);
    ask(&org, &open, "user", &open.tickets().await).await;
    shop.pass_ms(1);
    let body = json!({"status": "approved"});
    let finished = "The event is over: what a customer asked for cannot be approved any more";
    assert_eq!(reason(&org, "PATCH", &path(&in_time), body, "refund_event_finished").await, finished);
    assert_eq!(refused(&early, "refund_event_started").await, started);
    let made_good = ask(&org, &early, "org", &early.tickets().await).await;
    decide(&org, &made_good, "approved").await;
    let body = json!({"order": open.id, "culprit": "user", "tickets": [], "requested_at": "2026-02-30T00:00:00Z"});
    org.post(REQUESTS, body).await.refused(400, "invalid_fields");
    let body = json!({"order": open.id, "culprit": "org", "tickets": [], "requested_at": "2027-01-01T00:00:00Z"});
    org.patch(&path(&org.get(&format!("{REQUESTS}?order={}", open.id)).await.ok()[0]), json!({"status": "rejected"}))
        .await
        .ok();
    org.post(REQUESTS, body).await.refused(400, "refund_requested_at");
}

pub(crate) async fn a_canceled_event_asks_for_all_its_paid_orders(shop: Shop) {
    let (org, event, set) = shop_open(&shop).await;
    let (whole, part) = (sold(&org, &event, &set, 2).await, sold(&org, &event, &set, 2).await);
    let unpaid = org.order(&event, set.random(1)).await;
    let tickets = part.tickets().await;
    let asked = ask(&org, &part, "user", &tickets[..1]).await;
    event.patch(json!({"status": "canceled"})).await;
    shop.run_jobs().await;
    unpaid.refuses(json!({"status": "done"}), 409, "event_over").await;
    let body = json!({"order": whole.id, "culprit": "user", "tickets": []});
    org.post(REQUESTS, body).await.refused(400, "refund_tickets_taken");
    let open = org.get(&format!("{REQUESTS}?event={}&status=new&sort=value", event.id)).await.ok();
    let open = open.as_array().unwrap();
    assert!(open.iter().all(|request| request["culprit"] == "org"), "{open:?}");
    let of = |order: &Order| open.iter().filter(|request| request["order"] == order.id.as_str()).count();
    assert_eq!([of(&whole), of(&part), of(&unpaid)], [1, 2, 0]);
    assert!(open.iter().any(|request| request["id"] == asked["id"]), "it is the organizer's doing by now");
    for request in open {
        decide(&org, request, "approved").await;
    }
    assert_eq!([whole.status().await, part.status().await], ["refunded", "refunded"]);
    let body = json!({"order": whole.id, "culprit": "user", "tickets": []});
    org.post(REQUESTS, body).await.refused(400, "order_not_done");
    shop.run_jobs().await;
    assert_eq!(org.get(&format!("{REQUESTS}?status=new,in_progress")).await.total(), 0);
    org.delete(&event.path).await.refused(400, "has_orders");
    unpaid.becomes("canceled").await;
    org.delete(&event.path).await.ok();
}

pub(crate) async fn requests_are_filtered_and_sorted(shop: Shop) {
    let (org, event, set) = shop_open(&shop).await;
    let other = org.event("Play").await;
    let theirs = other.set(9, "7.00").await;
    let big = sold(&org, &event, &set, 3).await;
    let small = sold(&org, &other, &theirs, 1).await;
    let first = ask(&org, &big, "user", &big.tickets().await[..2]).await;
    shop.pass_ms(60_000);
    let second = ask(&org, &small, "org", &small.tickets().await).await;
    shop.pass_ms(60_000);
    decide(&org, &second, "approved").await;
    let third = ask(&org, &big, "user", &big.tickets().await[2..]).await;
    let [one, two, three] = [&first, &second, &third].map(|request| text(&request["id"]));
    let stranger = shop.organizer("else@example.org").await;
    let cases = [
        (String::new(), vec![&three, &two, &one]),
        ("sort=created_at".to_owned(), vec![&one, &two, &three]),
        ("sort=-created_at".to_owned(), vec![&three, &two, &one]),
        ("sort=value".to_owned(), vec![&two, &three, &one]),
        ("sort=-value&limit=2".to_owned(), vec![&one, &three]),
        (format!("event={}", event.id), vec![&three, &one]),
        (format!("events={},{}", event.id, other.id), vec![&three, &two, &one]),
        (format!("order={}", small.id), vec![&two]),
        ("status=new,in_progress".to_owned(), vec![&three, &one]),
        ("status=approved".to_owned(), vec![&two]),
        (format!("org={}&vendor={}", org.id, org.id), vec![&three, &two, &one]),
        (format!("vendor={}", stranger.id), vec![]),
        (format!("ids={one},{two}"), vec![&two, &one]),
        ("created_at=2026-01-01T00:00:00Z,2026-01-01T00:01:00Z".to_owned(), vec![&two, &one]),
        ("finished_at=2026-01-01 00:02:00,2026-01-02 00:00:00".replace(' ', "%20"), vec![&two]),
        ("finished_at=2026-01-01T00:03:00Z,2026-01-02T00:00:00Z".to_owned(), vec![]),
    ];
    for (query, expected) in cases {
        let list = org.get(&format!("{REQUESTS}?{query}")).await;
        assert_eq!(ids(&list.ok()).iter().collect::<Vec<_>>(), expected, "{query}");
        assert_eq!(stranger.get(&format!("{REQUESTS}?{query}")).await.ok(), json!([]));
    }
    for bad in ["status=open", "event=x", "created_at=2026-01-01T00:00:00Z", "sort=culprit"] {
        org.get(&format!("{REQUESTS}?{bad}")).await.refused(400, "invalid_fields");
    }
}

pub(crate) async fn vendors_ask_and_organizers_decide(shop: Shop) {
    let (org, event, set) = shop_open(&shop).await;
    let agent = shop.organizer("agent@example.org").await;
    org.post("deals", json!({"event": event.id, "subj": agent.id, "term": {"org": 97}})).await.ok();
    let ann = shop.user("ann@example.org").await;
    shop.confirm(&ann.id, "ann@example.org").await;
    let order = sold(&agent, &event, &set, 1).await;
    let tickets = order.tickets().await;
    let stranger = shop.organizer("else@example.org").await;
    let body = json!({"order": order.id, "culprit": "user", "tickets": []});
    stranger.post(REQUESTS, body.clone()).await.refused(400, "order_not_found");
    assert_eq!(ann.get(&format!("users/{}/orders", ann.id)).await.total(), 1, "she sees the order");
    ann.post(REQUESTS, body).await.refused(403, "forbidden");
    let asked = ask(&agent, &order, "user", &tickets).await;
    for client in [&*stranger, &*ann] {
        client.get(&path(&asked)).await.refused(404, "not_found");
        client.patch(&path(&asked), json!({"status": "approved"})).await.refused(404, "not_found");
    }
    agent.patch(&path(&asked), json!({"status": "approved"})).await.refused(403, "forbidden");
    let decision = json!({"status": "approved", "reason": "As you wish"});
    let by_post = org.post(&path(&asked), decision).await.ok();
    assert_eq!([&by_post["status"], &by_post["reason"]], ["approved", "As you wish"]);
}

#[tokio::test]
async fn policies_of_events_and_partners_are_shown_and_changed_key_by_key() {
    let shop = Shop::open().await;
    let (org, event, set) = shop_open(&shop).await;
    let usual = json!({"kept_percent": "0%", "days_before": 0, "after_start": false});
    let policy_of = async |order: &Order| order.now().await["refund_policy"].clone();
    assert_eq!(event.now().await["refund_policy"], json!(null));
    assert_eq!(policy_of(&org.order(&event, set.random(1)).await).await, usual);
    let own = org.patch(&org.path(), json!({"refund_policy": {"kept_percent": 12.5, "days_before": 2}})).await.ok();
    let partners = json!({"kept_percent": "12.5%", "days_before": 2, "after_start": false});
    assert_eq!(own["refund_policy"], partners);
    assert_eq!(policy_of(&org.order(&event, set.random(1)).await).await, partners);
    let changed = event.patch(json!({"refund_policy": {"after_start": "true"}})).await;
    let events = json!({"kept_percent": "0%", "days_before": 0, "after_start": true});
    assert_eq!(changed["refund_policy"], events);
    let order = org.order(&event, set.random(1)).await;
    let back = event.patch(json!({"refund_policy": changed["refund_policy"]})).await;
    assert_eq!(back["refund_policy"], events, "it can be sent as it is shown");
    let changed = event.patch(json!({"refund_policy": {"kept_percent": 50, "after_start": null}})).await;
    assert_eq!(changed["refund_policy"], json!({"kept_percent": "50%", "days_before": 0, "after_start": false}));
    assert_eq!(policy_of(&order).await, events, "an order keeps the one under which it was made");
    assert_eq!(event.patch(json!({"refund_policy": null})).await["refund_policy"], json!(null));
    for wrong in [json!({"kept_percent": 101}), json!({"days_before": -1}), json!({"after_start": 1}), json!([1])] {
        org.patch(&event.path, json!({"refund_policy": wrong})).await.refused(400, "invalid_fields");
    }
    let stranger = shop.organizer("else@example.org").await;
    assert!(stranger.get(&org.path()).await.ok().get("refund_policy").is_none(), "how it deals is its own affair");
}

#[tokio::test]
async fn a_request_is_shown_with_its_order_and_tickets() {
    let shop = Shop::open().await;
    let (org, event, set) = shop_open(&shop).await;
    let order = sold(&org, &event, &set, 2).await;
    let tickets = order.tickets().await;
    ask(&org, &order, "user", &tickets[..1]).await;
    let schema = "status,order{number,event{title{text}}},tickets_refund{status},lines{ticket{number},value}";
    let schema = schema.replace('{', "%7B").replace('}', "%7D").replace(',', "%2C");
    let list = org.get(&format!("{REQUESTS}?fields-schema={schema}")).await.ok();
    let number = order.now().await["number"].clone();
    assert_eq!(list[0]["order"], json!({"number": number, "event": {"title": {"text": "Concert"}}}));
    assert_eq!(list[0]["tickets_refund"], json!([{"status": "sold"}]));
    assert_eq!(list[0]["lines"], json!([{"ticket": {"number": 1}, "value": "100.00"}]));
}
