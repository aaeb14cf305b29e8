//! `/v1/resources/events/{event}/promotions`; what they take off is in `promoted.rs`.

use serde_json::{Value, json};

use crate::access::{Row, row};
use crate::client::{Answer, ids, shape};
use crate::harness::{Event, MINUTE_MS, NOTHING, Org, Shop, text};

/// One that lasts for no time: it is in nobody's way.
pub(crate) const PROMOTION: &str = r#"{"lifetime": {"start": "2026-01-01T00:00:00Z", "finish": "2026-01-01T00:00:00.5Z"},
    "by": "count", "kind": "percentage", "levels": [{"from": 2, "value": 10}]}"#;

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET events/{event}/promotions", "", 401, [404, 404], [200, 200], 200),
    row("GET events/{hidden}/promotions", "", 401, [404, 404], [200, 200], 200),
    row("POST events/{event}/promotions", PROMOTION, 401, [403, 403], [201, 201], 201),
    row("POST events/{hidden}/promotions", PROMOTION, 401, [404, 404], [201, 201], 201),
    row("GET events/{event}/promotions/{promotion}", "", 401, [404, 404], [200, 200], 200),
    row("GET events/{hidden}/promotions/{promotion}", "", 401, [404, 404], [404, 404], 404),
    row("PATCH events/{event}/promotions/{promotion}", "{}", 401, [404, 404], [200, 200], 200),
    row("PATCH events/{hidden}/promotions/{promotion}", "{}", 401, [404, 404], [404, 404], 404),
    row("DELETE events/{event}/promotions/{promotion}", "", 401, [404, 404], [200, 200], 200),
    row("DELETE events/{hidden}/promotions/{promotion}", "", 401, [404, 404], [404, 404], 404),
];

async fn given() -> (Shop, Org, Event) {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    (shop, org, event)
}

/// A new promotion of the event with these fields besides.
async fn with(org: &Org, event: &Event, fields: &Value) -> Answer {
    let levels = json!([{"from": 2, "value": "10%"}]);
    let mut body = json!({"lifetime": {}, "by": "count", "kind": "percentage", "levels": levels});
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    org.post(&format!("{}/promotions", event.path), body).await
}

/// A lifetime of the days of February 2026 between these two.
fn days(first: u32, last: u32) -> Value {
    json!({"start": format!("2026-02-{first:02}T00:00:00Z"), "finish": format!("2026-02-{last:02}T00:00:00Z")})
}

#[tokio::test]
async fn a_promotion_is_made_and_shown() {
    let (_, org, event) = given().await;
    let set = event.set(1, "1.00").await;
    let body = json!({
        "lifetime": {"start": "2026-02-01 00:00:00", "finish": "2026-03-01T03:00:00.7+03:00"}, "sets": [set.id],
        "by": "sum", "kind": "fix", "levels": [{"from": 100, "value": 5}, {"from": "250.00", "value": "12.50"}],
        "removed": true, "id": NOTHING, "created_at": null,
    });
    let made = org.post(&format!("{}/promotions", event.path), body).await.created();
    insta::assert_snapshot!(shape(&made), @r#"
    {
      "by": "sum",
      "created_at": "2026-01-01T00:00:00.000000+00:00",
      "event": "[id]",
      "id": "[id]",
      "kind": "fix",
      "levels": [
        {
          "from": "100.00",
          "value": "5.00"
        },
        {
          "from": "250.00",
          "value": "12.50"
        }
      ],
      "lifetime": {
        "finish": "2026-03-01T00:00:00.000000+00:00",
        "start": "2026-02-01T00:00:00.000000+00:00"
      },
      "removed": false,
      "sets": [
        "[id]"
      ],
      "updated_at": "2026-01-01T00:00:00.000000+00:00"
    }
    "#);
    assert_eq!((&made["event"], &made["sets"]), (&json!(event.id), &json!([set.id])));
    assert_eq!(org.get(&format!("{}/promotions/{}", event.path, text(&made["id"]))).await.ok(), made);
}

#[tokio::test]
async fn a_promotion_needs_all_but_its_sets() {
    let (_, org, event) = given().await;
    let made = with(&org, &event, &json!({"sets": null})).await.created();
    let begins = "2026-01-01T00:00:00.000000+00:00";
    assert_eq!([&made["sets"], &made["lifetime"]], [&json!([]), &json!({"start": begins, "finish": null})]);
    let details = org.post(&format!("{}/promotions", event.path), json!({})).await.refused(400, "invalid_fields");
    let required = |field| json!({"field": field, "problem": "is required"});
    assert_eq!(details, json!(["$.lifetime", "$.by", "$.kind", "$.levels"].map(required)));
}

#[tokio::test]
async fn what_is_wrong_with_a_field_is_named() {
    let (_, org, event) = given().await;
    let level = |from: Value, value: Value| json!({"levels": [{"from": from, "value": value}]});
    let bad = [
        (json!({"lifetime": null}), "$.lifetime"),
        (json!({"lifetime": {"start": "tomorrow"}}), "$.lifetime.start"),
        (json!({"lifetime": {"start": "2026-03-01T00:00:00Z", "finish": "2026-02-01T00:00:00Z"}}), "$.lifetime.finish"),
        (json!({"by": "tickets"}), "$.by"),
        (json!({"by": 2}), "$.by"),
        (json!({"kind": "fixed"}), "$.kind"),
        (json!({"sets": ["x"]}), "$.sets[0]"),
        (json!({"levels": {"from": 1, "value": 1}}), "$.levels"),
        (json!({"levels": [{"from": 1, "value": 1}, 2]}), "$.levels[1]"),
        (json!({"levels": [{"value": 1}]}), "$.levels[0].from"),
        (level(json!(-1), json!(1)), "$.levels[0].from"),
        (level(json!("many"), json!(1)), "$.levels[0].from"),
        (level(json!(1), json!("a tenth")), "$.levels[0].value"),
        (level(json!(1), json!("101%")), "$.levels[0].value"),
        (json!({"levels": vec![json!({"from": 1, "value": 1}); 21]}), "$.levels"),
    ];
    for (fields, field) in bad {
        let details = with(&org, &event, &fields).await.refused(400, "invalid_fields");
        assert_eq!(details[0]["field"], field, "{fields}");
    }
}

#[tokio::test]
async fn levels_are_what_their_measure_and_kind_say() {
    let (_, org, event) = given().await;
    let shown = |from: Value, value: &str| json!([{"from": from, "value": value}]);
    let cases = [
        ("count", "percentage", json!([{"from": 3, "value": 12.5}]), shown(json!(3), "12.5%")),
        ("count", "percentage", json!([{"from": "3.00", "value": "10%"}]), shown(json!(3), "10%")),
        ("count", "fix", json!([{"from": 1, "value": 500}]), shown(json!(1), "500.00")),
        ("sum", "percentage", json!([{"from": 0, "value": 100}]), shown(json!("0.00"), "100%")),
        ("sum", "fix", json!([{"from": "99.90", "value": "0.05"}]), shown(json!("99.90"), "0.05")),
    ];
    for (at, (by, kind, levels, expected)) in (1..).zip(cases) {
        let fields = json!({"by": by, "kind": kind, "levels": levels, "lifetime": days(at, at + 1)});
        let made = with(&org, &event, &fields).await.created();
        assert_eq!([&made["by"], &made["kind"], &made["levels"]], [&json!(by), &json!(kind), &expected]);
    }
    let bad = [
        (json!({"levels": []}), "A promotion needs a level"),
        (json!({"levels": [{"from": 2.5, "value": 1}]}), "Level 1 must begin at a whole number of tickets, 1 or more"),
        (json!({"levels": [{"from": 0, "value": 1}]}), "Level 1 must begin at a whole number of tickets, 1 or more"),
        (
            json!({"levels": [{"from": 3, "value": 1}, {"from": 3, "value": 2}]}),
            "Level 2 must begin above the one before",
        ),
        (
            json!({"levels": [{"from": 3, "value": 101}]}),
            "The value of level 1 must be a percentage from 0 to 100, as 10 or \"10%\"",
        ),
        (
            json!({"kind": "fix", "levels": [{"from": 3, "value": "5%"}]}),
            "The value of level 1 must be an amount, as \"5.00\"",
        ),
    ];
    for (fields, reason) in bad {
        let answer = with(&org, &event, &fields).await;
        assert_eq!(answer.json()["reason"], reason, "{fields}");
        answer.refused(400, "promotion_levels");
    }
}

#[tokio::test]
async fn promotions_of_a_set_do_not_overlap() {
    let (_, org, event) = given().await;
    let (one, other) = (event.set(1, "1.00").await, event.set(1, "1.00").await);
    let fields = |first, last, sets: &[&str]| json!({"lifetime": days(first, last), "sets": sets});
    let first = with(&org, &event, &fields(5, 10, &[&one.id])).await.created();
    for overlap in [fields(9, 12, &[&one.id]), fields(1, 6, &[]), fields(6, 7, &[&other.id, &one.id])] {
        with(&org, &event, &overlap).await.refused(400, "promotion_overlap");
    }
    let second = with(&org, &event, &fields(9, 12, &[&other.id])).await.created();
    with(&org, &event, &fields(1, 5, &[])).await.created();
    let path = |made: &Value| format!("{}/promotions/{}", event.path, text(&made["id"]));
    org.patch(&path(&second), json!({"sets": []})).await.refused(400, "promotion_overlap");
    assert_eq!(org.delete(&path(&first)).await.ok(), json!({}));
    assert_eq!(org.patch(&path(&second), json!({"sets": []})).await.ok()["sets"], json!([]));
}

#[tokio::test]
async fn a_promotion_is_for_sets_of_its_event() {
    let (_, org, event) = given().await;
    let foreign = org.event("Second concert").await.set(1, "1.00").await;
    let promotion = event.promotion(json!([{"from": 1, "value": 1}]), &json!({})).await;
    for set in [foreign.id.as_str(), NOTHING] {
        with(&org, &event, &json!({"sets": [set], "lifetime": days(1, 2)})).await.refused(400, "set_not_found");
        org.patch(&promotion.path, json!({"sets": [set]})).await.refused(400, "set_not_found");
    }
}

#[tokio::test]
async fn a_change_touches_what_it_names() {
    let (shop, org, event) = given().await;
    let set = event.set(1, "1.00").await;
    let promotion = event.promotion(json!([{"from": 2, "value": 10}]), &json!({"lifetime": days(1, 5)})).await;
    let mut expected = promotion.now().await;
    shop.pass_ms(MINUTE_MS);
    let read_only = json!({"event": NOTHING, "removed": true, "created_at": null});
    assert_eq!(promotion.patch(read_only).await, expected, "nothing has changed, not even the time");
    expected["updated_at"] = json!("2026-01-01T00:01:00.000000+00:00");
    let time = |day| format!("2026-02-{day:02}T00:00:00.000000+00:00");
    let changes = [
        (json!({"sets": [set.id]}), "sets", json!([set.id])),
        (json!({"sets": null}), "sets", json!([])),
        (
            json!({"lifetime": {"finish": "2026-02-09T00:00:00Z"}}),
            "lifetime",
            json!({"start": time(1), "finish": time(9)}),
        ),
        (
            json!({"lifetime": "BEGIN:VEVENT\r\nDTSTART:20260203T000000Z\r\nEND:VEVENT"}),
            "lifetime",
            json!({"start": time(3), "finish": null}),
        ),
        (json!({"levels": [{"from": 4, "value": "15%"}]}), "levels", json!([{"from": 4, "value": "15%"}])),
        (json!({"by": "count", "kind": "percentage"}), "by", json!("count")),
    ];
    for (change, field, shown) in changes {
        expected[field] = shown;
        assert_eq!(promotion.patch(change.clone()).await, expected, "{change}");
        assert_eq!(promotion.now().await, expected);
    }
    org.patch(&promotion.path, json!({"kind": "fix"})).await.refused(400, "promotion_levels");
    (expected["kind"], expected["levels"]) = (json!("fix"), json!([{"from": 4, "value": "15.00"}]));
    let fix = json!({"kind": "fix", "levels": [{"from": 4, "value": 15}]});
    assert_eq!(promotion.patch(fix).await, expected);
    for field in ["lifetime", "by", "kind", "levels"] {
        org.patch(&promotion.path, json!({field: null})).await.refused(400, "invalid_fields");
    }
}

#[tokio::test]
async fn promotions_are_listed_newest_first() {
    let (_, org, event) = given().await;
    let elsewhere = org.event("Second concert").await;
    let levels = json!([{"from": 1, "value": 1}]);
    elsewhere.promotion(levels.clone(), &json!({})).await;
    let mut made = Vec::new();
    for day in 1..4 {
        made.push(event.promotion(levels.clone(), &json!({"lifetime": days(day, day + 1)})).await);
    }
    let path = format!("{}/promotions", event.path);
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
async fn a_removed_promotion_leaves_the_list_and_is_shown_by_its_id() {
    let (_, org, event) = given().await;
    let promotion = event.promotion(json!([{"from": 1, "value": 1}]), &json!({})).await;
    let path = format!("{}/promotions", event.path);
    for _ in 0..2 {
        assert_eq!(org.delete(&promotion.path).await.ok(), json!({}));
    }
    assert_eq!(promotion.now().await["removed"], true);
    assert_eq!(org.get(&path).await.total(), 0);
    assert_eq!(ids(&org.get(&format!("{path}?removed=true")).await.ok()), [promotion.id.as_str()]);
    org.patch(&promotion.path, json!({"levels": [{"from": 2, "value": 1}]})).await.refused(404, "not_found");
    event.promotion(json!([{"from": 1, "value": 1}]), &json!({})).await;
}

#[tokio::test]
async fn a_promotion_is_of_its_event() {
    let (_, org, event) = given().await;
    let promotion = event.promotion(json!([{"from": 1, "value": 1}]), &json!({})).await;
    let elsewhere = org.event("Second concert").await;
    for id in [promotion.id.as_str(), NOTHING, "x"] {
        let path = format!("{}/promotions/{id}", elsewhere.path);
        org.get(&path).await.refused(404, "not_found");
        org.patch(&path, json!({"sets": []})).await.refused(404, "not_found");
        org.delete(&path).await.refused(404, "not_found");
    }
    for path in [format!("events/{NOTHING}/promotions"), format!("events/{NOTHING}/promotions/{}", promotion.id)] {
        org.get(&path).await.refused(404, "not_found");
    }
}

#[tokio::test]
async fn an_agent_that_sees_the_event_learns_nothing_of_its_promotions() {
    let (shop, org, event) = given().await;
    let promotion = event.promotion(json!([{"from": 1, "value": 1}]), &json!({})).await;
    let (agent, stranger) = (shop.organizer("agent@example.org").await, shop.organizer("other@example.org").await);
    org.post("deals", json!({"event": event.id, "subj": agent.id, "term": {"org": 90}})).await.ok();
    event.patch(json!({"status": "stand_by"})).await;
    for (caller, status, code) in [(&agent, 403, "forbidden"), (&stranger, 404, "not_found")] {
        with(caller, &event, &json!({})).await.refused(status, code);
        caller.get(&format!("{}/promotions", event.path)).await.refused(404, "not_found");
        caller.get(&promotion.path).await.refused(404, "not_found");
        caller.patch(&promotion.path, json!({"sets": []})).await.refused(404, "not_found");
        caller.delete(&promotion.path).await.refused(404, "not_found");
    }
}
