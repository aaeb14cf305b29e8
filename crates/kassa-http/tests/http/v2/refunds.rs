//! `/v2/resources/refund_requests`.

use serde_json::{Value, json};

use super::life::{agree, time};
use super::{ORDERS, given};
use crate::access::{Row, row};
use crate::client::{Client, ids};
use crate::harness::{DAY_MS, MINUTE_MS, NOTHING, Order, Org, Shop, TO_END_OF_EVENING_MS, text};
use crate::refunds::{sold, sold_by_an_agent};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET /v2/resources/refund_requests", "", 401, [200, 200], [200, 200], 200),
    row("POST /v2/resources/refund_requests", r#"{"order": "{paid}", "culprit": "org", "tickets": ["{sold}"]}"#, 401, [400, 400], [200, 200], 200),
    row("GET /v2/resources/refund_requests/{refund_request}", "", 401, [404, 404], [200, 200], 200),
    row("PATCH /v2/resources/refund_requests/{refund_request}", r#"{"status": "approved"}"#, 401, [404, 404], [200, 200], 200),
];

const REFUNDS: &str = "/v2/resources/refund_requests";

fn at(request: &Value) -> String {
    format!("{REFUNDS}/{}", text(&request["data"]["id"]))
}

/// A request for these tickets of an order.
async fn ask(client: &Client, order: &Order, culprit: &str, tickets: &[String]) -> Value {
    client.post(REFUNDS, json!({"order": order.id, "culprit": culprit, "tickets": tickets})).await.ok()
}

async fn decide(client: &Client, request: &Value, status: &str) -> Value {
    client.patch(&at(request), json!({"status": status})).await.ok()
}

/// The order in version 2.
async fn order_of(client: &Client, order: &Order) -> Value {
    client.get(&format!("{ORDERS}/{}", order.id)).await.ok()
}

pub(crate) async fn a_request_is_shown_in_every_field(shop: Shop) {
    let (org, agent, order) = sold_by_an_agent(&shop).await;
    let tickets = order.tickets().await;
    shop.pass_ms(MINUTE_MS);
    let body = json!({
        "order": order.id, "culprit": "user", "tickets": [tickets[1]], "requested_at": "2026-01-01T00:00:30Z",
    });
    let asked = agent.post(&format!("{REFUNDS}/"), body).await.ok();
    let order_now = order_of(&org, &order).await;
    let data = json!({
        "id": asked["data"]["id"], "status": "new", "culprit": "user", "policy": "general", "order": order.id,
        "event": order_now["data"]["event"], "org": org.id, "vendor": agent.id, "tickets": [tickets[1]],
        "created_at": "2026-01-01 00:01:00", "requested_at": "2026-01-01 00:00:30",
        "refund_nominal": "90.00", "delta": "90.00", "customer_money": "90.00",
    });
    assert_eq!(asked["data"], data);
    let refs = json!({
        "events": order_now["refs"]["events"], "orders": {&order.id: order_now["data"]},
        "partners": order_now["refs"]["partners"], "tickets": {&tickets[1]: order_now["data"]["tickets"][1]},
    });
    assert_eq!(asked["refs"], refs);
    assert_eq!(asked["refs"]["tickets"][&tickets[1]]["status"], "sold");
    let by_org = ask(&org, &order, "org", &tickets[..1]).await;
    let money = ["refund_nominal", "delta", "customer_money"].map(|field| text(&by_org["data"][field]));
    assert_eq!(money, ["100.00", "100.00", "110.00"], "the extra is no part of the nominal price");
    for side in [&org, &agent] {
        assert_eq!(side.get(&at(&asked)).await.ok(), asked);
    }
    assert_eq!(org.patch(&at(&asked), json!({})).await.ok(), asked, "nothing is asked for");
}

pub(crate) async fn a_request_keeps_its_tickets_when_they_have_left_the_order(shop: Shop) {
    let (org, event, _) = given(&shop).await;
    let hall = event.set_with(json!({"name": "Hall", "sector": "A", "price": 60, "seats": {"1": [[1, 3]]}})).await;
    event.promocode("Ten", json!({"fix": "10.00"}), json!({})).await;
    let order = org.order(&event, json!({"random": {&hall.id: 3}, "promocodes": ["ten"]})).await;
    order.becomes("done").await;
    let tickets = order.tickets().await;
    let asked = ask(&org, &order, "user", &tickets[..2]).await;
    let approved = decide(&org, &asked, "approved").await;
    assert_eq!(approved, org.get(&at(&asked)).await.ok(), "an answer to a write is what is read");
    assert_eq!(approved["data"]["finished_at"], "2026-01-01 00:00:00");
    let left = order_of(&org, &order).await;
    assert_eq!(approved["refs"]["orders"][&order.id], left["data"]);
    let values = &left["data"]["values"];
    let sums = ["price", "discount", "nominal", "extra", "full"].map(|sum| text(&values[sum]));
    assert_eq!(sums, ["60.00", "10.00", "50.00", "0.00", "50.00"]);
    assert_eq!(values["sets_values"].as_object().unwrap().len(), 2, "each set of the event");
    assert_eq!(values["sets_values"][&hall.id]["nominal"], "50.00");
    let kept = left["data"]["tickets"].as_array().unwrap();
    assert_eq!((kept.len(), &kept[0]["id"], &kept[0]["status"]), (1, &json!(tickets[2]), &json!("sold")));
    assert!(kept[0]["barcode"].is_string());
    // Whoever buys them next, the request shows them as they were sold.
    let again = sold(&org, &event, &hall, 2).await;
    let mut resold = again.tickets().await;
    resold.sort();
    assert_eq!(resold, tickets[..2]);
    let after = org.get(&at(&asked)).await.ok();
    assert_eq!(after, approved);
    for ticket in &tickets[..2] {
        let shown = &after["refs"]["tickets"][ticket];
        assert_eq!([&shown["status"], &shown["full"], &shown["seat"]["row"]], ["vacant", "50.00", "1"]);
        assert_eq!(shown["barcode"], json!(null), "that of the next order is none of its business");
    }
    // Of a ticket that is asked back twice, a list shows how it was sold last.
    let once_more = ask(&org, &again, "org", &resold[..1]).await;
    let list = org.get(REFUNDS).await.ok();
    assert_eq!(ids(&list["data"]).len(), 2);
    assert_eq!(list["refs"]["tickets"][&resold[0]], once_more["refs"]["tickets"][&resold[0]]);
    assert_eq!(list["refs"]["tickets"][&resold[0]]["status"], "sold");
    assert_eq!(list["refs"]["tickets"][&resold[1]]["status"], "vacant");
    // An order that has given all back.
    let rest = ask(&org, &order, "user", &tickets[2..]).await;
    decide(&org, &rest, "approved").await;
    let gone = order_of(&org, &order).await;
    assert_eq!((&gone["data"]["status"], &gone["data"]["tickets"]), (&json!("done"), &json!([])));
    assert_eq!(gone["data"]["refunded"], "150.00");
    assert_eq!([&gone["data"]["values"]["full"], &gone["data"]["done_at"]], ["0.00", "2026-01-01 00:00:00"]);
    let list = org.get(&format!("{ORDERS}?status=done")).await.ok();
    assert_eq!(ids(&list["data"]), [again.id.clone(), order.id.clone()]);
}

/// Both views of a request, held against each other and against its order. Gives that of version 2.
async fn agree_about(org: &Org, id: &str) -> Value {
    let one = org.get(&format!("refund_requests/{id}")).await.ok();
    let two = org.get(&format!("{REFUNDS}/{id}")).await.ok();
    let data = &two["data"];
    for same in ["id", "order", "event", "org", "vendor", "culprit", "status"] {
        assert_eq!(one[same], data[same], "{same}");
    }
    assert_eq!(one["tickets_refund"], data["tickets"]);
    let money = [&one["value"], &one["values"]["nominal"], &one["values"]["nominal"]];
    assert_eq!(money, [&data["customer_money"], &data["refund_nominal"], &data["delta"]]);
    for at in ["created_at", "requested_at", "finished_at"] {
        let shown = (!one[at].is_null()).then(|| json!(time(&one[at])));
        assert_eq!(shown.as_ref(), data.get(at), "{at}");
    }
    let order = agree(org, &text(&one["order"])).await;
    assert_eq!(two["refs"]["orders"], json!({text(&one["order"]): order["data"]}));
    for same in ["events", "partners"] {
        assert_eq!(two["refs"][same], order["refs"][same], "{same}");
    }
    let lines = one["lines"].as_array().unwrap();
    assert_eq!(two["refs"]["tickets"].as_object().unwrap().len(), lines.len());
    let kept = ids(&order["data"]["tickets"]);
    for line in lines {
        let ticket = &two["refs"]["tickets"][text(&line["ticket"])];
        let status = if kept.contains(&text(&line["ticket"])) { "sold" } else { "vacant" };
        assert_eq!(
            [&ticket["id"], &ticket["set"], &ticket["full"]],
            [&line["ticket"], &line["set"], &line["values"]["paid"]]
        );
        assert_eq!(ticket["status"], status);
    }
    two
}

pub(crate) async fn both_versions_agree_about_a_request_and_its_order(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    event.patch(json!({"refund_policy": {"kept_percent": 10}})).await;
    // How many tickets are asked back, and what becomes of it; then the tickets and the sum that the order has.
    let life: [(usize, &[&str], usize, &str); 4] = [
        (1, &["in_progress", "approved"], 3, "300.00"),
        (2, &["rejected"], 3, "300.00"),
        (1, &["approved"], 2, "200.00"),
        (2, &["in_progress", "approved"], 0, "0.00"),
    ];
    // Odd steps are taken by one version, even ones by the other, and then the other way round.
    for first in [0, 1] {
        let order = sold(&org, &event, &set, 4).await;
        let mut turns = (first..).map(|turn| turn % 2 == 0);
        for (count, steps, left, full) in life {
            let tickets = &order.tickets().await[..count];
            let id = if turns.next().unwrap() {
                let body = json!({"order": order.id, "culprit": "user", "tickets_refund": tickets});
                text(&org.post("refund_requests", body).await.created()["id"])
            } else {
                text(&ask(&org, &order, "org", tickets).await["data"]["id"])
            };
            assert_eq!(agree_about(&org, &id).await["data"]["status"], "new");
            for step in steps {
                shop.pass_ms(1000);
                let version = if turns.next().unwrap() { "refund_requests" } else { REFUNDS };
                org.patch(&format!("{version}/{id}"), json!({"status": step})).await.ok();
                assert_eq!(agree_about(&org, &id).await["data"]["status"], *step);
            }
            let now = agree(&org, &order.id).await;
            // Version 2 has no other status for what was paid, and the sums tell the rest.
            assert_eq!([&now["data"]["status"], &now["data"]["values"]["full"]], ["done", full]);
            assert_eq!(ids(&now["data"]["tickets"]).len(), left);
        }
    }
}

pub(crate) async fn requests_are_filtered_and_paged(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let other = org.event("Play").await;
    let theirs = other.set(9, "7.00").await;
    let (big, small) = (sold(&org, &event, &set, 3).await, sold(&org, &other, &theirs, 1).await);
    let tickets = big.tickets().await;
    let first = ask(&org, &big, "user", &tickets[..2]).await;
    shop.pass_ms(MINUTE_MS);
    let second = ask(&org, &small, "org", &small.tickets().await).await;
    shop.pass_ms(MINUTE_MS + 500);
    decide(&org, &second, "approved").await;
    let third = ask(&org, &big, "user", &tickets[2..]).await;
    decide(&org, &third, "in_progress").await;
    let made = [&first, &second, &third].map(|request| text(&request["data"]["id"]));
    let stranger = shop.organizer("else@example.org").await;
    let cases: [(String, &[usize]); 13] = [
        (String::new(), &[2, 1, 0]),
        (format!("events={}", event.id), &[2, 0]),
        (format!("event={}", other.id), &[1]),
        (format!("events={}&event={}", event.id, other.id), &[2, 0]),
        (format!("events={},{}", event.id, other.id), &[2, 1, 0]),
        ("status=new,in_progress".to_owned(), &[2, 0]),
        ("status=approved".to_owned(), &[1]),
        ("status=rejected".to_owned(), &[]),
        (format!("ids={},{}", made[0], made[2]), &[2, 0]),
        ("created_at=2026-01-01%2000:01:00,2026-01-01%2000:02:00".to_owned(), &[2, 1]),
        ("created_at=2026-01-01T00:00:00Z,2026-01-01T00:00:59Z".to_owned(), &[0]),
        ("finished_at=2026-01-01%2000:02:00,2026-01-01%2000:02:00".to_owned(), &[1]),
        ("finished_at=2026-01-01T00:00:00Z,2026-01-01T00:02:00.499Z".to_owned(), &[]),
    ];
    for (query, expected) in cases {
        let list = org.get(&format!("{REFUNDS}/?{query}")).await.ok();
        let expected: Vec<&String> = expected.iter().map(|at| &made[*at]).collect();
        assert_eq!(ids(&list["data"]).iter().collect::<Vec<_>>(), expected, "{query}");
        assert_eq!(list["total_count"], json!(expected.len()), "{query}");
        let theirs = stranger.get(&format!("{REFUNDS}?{query}")).await.ok();
        assert_eq!((&theirs["data"], &theirs["total_count"]), (&json!([]), &json!(0)));
    }
    let page = async |query: &str| org.get(&format!("{REFUNDS}?{query}")).await.ok();
    let pagination = |page: u64, size: u64, total: u64| json!({"page": page, "page_size": size, "total": total});
    assert_eq!(page("").await["pagination"], pagination(1, 50, 1));
    let second_page = page("page=2&page_size=2").await;
    assert_eq!((ids(&second_page["data"]), &second_page["total_count"]), (vec![made[0].clone()], &json!(3)));
    assert_eq!(second_page["pagination"], pagination(2, 2, 2));
    let named = |list: &Value, refs: &str| list["refs"][refs].as_object().unwrap().len();
    assert_eq!(["events", "orders", "partners", "tickets"].map(|refs| named(&second_page, refs)), [1, 1, 1, 2]);
    let all = page("").await;
    assert_eq!(["events", "orders", "partners", "tickets"].map(|refs| named(&all, refs)), [2, 2, 1, 4]);
    assert_eq!(all["data"][2], org.get(&at(&first)).await.ok()["data"]);
    let past = page("page=3&page_size=2").await;
    assert_eq!((&past["data"], &past["pagination"]), (&json!([]), &pagination(3, 2, 2)));
    let none = json!({"events": {}, "orders": {}, "partners": {}, "tickets": {}});
    assert_eq!((&past["refs"], &past["total_count"]), (&none, &json!(3)));
    for bad in ["status=open", "event=x", "created_at=2026-01-01T00:00:00Z", "finished_at=x,y", "page_size=201"] {
        org.get(&format!("{REFUNDS}?{bad}")).await.refused(400, "invalid_fields");
    }
}

pub(crate) async fn what_is_refused_is_told_in_known_words(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let order = sold(&org, &event, &set, 3).await;
    let tickets = order.tickets().await;
    let canceled = org.order(&event, set.random(1)).await;
    canceled.becomes("canceled").await;
    let body = |order: &str, culprit: &str, tickets: &[String]| json!({"order": order, "culprit": culprit, "tickets": tickets});
    let told = async |body: Value, code: &str| org.post(REFUNDS, body).await.told(400, code);
    assert_eq!(
        told(json!({}), "invalid_fields").await,
        ["order is required", "culprit is required", "tickets is required"]
    );
    let both = json!({"order": order.id, "culprit": "idunno", "tickets": 7, "requested_at": "soon"});
    let culprit = "culprit Value 'idunno' not in list of avaiable values ['user', 'org']";
    let soon = "requested_at must be a time as 2026-01-31T20:00:00Z";
    assert_eq!(told(both, "invalid_fields").await, [culprit, "tickets must be a list", soon]);
    let long = body(&order.id, &"x".repeat(65), &tickets);
    assert_eq!(told(long, "invalid_fields").await, ["culprit must be one of user, org"], "it is not repeated");
    let again = [tickets[0].clone(), tickets[0].clone()];
    let nothing = [NOTHING.to_owned()];
    let early =
        json!({"order": order.id, "culprit": "user", "tickets": tickets, "requested_at": "2025-12-31 23:59:59"});
    let cases = [
        (body(NOTHING, "user", &tickets), "order_not_found", format!("Order {NOTHING} not found")),
        (
            body(&canceled.id, "user", &tickets),
            "order_not_done",
            format!("wrong order (id: {}) status: cancelled", canceled.id),
        ),
        (body(&order.id, "user", &[]), "refund_empty", "tickets list length is less than 1".to_owned()),
        (body(&order.id, "user", &again), "refund_bad_tickets", "bad tickets".to_owned()),
        (body(&order.id, "user", &nothing), "refund_bad_tickets", "bad tickets".to_owned()),
        (early, "refund_requested_at", "requested_at must lie between the payment of the order and now".to_owned()),
    ];
    for (body, code, text) in cases {
        assert_eq!(told(body.clone(), code).await, [text], "{body}");
    }
    let asked = ask(&org, &order, "user", &tickets[..1]).await;
    let taken = "Some tickets already use in another refund request";
    assert_eq!(told(body(&order.id, "org", &tickets), "refund_tickets_taken").await, [taken]);
    let step = async |asked: &Value, status: &str, code: &str| {
        org.patch(&at(asked), json!({"status": status})).await.told(400, code)
    };
    decide(&org, &asked, "new").await;
    decide(&org, &asked, "rejected").await;
    decide(&org, &asked, "rejected").await;
    let cases = [
        ("approved", "RefundRequest in wrong status `rejected` for approve".to_owned()),
        ("new", "Incorrect status new for this operation".to_owned()),
        ("in_progress", "Incorrect status rejected for this operation".to_owned()),
    ];
    for (status, text) in cases {
        assert_eq!(step(&asked, status, "refund_transition").await, [text]);
    }
    let open = ask(&org, &order, "user", &tickets[..1]).await;
    event.patch(json!({"refund_policy": {"days_before": 3}})).await;
    let strict = sold(&org, &event, &set, 1).await;
    let to_sell = body(&strict.id, "user", &strict.tickets().await);
    shop.pass_ms(149 * DAY_MS);
    let late = "Operation failed: customers give tickets back at least 3 days before the event starts";
    assert_eq!(told(to_sell.clone(), "refund_too_late").await, [late]);
    shop.pass_ms(TO_END_OF_EVENING_MS - 149 * DAY_MS);
    let started = "Operation failed: Event started, and no after_event_start setting.";
    assert_eq!(told(to_sell, "refund_event_started").await, [started]);
    let finished = "Not allowed to approve refund for finished event";
    assert_eq!(step(&open, "approved", "refund_event_finished").await, [finished]);
    event.patch(json!({"status": "canceled"})).await;
    let org_only = "Only org culprit allowed for cancelled events";
    assert_eq!(told(body(&order.id, "user", &tickets[1..]), "refund_org_only").await, [org_only]);
}

pub(crate) async fn vendors_ask_and_organizers_decide(shop: Shop) {
    let (org, agent, order) = sold_by_an_agent(&shop).await;
    let tickets = order.tickets().await;
    let stranger = shop.organizer("else@example.org").await;
    let body = json!({"order": order.id, "culprit": "user", "tickets": tickets});
    stranger.post(REFUNDS, body).await.refused(400, "order_not_found");
    let asked = ask(&agent, &order, "user", &tickets).await;
    stranger.get(&at(&asked)).await.refused(404, "not_found");
    stranger.patch(&at(&asked), json!({"status": "approved"})).await.refused(404, "not_found");
    let forbidden = agent.patch(&at(&asked), json!({"status": "approved"})).await;
    assert_eq!(forbidden.error()["reason"], "Only the organizer can decide on the refund request");
    assert_eq!(forbidden.told(403, "forbidden"), ["You are not allowed to do this"]);
    assert_eq!(decide(&org, &asked, "approved").await["data"]["status"], "approved");
    assert_eq!(agent.get(&at(&asked)).await.ok()["refs"]["orders"][&order.id]["status"], "done");
}
