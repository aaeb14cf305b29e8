//! `/v1/resources/events/{event}/promocodes`; what they take off is in `discounts.rs`.

use serde_json::{Value, json};

use crate::access::{Row, row};
use crate::client::{ids, shape};
use crate::harness::{Event, MINUTE_MS, NOTHING, Org, Shop, text};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET events/{event}/promocodes", "", 401, [404, 404], [200, 200], 200),
    row("GET events/{hidden}/promocodes", "", 401, [404, 404], [200, 200], 200),
    row("POST events/{event}/promocodes", r#"{"code": "NEW", "discount": {"fixed": 1}}"#, 401, [403, 403], [201, 201], 201),
    row("POST events/{hidden}/promocodes", r#"{"code": "NEW", "discount": {"fixed": 1}}"#, 401, [404, 404], [201, 201], 201),
    row("GET events/{event}/promocodes/{promocode}", "", 401, [404, 404], [200, 200], 200),
    row("GET events/{hidden}/promocodes/{promocode}", "", 401, [404, 404], [404, 404], 404),
    row("PATCH events/{event}/promocodes/{promocode}", "{}", 401, [404, 404], [200, 200], 200),
    row("PATCH events/{hidden}/promocodes/{promocode}", "{}", 401, [404, 404], [404, 404], 404),
];

async fn given() -> (Shop, Org, Event) {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    (shop, org, event)
}

/// A new promocode of the event with these fields besides.
async fn with(org: &Org, event: &Event, fields: &Value) -> crate::client::Answer {
    let mut body = json!({"code": "SPRING", "discount": {"percengate": 30}});
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    org.post(&format!("{}/promocodes", event.path), body).await
}

#[tokio::test]
async fn a_promocode_is_made_and_shown() {
    let (_, org, event) = given().await;
    let set = event.set(1, "1.00").await;
    let body = json!({
        "code": " Spring ", "name": "Spring", "desc": "on\nposters", "sets": [set.id], "discount": {"percengate": "30%"},
        "amount": 100, "tickets_count": {"min": 2}, "counter": {"used": 7}, "id": NOTHING,
        "lifetime": "BEGIN:VEVENT\r\nDTSTART:20260101T000000Z\r\nDTEND:20260201T000000Z\r\nEND:VEVENT",
    });
    let made = org.post(&format!("{}/promocodes", event.path), body).await.created();
    insta::assert_snapshot!(shape(&made), @r#"
    {
      "amount": 100,
      "code": "Spring",
      "counter": {
        "reserved": 0,
        "used": 0
      },
      "created_at": "2026-01-01T00:00:00.000000+00:00",
      "desc": "on\nposters",
      "discount": {
        "percengate": "30%"
      },
      "event": "[id]",
      "id": "[id]",
      "lifetime": "BEGIN:VEVENT\r\nDTSTART;VALUE=DATE-TIME:20260101T000000Z\r\nDTEND;VALUE=DATE-TIME:20260201T000000Z\r\nEND:VEVENT\r\n",
      "name": "Spring",
      "sets": [
        "[id]"
      ],
      "tickets_count": {
        "min": 2
      },
      "updated_at": "2026-01-01T00:00:00.000000+00:00"
    }
    "#);
    assert_eq!((&made["event"], &made["sets"]), (&json!(event.id), &json!([set.id])));
    assert_eq!(org.get(&format!("{}/promocodes/{}", event.path, text(&made["id"]))).await.ok(), made);
}

#[tokio::test]
async fn a_promocode_needs_a_code_and_a_discount_only() {
    let (_, org, event) = given().await;
    let made = with(&org, &event, &json!({"sets": [], "amount": null, "lifetime": null, "name": null})).await.created();
    let expected = json!({
        "name": null, "desc": null, "sets": [], "amount": null, "lifetime": null, "tickets_count": {},
    });
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(made[field], *value, "{field}");
    }
    let path = format!("{}/promocodes", event.path);
    let details = org.post(&path, json!({"name": "X"})).await.refused(400, "invalid_fields");
    let required = |field| json!({"field": field, "problem": "is required"});
    assert_eq!(details, json!([required("$.code"), required("$.discount")]));
    for code in [json!(""), json!("  "), json!("x".repeat(65)), json!("a\nb"), json!(7), json!(["SPRING"])] {
        with(&org, &event, &json!({"code": code})).await.refused(400, "invalid_fields");
    }
}

#[tokio::test]
async fn a_code_is_taken_once_in_an_event() {
    let (_, org, event) = given().await;
    with(&org, &event, &json!({})).await.created();
    for code in ["SPRING", "spring", " Spring "] {
        with(&org, &event, &json!({"code": code})).await.refused(400, "promocode_taken");
    }
    let other = org.event("Second concert").await;
    with(&org, &other, &json!({})).await.created();
}

#[tokio::test]
async fn a_promocode_is_for_sets_of_its_event() {
    let (_, org, event) = given().await;
    let foreign = org.event("Second concert").await.set(1, "1.00").await;
    for set in [foreign.id.as_str(), NOTHING] {
        with(&org, &event, &json!({"sets": [set]})).await.refused(400, "set_not_found");
    }
    with(&org, &event, &json!({"sets": ["x"]})).await.refused(400, "invalid_fields");
}

#[tokio::test]
async fn discounts_are_percents_or_amounts() {
    let (_, org, event) = given().await;
    let cases = [
        (json!({"percengate": "30%"}), json!({"percengate": "30%"})),
        (json!({"percentage": 12.5}), json!({"percengate": "12.5%"})),
        (json!({"percengate": "100"}), json!({"percengate": "100%"})),
        (json!({"percentage": "0.00%", "fix": null}), json!({"percengate": "0%"})),
        (json!({"fixed": "100"}), json!({"fixed": "100.00"})),
        (json!({"fix": 0.5}), json!({"fixed": "0.50"})),
    ];
    for (at, (discount, shown)) in cases.iter().enumerate() {
        let made = with(&org, &event, &json!({"code": format!("CODE {at}"), "discount": discount})).await.created();
        assert_eq!(made["discount"], *shown, "{discount}");
    }
    for discount in [
        json!({}),
        json!("30%"),
        json!({"percengate": null}),
        json!({"percengate": 30, "fixed": 1}),
        json!({"percengate": 30, "percentage": 30}),
        json!({"percengate": "100.01%"}),
        json!({"percengate": -1}),
        json!({"fixed": "30%"}),
        json!({"fixed": "-1"}),
    ] {
        with(&org, &event, &json!({"discount": discount})).await.refused(400, "invalid_fields");
    }
    let details = with(&org, &event, &json!({"discount": {"fix": "x"}})).await.refused(400, "invalid_fields");
    assert_eq!(details[0]["field"], "$.discount.fix");
}

fn vevent(start: &str, finish: Option<&str>) -> String {
    let end = finish.map_or_else(String::new, |finish| format!("DTEND;VALUE=DATE-TIME:{finish}\r\n"));
    format!("BEGIN:VEVENT\r\nDTSTART;VALUE=DATE-TIME:{start}\r\n{end}END:VEVENT\r\n")
}

#[tokio::test]
async fn lifetimes_are_events_of_a_calendar_or_two_times() {
    let (_, org, event) = given().await;
    let (start, finish) = ("20260201T000000Z", Some("20260301T120000Z"));
    let cases = [
        (json!(vevent(start, finish)), vevent(start, finish)),
        (json!(vevent(start, None)), vevent(start, None)),
        (json!({"start": "2026-02-01T00:00:00.9Z", "finish": "2026-03-01 12:00:00"}), vevent(start, finish)),
        (json!({"start": "2026-02-01T03:00:00+03:00"}), vevent(start, None)),
        (json!({"start": null, "finish": "2026-03-01T12:00:00Z"}), vevent("20260101T000000Z", finish)),
    ];
    for (at, (lifetime, shown)) in cases.iter().enumerate() {
        let made = with(&org, &event, &json!({"code": format!("CODE {at}"), "lifetime": lifetime})).await.created();
        assert_eq!(made["lifetime"], *shown, "{lifetime}");
    }
    for lifetime in [
        json!("tomorrow"),
        json!(vevent("20260301T000000Z", Some("20260201T000000Z"))),
        json!({"start": "2026-03-01T00:00:00Z", "finish": "2026-02-01T00:00:00Z"}),
        json!({"start": "tomorrow"}),
        json!(["2026-03-01T00:00:00Z"]),
    ] {
        with(&org, &event, &json!({"lifetime": lifetime})).await.refused(400, "invalid_fields");
    }
    let endless = with(&org, &event, &json!({"code": "ALWAYS", "lifetime": {}})).await.created();
    assert_eq!(endless["lifetime"], json!(null));
}

#[tokio::test]
async fn numbers_of_tickets_and_uses_are_whole_numbers() {
    let (_, org, event) = given().await;
    let counts = json!({"min": 2, "max": 2});
    let made = with(&org, &event, &json!({"tickets_count": counts, "amount": 0})).await.created();
    assert_eq!((&made["tickets_count"], &made["amount"]), (&counts, &json!(0)));
    let bad = [
        (json!({"tickets_count": {"min": 3, "max": 2}}), "$.tickets_count.max"),
        (json!({"tickets_count": {"min": -1}}), "$.tickets_count.min"),
        (json!({"tickets_count": 2}), "$.tickets_count"),
        (json!({"amount": "many"}), "$.amount"),
        (json!({"amount": 1.5}), "$.amount"),
    ];
    for (fields, field) in bad {
        let details = with(&org, &event, &fields).await.refused(400, "invalid_fields");
        assert_eq!(details[0]["field"], field, "{fields}");
    }
}

#[tokio::test]
async fn a_change_touches_what_may_change() {
    let (shop, org, event) = given().await;
    let fields = json!({"name": "Spring", "amount": 5, "lifetime": {"start": "2026-01-01T00:00:00Z"}});
    let mut expected = with(&org, &event, &fields).await.created();
    let path = format!("{}/promocodes/{}", event.path, text(&expected["id"]));
    shop.pass_ms(MINUTE_MS);
    let read_only = json!({
        "code": "OTHER", "discount": {"fixed": 5}, "sets": [NOTHING], "tickets_count": {"min": 9}, "event": NOTHING,
        "counter": {"used": 5}, "created_at": null,
    });
    assert_eq!(org.patch(&path, read_only).await.ok(), expected, "nothing has changed, not even the time");
    expected["updated_at"] = json!("2026-01-01T00:01:00.000000+00:00");
    let changes = [
        (json!({"desc": "x"}), "desc", json!("x")),
        (json!({"name": null}), "name", json!(null)),
        (json!({"amount": 7}), "amount", json!(7)),
        (json!({"amount": null}), "amount", json!(null)),
        (
            json!({"lifetime": {"finish": "2026-01-02T00:00:00Z"}}),
            "lifetime",
            json!(vevent("20260101T000000Z", Some("20260102T000000Z"))),
        ),
        (json!({"lifetime": vevent("20260105T000000Z", None)}), "lifetime", json!(vevent("20260105T000000Z", None))),
        (json!({"lifetime": null}), "lifetime", json!(null)),
    ];
    for (change, field, shown) in changes {
        expected[field] = shown;
        assert_eq!(org.patch(&path, change.clone()).await.ok(), expected, "{change}");
        assert_eq!(org.get(&path).await.ok(), expected);
    }
    for bad in [json!({"name": " "}), json!({"amount": -1}), json!({"lifetime": "x"})] {
        org.patch(&path, bad).await.refused(400, "invalid_fields");
    }
}

#[tokio::test]
async fn an_amount_is_not_below_the_uses_there_are() {
    let (_, org, event) = given().await;
    let set = event.set(5, "10.00").await;
    let promocode = event.promocode("SPRING", json!({"fixed": 1}), json!({})).await;
    for _ in 0..2 {
        org.order(&event, json!({"random": {&set.id: 1}, "promocodes": ["SPRING"]})).await;
    }
    org.patch(&promocode.path, json!({"amount": 1})).await.refused(400, "amount_below_uses");
    assert_eq!(promocode.patch(json!({"amount": 2})).await["counter"], json!({"reserved": 2, "used": 0}));
}

#[tokio::test]
async fn promocodes_are_listed_newest_first() {
    let (_, org, event) = given().await;
    let elsewhere = org.event("Second concert").await;
    elsewhere.promocode("SPRING", json!({"fixed": 1}), json!({})).await;
    let mut made = Vec::new();
    for code in ["ONE", "TWO", "THREE"] {
        made.push(event.promocode(code, json!({"fixed": 1}), json!({})).await);
    }
    let path = format!("{}/promocodes", event.path);
    let list = org.get(&path).await;
    assert_eq!(list.total(), 3);
    let list = list.ok();
    assert_eq!(ids(&list), [2, 1, 0].map(|at: usize| made[at].id.clone()));
    assert_eq!(list[0], made[2].now().await);
    let page = org.get(&format!("{path}?limit=1&offset=1")).await;
    assert_eq!((page.total(), ids(&page.ok())), (3, vec![made[1].id.clone()]));
    let named = org.get(&format!("{path}?ids={},{NOTHING}", made[0].id)).await;
    assert_eq!((named.total(), ids(&named.ok())), (1, vec![made[0].id.clone()]));
    org.get(&format!("{path}?ids=x")).await.refused(400, "invalid_fields");
}

#[tokio::test]
async fn a_promocode_is_of_its_event() {
    let (_, org, event) = given().await;
    let promocode = event.promocode("SPRING", json!({"fixed": 1}), json!({})).await;
    let elsewhere = org.event("Second concert").await;
    for id in [promocode.id.as_str(), NOTHING, "x"] {
        let path = format!("{}/promocodes/{id}", elsewhere.path);
        org.get(&path).await.refused(404, "not_found");
        org.patch(&path, json!({"name": "X"})).await.refused(404, "not_found");
    }
    for path in [format!("events/{NOTHING}/promocodes"), format!("events/{NOTHING}/promocodes/{}", promocode.id)] {
        org.get(&path).await.refused(404, "not_found");
    }
}

#[tokio::test]
async fn an_agent_that_sees_the_event_learns_nothing_of_its_promocodes() {
    let (shop, org, event) = given().await;
    let promocode = event.promocode("SPRING", json!({"fixed": 1}), json!({})).await;
    let (agent, stranger) = (shop.organizer("agent@example.org").await, shop.organizer("other@example.org").await);
    org.post("deals", json!({"event": event.id, "subj": agent.id, "term": {"org": 90}})).await.ok();
    event.patch(json!({"status": "stand_by"})).await;
    let path = format!("{}/promocodes", event.path);
    let new = json!({"code": "NEW", "discount": {"fixed": 1}});
    for (caller, status, code) in [(&agent, 403, "forbidden"), (&stranger, 404, "not_found")] {
        caller.get(&path).await.refused(404, "not_found");
        caller.post(&path, new.clone()).await.refused(status, code);
        caller.get(&promocode.path).await.refused(404, "not_found");
        caller.patch(&promocode.path, json!({"name": "X"})).await.refused(404, "not_found");
    }
}
