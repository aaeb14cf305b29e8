//! `/v1/resources/venues`, and the venue of an event.

use serde_json::{Value, json};

use crate::access::{Row, row};
use crate::client::{ids, shape};
use crate::harness::{EVENING, NOTHING, Org, Shop, TO_END_OF_EVENING_MS, text};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET venues", "", 200, [200, 200], [200, 200], 200),
    row("POST venues", r#"{"name": "X"}"#, 401, [201, 201], [201, 201], 400),
    row("GET venues/{venue}", "", 200, [200, 200], [200, 200], 200),
    row("GET venues/{closed}", "", 404, [404, 404], [200, 200], 200),
    row("PATCH venues/{venue}", "{}", 401, [403, 403], [200, 200], 200),
    row("PATCH venues/{closed}", "{}", 401, [404, 404], [200, 200], 200),
    row("DELETE venues/{venue}", "", 401, [403, 403], [200, 200], 200),
    row("DELETE venues/{closed}", "", 401, [404, 404], [200, 200], 200),
];

const MOSCOW: u32 = 524_901;

fn hall() -> Value {
    json!({
        "name": "Hall",
        "description": "By the river",
        "address": "1 Main St",
        "city": MOSCOW,
        "point": {"type": "Point", "coordinates": [37.6173, 55.7558]},
    })
}

async fn venue(org: &Org, body: Value) -> String {
    text(&org.post("venues", body).await.created()["id"])
}

#[tokio::test]
async fn a_new_venue_is_shown_whole() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let made = org.post("venues", hall()).await.created();
    insta::assert_snapshot!(shape(&made), @r#"
    {
      "address": "1 Main St",
      "city": 524901,
      "country": "RU",
      "created_at": "2026-01-01T00:00:00.000000+00:00",
      "desc": "By the river",
      "description": "By the river",
      "id": "[id]",
      "name": "Hall",
      "org": "[id]",
      "point": {
        "coordinates": [
          37.6173,
          55.7558
        ],
        "type": "Point"
      },
      "removed": false,
      "updated_at": "2026-01-01T00:00:00.000000+00:00"
    }
    "#);
    assert_eq!(made["org"], json!(org.id));
    let path = format!("venues/{}", text(&made["id"]));
    assert_eq!(shop.anonymous().get(&path).await.ok(), made);
}

#[tokio::test]
async fn a_venue_merges_and_null_clears() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let path = format!("venues/{}", venue(&org, hall()).await);
    let changed = org.patch(&path, json!({"name": "Arena", "desc": null, "point": null, "org": NOTHING})).await.ok();
    assert_eq!(
        (&changed["name"], &changed["description"], &changed["point"]),
        (&json!("Arena"), &Value::Null, &Value::Null)
    );
    assert_eq!(
        (&changed["address"], &changed["city"], &changed["org"]),
        (&json!("1 Main St"), &json!(MOSCOW), &json!(org.id))
    );
    let moved = org.patch(&path, json!({"city": null, "country": "de"})).await.ok();
    assert_eq!((&moved["city"], &moved["country"]), (&Value::Null, &json!("DE")));
    assert_eq!(org.get(&path).await.ok(), moved);
}

#[tokio::test]
async fn bad_venues_are_refused() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let with = |field: &str, value: Value| {
        let mut body = hall();
        body[field] = value;
        body
    };
    let point = |coordinates: Value| with("point", json!({"type": "Point", "coordinates": coordinates}));
    let cases = [
        (json!({}), "$.name"),
        (with("name", json!(null)), "$.name"),
        (with("name", json!(" ")), "$.name"),
        (with("city", json!("524901")), "$.city"),
        (with("city", json!(-1)), "$.city"),
        (with("country", json!("Russia")), "$.country"),
        (with("country", json!(7)), "$.country"),
        (with("point", json!([37.6, 55.7])), "$.point"),
        (with("point", json!({"type": "Polygon", "coordinates": [1, 2]})), "$.point"),
        (point(json!([37.6])), "$.point"),
        (point(json!(["37.6", "55.7"])), "$.point"),
        (point(json!([180.1, 0])), "$.point.coordinates"),
        (point(json!([0, 90.1])), "$.point.coordinates"),
        (with("removed", json!("maybe")), "$.removed"),
    ];
    for (body, field) in cases {
        let details = org.post("venues", body.clone()).await.refused(400, "invalid_fields");
        assert_eq!(details[0]["field"], field, "{body}");
    }
    for (body, code) in [
        (with("city", json!(1)), "city_not_found"),
        (with("country", json!("zz")), "country_not_found"),
        (with("country", json!("de")), "city_not_in_country"),
    ] {
        org.post("venues", body).await.refused(400, code);
    }
    assert_eq!(org.get("venues").await.total(), 0);
}

#[tokio::test]
async fn venues_are_listed_newest_first_and_filtered() {
    let shop = Shop::open().await;
    let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
    let first = venue(&org, hall()).await;
    shop.pass_ms(1);
    let second = venue(&other, json!({"name": "Зал 100%", "country": "DE"})).await;
    shop.pass_ms(1);
    let gone = venue(&org, json!({"name": "Old hall"})).await;
    org.delete(&format!("venues/{gone}")).await.ok();
    let nobody = shop.anonymous();
    let cases = [
        (String::new(), vec![&second, &first]),
        ("limit=1".to_owned(), vec![&second]),
        ("limit=1&offset=1".to_owned(), vec![&first]),
        (format!("org={}", org.id), vec![&first]),
        (format!("ids={first},{gone},{NOTHING}"), vec![&first]),
        (format!("city={MOSCOW}"), vec![&first]),
        ("country=de".to_owned(), vec![&second]),
        ("suggest=HALL".to_owned(), vec![&first]),
        ("suggest=%D0%97%D0%90%D0%9B".to_owned(), vec![&second]),
        ("suggest=%25".to_owned(), vec![&second]),
        ("suggest=_".to_owned(), vec![]),
    ];
    for (query, found) in cases {
        let listed = ids(&nobody.get(&format!("venues?{query}")).await.ok());
        assert_eq!(listed.iter().collect::<Vec<_>>(), found, "{query}");
    }
    assert_eq!(nobody.get("venues?limit=1").await.total(), 2);
    assert_eq!(ids(&org.get("venues?removed=true").await.ok()), [&gone, &second, &first].map(Clone::clone));
    for client in [&*other, &nobody] {
        assert_eq!(ids(&client.get("venues?removed=true").await.ok()), [second.clone(), first.clone()]);
    }
    nobody.get("venues?city=x").await.refused(400, "invalid_fields");
}

#[tokio::test]
async fn an_event_takes_place_at_any_venue() {
    let shop = Shop::open().await;
    let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
    let id = venue(&org, hall()).await;
    let event = other.event_with(json!({"title": "X", "venue": id})).await;
    assert_eq!(event.now().await["venue"], json!(id));
    assert_eq!(event.patch(json!({"venue": null})).await["venue"], Value::Null);
    assert_eq!(event.patch(json!({"venue": id})).await["venue"], json!(id));
    other.post("events", json!({"title": "X", "venue": NOTHING})).await.refused(400, "venue_not_found");
    other.patch(&event.path, json!({"venue": NOTHING})).await.refused(400, "venue_not_found");
}

#[tokio::test]
async fn a_venue_goes_when_no_event_needs_it() {
    for shop in [Shop::memory().await, Shop::sqlite().await, Shop::postgres().await] {
        let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
        let id = venue(&org, hall()).await;
        let path = format!("venues/{id}");
        let event = json!({"title": "X", "lifetime": EVENING, "venue": id, "status": "public"});
        let evening = other.event_with(event).await;
        other.delete(&path).await.refused(403, "forbidden");
        org.delete(&path).await.refused(400, "venue_in_use");
        org.patch(&path, json!({"removed": true})).await.refused(400, "venue_in_use");
        shop.pass_ms(TO_END_OF_EVENING_MS);
        assert_eq!(org.delete(&path).await.ok(), json!({}));
        assert_eq!(org.get(&path).await.ok()["removed"], json!(true));
        other.get(&path).await.refused(404, "not_found");
        assert_eq!(evening.now().await["venue"], json!(id), "it was there");
        other.post("events", json!({"title": "X", "venue": id})).await.refused(400, "venue_not_found");
    }
}

#[tokio::test]
async fn a_strangers_draft_keeps_no_venue_and_no_seat_and_is_told_so_when_it_becomes_public() {
    for shop in [Shop::memory().await, Shop::sqlite().await, Shop::postgres().await] {
        let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
        let id = venue(&org, hall()).await;
        let path = format!("venues/{id}");
        let sectors = |to: u16| json!([{"id": "A", "name": "A", "rows": [{"row": 1, "from": 1, "to": to}]}]);
        let map = org.post(&format!("{path}/maps"), json!({"name": "Hall", "sectors": sectors(9)})).await.created();
        let map = (text(&map["id"]), format!("{path}/maps/{}", text(&map["id"])));
        let draft = json!({"title": "X", "lifetime": EVENING, "venue": id, "map": map.0});
        let draft = other.event_with(draft).await;
        let set = draft.set_with(json!({"name": "A", "sector": "A", "seats": {"1": [[1, 9]]}, "price": "10.00"})).await;

        org.patch(&map.1, json!({"sectors": sectors(5)})).await.ok();
        other.patch(&draft.path, json!({"status": "public"})).await.refused(400, "seats_not_on_map");
        set.patch(json!({"seats": {"1": [[1, 5]]}})).await;
        draft.patch(json!({"status": "public"})).await;
        org.patch(&map.1, json!({"sectors": sectors(4)})).await.refused(400, "map_in_use");
        org.delete(&path).await.refused(400, "venue_in_use");

        draft.patch(json!({"status": "stand_by"})).await;
        org.delete(&path).await.ok();
        let details = other.patch(&draft.path, json!({"status": "public"})).await.refused(400, "venue_not_found");
        assert_eq!(details[0]["field"], "$.venue");
        assert_eq!(draft.now().await["status"], "stand_by");

        org.patch(&path, json!({"removed": false})).await.ok();
        draft.patch(json!({"status": "public"})).await;
        other.order(&draft, set.random(1)).await;
        draft.patch(json!({"status": "stand_by"})).await;
        org.delete(&path).await.refused(400, "venue_in_use");
        org.patch(&map.1, json!({"sectors": sectors(4)})).await.refused(400, "map_in_use");
    }
}
