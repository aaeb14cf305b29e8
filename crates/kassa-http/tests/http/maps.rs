//! `/v1/resources/venues/{venue}/maps`: hall maps, their drawings, and events that sell by them.

use axum::body::Body;
use axum::http::Request;
use kassa_http::PeerAddress;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::access::{Row, row};
use crate::client::{ids, shape};
use crate::harness::{EVENING, NOTHING, Org, Shop, TO_END_OF_EVENING_MS, text};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET venues/{venue}/maps", "", 200, [200, 200], [200, 200], 200),
    row("GET venues/{closed}/maps", "", 404, [404, 404], [200, 200], 200),
    row("POST venues/{venue}/maps", r#"{"name": "X"}"#, 401, [403, 403], [201, 201], 201),
    row("POST venues/{closed}/maps", r#"{"name": "X"}"#, 401, [404, 404], [201, 201], 201),
    row("GET venues/{venue}/maps/{map}", "", 200, [200, 200], [200, 200], 200),
    row("GET venues/{closed}/maps/{plan}", "", 404, [404, 404], [200, 200], 200),
    row("GET venues/{venue}/maps/{map}.svg", "", 200, [200, 200], [200, 200], 200),
    row("GET venues/{closed}/maps/{plan}.svg", "", 404, [404, 404], [200, 200], 200),
    row("PATCH venues/{venue}/maps/{map}", "{}", 401, [403, 403], [200, 200], 200),
    row("PATCH venues/{closed}/maps/{plan}", "{}", 401, [404, 404], [200, 200], 200),
];

/// A venue of its own with this map: the paths of both.
async fn hall(org: &Org, map: Value) -> (String, String) {
    let venue = text(&org.post("venues", json!({"name": "Opera"})).await.created()["id"]);
    let map = org.post(&format!("venues/{venue}/maps"), map).await.created();
    let path = format!("venues/{venue}/maps/{}", text(&map["id"]));
    (venue, path)
}

fn stalls() -> Value {
    json!({"name": "Great hall", "sectors": [
        {"id": "stalls", "name": "Stalls", "rows": [
            {"row": 1, "from": 1, "to": 2, "x": 10, "y": 5.255, "dx": 1.5, "dy": 0, "rank": 2},
            {"row": "2A", "from": 3, "to": 3},
        ]},
        {"name": "Standing"},
    ]})
}

#[tokio::test]
async fn a_map_is_shown_whole() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let (venue, path) = hall(&org, stalls()).await;
    let map = shop.anonymous().get(&path).await.ok();
    insta::assert_snapshot!(shape(&map["sectors"]), @r#"
    [
      {
        "desc": null,
        "id": "stalls",
        "name": "Stalls",
        "rows": [
          {
            "dx": 1.5,
            "dy": 0.0,
            "from": 1,
            "rank": 2,
            "row": 1,
            "to": 2,
            "x": 10.0,
            "y": 5.26
          },
          {
            "dx": 20.0,
            "dy": 0.0,
            "from": 3,
            "rank": null,
            "row": "2A",
            "to": 3,
            "x": 0.0,
            "y": 25.26
          }
        ],
        "with_seats": true
      },
      {
        "desc": null,
        "id": "[id]",
        "name": "Standing",
        "rows": [],
        "with_seats": false
      }
    ]
    "#);
    assert_eq!((&map["venue"], &map["name"]), (&json!(venue), &json!("Great hall")));
    // What is shown can be sent back.
    assert_eq!(org.patch(&path, map.clone()).await.ok()["sectors"], map["sectors"]);
}

#[tokio::test]
async fn the_maps_of_a_venue_are_listed() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let (venue, path) = hall(&org, stalls()).await;
    let other = text(&org.post(&format!("venues/{venue}/maps"), json!({"name": "Chamber"})).await.created()["id"]);
    hall(&org, json!({"name": "Elsewhere"})).await;
    let list = org.get(&format!("venues/{venue}/maps")).await;
    assert_eq!(list.header("total"), "2");
    let (first, list) = (path.rsplit('/').next().unwrap(), list.ok());
    assert_eq!(ids(&list), [other.as_str(), first]);
    assert_eq!(ids(&org.get(&format!("venues/{venue}/maps?ids={first}")).await.ok()), [first]);
    assert_eq!(org.get(&format!("venues/{NOTHING}/maps")).await.status, 404);
}

#[tokio::test]
async fn a_drawing_has_every_seat_and_no_script() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let sharp = "\"/><script>alert(1)</script>&";
    let map = json!({"name": sharp, "sectors": [{"id": sharp, "name": sharp, "rows": [
        {"row": "<b>\"&", "from": 1, "to": 3, "x": 0, "y": 0, "dx": -20, "dy": 10},
    ]}]});
    let (_, path) = hall(&org, map).await;
    let drawing = shop.anonymous().get(&format!("{path}.svg")).await;
    assert_eq!((drawing.status, drawing.header("content-type")), (200, "image/svg+xml"));
    assert_eq!(drawing.header("content-security-policy"), "default-src 'none'; sandbox");
    assert_eq!(drawing.header("x-content-type-options"), "nosniff");
    let svg = String::from_utf8(drawing.bytes).unwrap();
    assert!(svg.starts_with(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="-52 -12 64 44""#), "{svg}");
    let last = r#"<circle cx="-40" cy="20" r="8" data-row="&lt;b&gt;&quot;&amp;" data-number="3"/>"#;
    assert!(svg.contains(last) && !svg.contains("<script"), "{svg}");
    assert_eq!(svg.matches("<circle").count(), 3);
    assert_eq!(shop.anonymous().get(&path.replace("/maps/", "/maps/x")).await.status, 404);
}

/// A hall of one sector with so many rows of 1000 seats, and one row of a few more.
fn large_hall(rows: u16, more: u16) -> Value {
    let row = |row: u16| json!({"row": row, "from": 1, "to": if row == rows { more } else { 1_000 }});
    json!({"name": "Stadium", "sectors": [{"name": "All", "rows": (0..=rows).map(row).collect::<Vec<Value>>()}]})
}

#[tokio::test]
async fn a_large_map_is_drawn_in_pieces_and_a_larger_one_is_not() {
    let shop = Shop::sqlite().await;
    let org = shop.organizer("org@example.org").await;
    let (_, path) = hall(&org, large_hall(20, 7)).await;
    let here = shop.anonymous().at_address("192.0.2.1");
    for _ in 0..2 {
        let drawing = here.get(&format!("{path}.svg")).await;
        assert_eq!((drawing.status, drawing.header("content-length")), (200, ""));
        let svg = String::from_utf8(drawing.bytes).unwrap();
        assert_eq!(svg.matches("<circle ").count(), 20_007);
        assert!(svg.ends_with("data-row=\"20\" data-number=\"7\"/></g></svg>\n"));
    }
    let (_, path) = hall(&org, large_hall(100, 1)).await;
    here.get(&format!("{path}.svg")).await.refused(400, "map_too_large");
    assert_eq!(here.get(&path).await.ok()["sectors"][0]["rows"].as_array().unwrap().len(), 101);
}

#[tokio::test]
async fn large_drawings_that_nobody_takes_are_few_for_each_client() {
    let shop = Shop::sqlite().await;
    let org = shop.organizer("org@example.org").await;
    let (_, path) = hall(&org, large_hall(20, 7)).await;
    let open = async |address: &str| {
        let mut request = Request::builder().uri(format!("/v1/resources/{path}.svg")).body(Body::empty()).unwrap();
        request.extensions_mut().insert(PeerAddress(address.parse().unwrap()));
        shop.service.clone().oneshot(request).await.unwrap()
    };
    let mut untaken = Vec::new();
    for _ in 0..4 {
        untaken.push(open("192.0.2.1").await);
    }
    let refused = open("192.0.2.1").await;
    assert_eq!((refused.status().as_u16(), &refused.headers()["retry-after"]), (503, &"1".parse().unwrap()));
    assert_eq!(open("192.0.2.2").await.status(), 200);
    drop(untaken);
    while open("192.0.2.1").await.status() != 200 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_drawing_is_kept_until_its_map_changes() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let (_, path) = hall(&org, stalls()).await;
    let drawing = async || String::from_utf8(shop.anonymous().get(&format!("{path}.svg")).await.bytes).unwrap();
    let first = drawing().await;
    assert_eq!(drawing().await, first);
    org.patch(&path, json!({"name": "Small hall"})).await.ok();
    assert_eq!(drawing().await, first.replace("Great hall", "Small hall"));
}

#[tokio::test]
async fn bad_maps_are_refused() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let (venue, path) = hall(&org, stalls()).await;
    let seats = |rows: Value| json!({"sectors": [{"id": "A", "name": "A", "rows": rows}]});
    let row = |from: u32, to: u32| json!({"row": "1", "from": from, "to": to});
    let rows = [
        (json!({"sectors": null}), "invalid_fields"),
        (json!({"sectors": [{"id": "A"}]}), "invalid_fields"),
        (seats(json!([{"row": "", "from": 1, "to": 2}])), "invalid_fields"),
        (seats(json!([{"row": "1", "from": 0, "to": 2}])), "invalid_fields"),
        (seats(json!([{"row": "1", "from": 1, "to": 10_000}])), "invalid_fields"),
        (seats(json!([{"row": "1", "from": 1, "to": 1, "x": "left"}])), "invalid_fields"),
        (seats(json!([{"row": "1", "from": 1, "to": 1, "x": 1e9}])), "invalid_fields"),
        (seats(json!([row(3, 2)])), "invalid_fields"),
        (seats(json!([row(1, 3), row(3, 4)])), "seats_twice"),
        (json!({"sectors": [{"id": "A", "name": "A"}, {"id": "A", "name": "B"}]}), "sector_twice"),
    ];
    let before = org.get(&path).await.ok();
    for (body, code) in rows {
        let refused = org.patch(&path, body.clone()).await;
        assert_eq!((refused.status, refused.json()["code"].clone()), (400, json!(code)), "{body}");
    }
    assert_eq!(org.get(&path).await.ok(), before);
    let nameless = org.post(&format!("venues/{venue}/maps"), json!({"sectors": []})).await;
    assert_eq!(nameless.status, 400);
}

#[tokio::test]
async fn an_event_sells_by_a_map_of_its_venue() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let (venue, path) = hall(&org, stalls()).await;
    let (elsewhere, _) = hall(&org, stalls()).await;
    let map = path.rsplit('/').next().unwrap();
    let body = json!({"title": "X", "venue": elsewhere, "map": map});
    assert_eq!(org.post("events", body).await.json()["code"], "map_not_found");
    let event = org.post("events", json!({"title": "X", "venue": venue, "map": map})).await.ok();
    let event = format!("events/{}", text(&event["id"]));
    let expanded = org.get(&format!("{event}?fields-schema=map{{name,sectors{{id}}}}")).await.ok();
    assert_eq!(
        (&expanded["map"]["name"], &expanded["map"]["sectors"][0]["id"]),
        (&json!("Great hall"), &json!("stalls"))
    );

    let set = |sector: &str| json!({"name": "S", "amount": 1, "sector": sector});
    assert_eq!(org.post(&format!("{event}/sets"), set("balcony")).await.json()["code"], "sector_not_found");
    let set = org.post(&format!("{event}/sets"), set("stalls")).await.created();
    let set = format!("{event}/sets/{}", text(&set["id"]));
    assert_eq!(org.patch(&set, json!({"sector": "balcony"})).await.json()["code"], "sector_not_found");
    assert_eq!(org.patch(&event, json!({"venue": elsewhere})).await.json()["code"], "map_not_found");

    let chamber = org.post(&format!("venues/{venue}/maps"), json!({"name": "Chamber"})).await.created();
    assert_eq!(org.patch(&event, json!({"map": chamber["id"]})).await.json()["code"], "sector_not_found");
    let free = org.patch(&event, json!({"map": null, "venue": elsewhere})).await.ok();
    assert_eq!((&free["map"], &free["venue"]), (&Value::Null, &json!(elsewhere)));
    org.patch(&set, json!({"sector": "balcony"})).await.ok();
}

#[tokio::test]
async fn chairs_are_on_the_map_of_their_event() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let (venue, path) = hall(&org, stalls()).await;
    let map = path.rsplit('/').next().unwrap();
    let event = org.event_with(json!({"title": "X", "venue": venue, "map": map})).await;
    let sets = format!("{}/sets", event.path);
    let set = |seats: Value| json!({"name": "S", "sector": "stalls", "seats": seats});
    org.post(&sets, set(json!({"1": [[1, 3]]}))).await.refused(400, "seats_not_on_map");
    let made = event.set_with(set(json!({"1": [[1, 2]], "2A": [[3, 3]]}))).await;
    org.patch(&made.path, json!({"seats": {"3": [[1, 1]]}})).await.refused(400, "seats_not_on_map");
    made.patch(json!({"seats": {"1": [[1, 2]]}})).await;
    let chamber = json!({"name": "Chamber", "sectors": [{"id": "stalls", "name": "S", "rows": [{"row": 1, "from": 1, "to": 1}]}]});
    let chamber = org.post(&format!("venues/{venue}/maps"), chamber).await.created();
    org.patch(&event.path, json!({"map": chamber["id"]})).await.refused(400, "seats_not_on_map");
}

#[tokio::test]
async fn the_rank_of_a_row_says_which_seats_go_first() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let rows = |ranks: [Value; 3]| {
        let rows = (1..).zip(ranks).map(|(row, rank)| json!({"row": row, "from": 1, "to": 4, "rank": rank}));
        json!({"name": "Great hall", "sectors": [{"id": "stalls", "name": "S", "rows": rows.collect::<Vec<_>>()}]})
    };
    let (venue, path) = hall(&org, rows([json!(null), json!(2), json!(1)])).await;
    let map = path.rsplit('/').next().unwrap();
    let public = json!({"title": "X", "venue": venue, "map": map, "lifetime": EVENING, "status": "public"});
    let event = org.event_with(public).await;
    let seats = json!({"1": [[1, 4]], "2": [[1, 4]], "3": [[1, 4]]});
    let set = event.set_with(json!({"name": "S", "price": 1, "sector": "stalls", "seats": seats})).await;
    let next = async || {
        let order = org.order(&event, set.random(2)).await;
        let tickets = org.get(&format!("{}/tickets", order.path)).await.ok();
        tickets[0]["seat"]["row"].as_u64().unwrap()
    };
    assert_eq!((next().await, next().await, next().await), (3, 3, 2));
    org.patch(&path, rows([json!(0), json!(2), json!(1)])).await.ok();
    assert_eq!(next().await, 2, "as it was when the seats were written");
    set.patch(json!({"seats": seats})).await;
    assert_eq!(next().await, 1);
}

#[tokio::test]
async fn a_map_that_sells_keeps_its_seats() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let (venue, path) = hall(&org, stalls()).await;
    let map = path.rsplit('/').next().unwrap();
    let event = json!({"title": "X", "venue": venue, "map": map, "lifetime": EVENING, "status": "public"});
    org.post("events", event).await.ok();
    let moved = json!({"sectors": [{"id": "stalls", "name": "Parterre", "rows": [
        {"row": "1", "from": 1, "to": 1}, {"row": 1, "from": 2, "to": 9}, {"row": "2A", "from": 1, "to": 5},
    ]}, {"id": org.get(&path).await.ok()["sectors"][1]["id"], "name": "Standing"}]});
    org.patch(&path, moved).await.ok();
    for smaller in [json!([]), json!([{"id": "stalls", "name": "S", "rows": [{"row": 1, "from": 1, "to": 9}]}])] {
        let refused = org.patch(&path, json!({"sectors": smaller})).await;
        assert_eq!((refused.status, refused.json()["code"].clone()), (400, json!("map_in_use")));
    }
    shop.pass_ms(TO_END_OF_EVENING_MS);
    org.patch(&path, json!({"sectors": []})).await.ok();
}
