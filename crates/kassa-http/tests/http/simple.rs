//! `/v1/services/simple/events`: what is shown of an event, and to whom.

use serde_json::{Value, json};

use crate::access::{Row, row};
use crate::client::{Client, ids, shape};
use crate::harness::{DAY_MS, EVENING, Event, NOTHING, OPEN_END, Org, Shop, text};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET /v1/services/simple/events", "", 401, [200, 200], [200, 200], 200),
    row("GET /v1/services/simple/events/{event}", "", 401, [404, 404], [200, 200], 200),
    row("GET /v1/services/simple/events/{hidden}", "", 401, [404, 404], [200, 200], 200),
];

pub(crate) const LIST: &str = "/v1/services/simple/events";

/// The path of an event.
pub(crate) fn path(event: &str) -> String {
    format!("{LIST}/{event}")
}

/// An accepted deal; its path.
pub(crate) async fn deal(org: &Client, event: &str, agent: &str, term: Value) -> String {
    let body = json!({"event": event, "subj": agent, "term": term});
    format!("deals/{}", text(&org.post("deals", body).await.ok()["id"]))
}

/// An organizer that says all of itself, its event that has all there is, and an agent of it.
async fn gala(shop: &Shop) -> (Org, Event, Org) {
    let (org, agent) = (shop.organizer("org@example.org").await, shop.organizer("agent@example.org").await);
    let about = json!({
        "desc": "A hall",
        "tags": ["hall"],
        "contact": {"address": "1 Long Street", "email": "hall@example.org", "phones": ["1"]},
        "legal": {"type": "ru/ltd", "bank": {"bik": "1"},
            "detail": {"name": "Hall Ltd", "inn": "7", "ogrn": "8", "address": "1 Long Street", "nds": false}},
    });
    org.patch(&org.path(), about).await.ok();
    let place = json!({"name": "Hall", "desc": "Large", "address": "1 Long Street", "city": 524_901,
        "point": {"type": "Point", "coordinates": [37.61, 55.75]}});
    let venue = org.post("venues", place).await.created();
    let cover = org.send("POST", "attachments", Some("image/png"), b"cover".to_vec()).await.ok();
    let event = json!({
        "title": {"text": "Gala", "desc": "An evening"}, "lifetime": EVENING, "status": "public", "age_rating": 12,
        "tags": ["ballet"], "venue": venue["id"], "media": {"cover": cover["id"]},
    });
    let event = org.event_with(event).await;
    let rules = json!([
        {"start": "2026-01-01T00:00:00Z", "finish": "2026-02-01T00:00:00Z", "price": 100},
        {"start": "2026-02-01T00:00:00Z", "finish": "2026-03-01T00:00:00Z", "price": 150},
    ]);
    event.set_with(json!({"name": "Parterre", "amount": 50, "desc": "Near", "pos": 1, "rules": rules})).await;
    let balcony = event.set_with(json!({"name": "Balcony", "amount": 10, "price": 50, "sector": "B"})).await;
    let gone = event.set(7, "1.00").await;
    org.delete(&gone.path).await.ok();
    org.order(&event, balcony.random(2)).await;
    deal(&org, &event.id, &agent.id, json!({"org": 93, "extra": 4})).await;
    (org, event, agent)
}

pub(crate) async fn an_event_is_shown_with_all_that_belongs_to_it(shop: Shop) {
    let (_, event, agent) = gala(&shop).await;
    let mut shown = agent.get(&path(&event.id)).await.ok();
    assert_eq!(agent.get(LIST).await.ok(), json!([shown]));
    for big in ["media", "venue", "sets", "org", "partner"] {
        shown[big] = json!("below");
    }
    // What the event says of itself is the same as everywhere.
    let itself = agent.get(&event.path).await.ok();
    for name in ["id", "title", "lifetime", "status", "tags", "map", "age_rating", "created_at", "updated_at"] {
        assert_eq!(shown.as_object_mut().unwrap().remove(name).as_ref(), itself.get(name), "{name}");
    }
    insta::assert_snapshot!(shape(&shown), @r#"
    {
      "allow_other_ps": false,
      "deal": {
        "agent": "4.00%",
        "extra": "4.0%",
        "media": [],
        "org": "93.00%",
        "pfc": false
      },
      "legal_detail": {
        "address": "1 Long Street",
        "inn": "7",
        "name": "Hall Ltd",
        "ogrn": "8"
      },
      "media": "below",
      "org": "below",
      "partner": "below",
      "sets": "below",
      "ticket_template": {
        "fan_cover_url": null,
        "name": null,
        "text_color": null
      },
      "tickets_amount": 60,
      "tickets_amount_vacant": 58,
      "venue": "below"
    }
    "#);
}

pub(crate) async fn its_venue_its_partners_and_its_picture_are_objects(shop: Shop) {
    let (org, event, agent) = gala(&shop).await;
    let shown = agent.get(&path(&event.id)).await.ok();
    let venue = &shown["venue"];
    let place = ["name", "desc", "address", "point"].map(|field| venue[field].clone());
    let point = json!({"type": "Point", "coordinates": [37.61, 55.75]});
    assert_eq!(place, [json!("Hall"), json!("Large"), json!("1 Long Street"), point]);
    let (city, country) = (&venue["city"], &venue["country"]);
    assert_eq!((&city["id"], &city["country"]), (&json!(524_901), &json!("RU")));
    assert_eq!((&city["name"]["default"], &city["timezone"]), (&json!("Moscow"), &json!("Europe/Moscow")));
    assert_eq!((&country["id"], &country["name"]["en"]), (&json!("RU"), &json!("Russia")));
    insta::assert_snapshot!(shape(&json!([shown["org"], shown["partner"]])), @r#"
    [
      {
        "contact": {
          "address": "1 Long Street",
          "email": "hall@example.org",
          "id": "[id]",
          "name": null,
          "phones": [
            "1"
          ],
          "www": null
        },
        "desc": "A hall",
        "id": "[id]",
        "media": {},
        "name": "Partner of org@example.org",
        "tags": [
          "hall"
        ]
      },
      {
        "contact": {
          "address": null,
          "email": null,
          "id": "[id]",
          "name": null,
          "phones": [],
          "www": null
        },
        "desc": null,
        "id": "[id]",
        "media": {},
        "name": "Partner of agent@example.org",
        "tags": []
      }
    ]
    "#);
    assert_eq!([&shown["org"]["id"], &shown["partner"]["id"]], [&json!(org.id), &json!(agent.id)]);
    assert_eq!(shown["media"], event.now().await["media"]);
    assert!(text(&shown["media"]["cover"]["url"]).starts_with("http://"));
}

pub(crate) async fn its_sets_have_prices_as_the_caller_sells(shop: Shop) {
    let (org, event, agent) = gala(&shop).await;
    let shown = agent.get(&path(&event.id)).await.ok();
    insta::assert_snapshot!(shape(&shown["sets"][1]), @r#"
    {
      "amount": 50,
      "amount_vacant": 50,
      "desc": "Near",
      "id": "[id]",
      "name": "Parterre",
      "pos": 1,
      "price": "104.00",
      "price_extra": "4.00",
      "price_org": "100.00",
      "rules": [
        {
          "cal": "BEGIN:VEVENT\r\nDTSTART;VALUE=DATE-TIME:20260101T000000Z\r\nDTEND;VALUE=DATE-TIME:20260201T000000Z\r\nEND:VEVENT\r\n",
          "current": true,
          "id": "[id]",
          "price": "104.00",
          "price_extra": "4.00",
          "price_org": "100.00"
        },
        {
          "cal": "BEGIN:VEVENT\r\nDTSTART;VALUE=DATE-TIME:20260201T000000Z\r\nDTEND;VALUE=DATE-TIME:20260301T000000Z\r\nEND:VEVENT\r\n",
          "current": false,
          "id": "[id]",
          "price": "156.00",
          "price_extra": "6.00",
          "price_org": "150.00"
        }
      ],
      "seats": null,
      "sector": null,
      "with_seats": false
    }
    "#);
    let names: Vec<&Value> = shown["sets"].as_array().unwrap().iter().map(|set| &set["name"]).collect();
    assert_eq!(names, ["Balcony", "Parterre"], "by position, without what is removed");
    assert_eq!((&shown["sets"][0]["sector"], &shown["sets"][0]["amount_vacant"]), (&json!("B"), &json!(8)));
    let own = org.get(&path(&event.id)).await.ok();
    let price = ["price", "price_org", "price_extra"].map(|price| own["sets"][1][price].clone());
    assert_eq!((&own["deal"], &own["partner"]["id"]), (&json!(null), &json!(org.id)));
    assert_eq!(price, [json!("100.00"), json!("100.00"), json!("0.00")]);
    shop.pass_ms(31 * DAY_MS);
    let later = agent.get(&path(&event.id)).await.ok();
    assert_eq!(
        (&later["sets"][1]["price"], &later["sets"][1]["rules"][1]["current"]),
        (&json!("156.00"), &json!(true))
    );
}

pub(crate) async fn terms_are_shown_as_they_split_the_price(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let cases = [
        (json!({"org": 90}), ["90.00%", "7.00%", "0.0%"]),
        (json!({"org": 93, "pfc": true, "extra": 10}), ["93.00%", "7.00%", "10.0%"]),
        (json!({"org": 98.5, "extra": 10}), ["98.50%", "-1.50%", "10.0%"]),
        (json!({"org": "80.00", "extra": "5"}), ["80.00", "null", "5.00"]),
    ];
    for (at, (term, shown)) in cases.into_iter().enumerate() {
        let agent = shop.organizer(&format!("agent{at}@example.org")).await;
        deal(&org, &event.id, &agent.id, term.clone()).await;
        let deal = &agent.get(&path(&event.id)).await.ok()["deal"];
        let shares = ["org", "agent", "extra"].map(|share| deal[share].as_str().unwrap_or("null").to_owned());
        assert_eq!(shares, shown, "{term}");
        assert_eq!(deal["pfc"], term["pfc"].as_bool().unwrap_or(false));
    }
}

pub(crate) async fn only_those_who_may_sell_an_event_have_it(shop: Shop) {
    let (org, agent) = (shop.organizer("org@example.org").await, shop.organizer("agent@example.org").await);
    let event = org.event("Concert").await;
    let proposed = agent.post("deals", json!({"event": event.id, "term": {"org": 90}})).await.ok();
    let has = async |client: &Client| {
        let list = client.get(LIST).await;
        let (total, list) = (list.total(), list.ok());
        assert_eq!(total, list.as_array().unwrap().len());
        match client.get(&path(&event.id)).await {
            answer if total == 1 => assert_eq!(json!([answer.ok()]), list),
            answer => assert_eq!(answer.refused(404, "not_found"), json!([])),
        }
        total == 1
    };
    assert!(has(&org).await && !has(&agent).await);
    let proposed = format!("deals/{}", text(&proposed["id"]));
    org.patch(&proposed, json!({"status": "accepted"})).await.ok();
    assert!(has(&agent).await);
    agent.patch(&proposed, json!({"status": "terminated"})).await.ok();
    assert!(!has(&agent).await);
    deal(&org, &event.id, &agent.id, json!({"org": 90})).await;
    event.patch(json!({"removed": true})).await;
    assert!(!has(&org).await && !has(&agent).await);
    for path in [LIST, &path(&event.id), &path("x"), &format!("{LIST}?price=x")] {
        shop.anonymous().get(path).await.refused(401, "credential_required");
    }
    for id in [NOTHING, "x"] {
        org.get(&path(id)).await.refused(404, "not_found");
    }
}

pub(crate) async fn a_user_sells_for_its_partners(shop: Shop) {
    let ann = shop.user("ann@example.org").await;
    assert_eq!(ann.get(LIST).await.total(), 0);
    let (hall, office) = (ann.partner("Hall").await, ann.partner("Office").await);
    let body = json!({"title": "Own", "status": "public", "lifetime": OPEN_END});
    let own = text(&ann.for_partner(&hall).post("events", body).await.ok()["id"]);
    let org = shop.organizer("org@example.org").await;
    shop.pass_ms(1);
    let other = org.event("Other").await;
    deal(&org, &other.id, &office, json!({"org": 90, "extra": 10})).await;
    other.set(1, "100.00").await;
    let all = ann.get(LIST).await.ok();
    assert_eq!(ids(&all), [other.id.as_str(), &own]);
    assert_eq!([&all[0]["partner"]["id"], &all[1]["partner"]["id"]], [&json!(office), &json!(hall)]);
    assert_eq!([&all[0]["deal"]["extra"], &all[1]["deal"]], [&json!("10.0%"), &json!(null)]);
    assert_eq!(all[0]["sets"][0]["price"], "110.00");
    assert_eq!(ids(&ann.for_partner(&hall).get(LIST).await.ok()), [own.as_str()]);
    ann.for_partner(&hall).get(&path(&other.id)).await.refused(404, "not_found");
    // Who organizes an event sells it without the deal of another of its partners.
    deal(&ann.for_partner(&hall), &own, &office, json!({"org": 90})).await;
    assert_eq!(ann.get(&path(&own)).await.ok()["deal"], json!(null));
    assert_eq!(ann.for_partner(&office).get(&path(&own)).await.ok()["deal"]["org"], "90.00%");
}

#[tokio::test]
async fn seats_and_the_hall_map_are_shown() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let venue = text(&org.post("venues", json!({"name": "Hall"})).await.created()["id"]);
    let stalls =
        json!([{"row": 10, "from": 1, "to": 4}, {"row": "A", "from": 1, "to": 2}, {"row": 2, "from": 5, "to": 9}]);
    let sectors = json!([{"id": "L", "name": "Left", "desc": "Low", "rows": stalls}, {"id": "F", "name": "Floor"}]);
    let map = org.post(&format!("venues/{venue}/maps"), json!({"name": "Round", "sectors": sectors})).await.created();
    let event = json!({"title": "Gala", "status": "public", "lifetime": OPEN_END, "venue": venue, "map": map["id"]});
    let event = org.event_with(event).await;
    let seats = json!({"2": [[5, 6], [8, 9]], "10": [[1, 4]]});
    event.set_with(json!({"name": "Chairs", "sector": "L", "seats": seats, "price": "10.00"})).await;
    event.set_with(json!({"name": "Standing", "sector": "F", "amount": 3, "price": "5.00"})).await;

    let shown = org.get(&path(&event.id)).await.ok();
    assert_eq!(org.get(LIST).await.ok(), json!([shown]));
    let shown_of_sets =
        ["with_seats", "seats", "sector"].map(|field| [&shown["sets"][0][field], &shown["sets"][1][field]]);
    assert_eq!(shown_of_sets, [[&json!(true), &json!(false)], [&seats, &json!(null)], [&json!("L"), &json!("F")]]);
    insta::assert_snapshot!(shape(&shown["map"]["sectors"]), @r#"
    [
      {
        "desc": "Low",
        "id": "L",
        "name": "Left",
        "seats": {
          "10": [
            [
              1,
              4
            ]
          ],
          "2": [
            [
              5,
              9
            ]
          ],
          "A": [
            [
              1,
              2
            ]
          ]
        },
        "type": "chairs",
        "with_seats": true
      },
      {
        "desc": null,
        "id": "F",
        "name": "Floor",
        "seats": null,
        "type": "chairs",
        "with_seats": false
      }
    ]
    "#);
    let svg = &shown["map"]["svg"];
    assert_eq!((&shown["map"]["id"], &shown["map"]["name"]), (&map["id"], &json!("Round")));
    assert_eq!((&svg["mapz"], &svg["source"]), (&json!(null), &json!(null)));
    let url = text(&svg["map"]);
    let drawing = shop.anonymous().get(url.split_once("/v1/resources/").unwrap().1).await;
    assert_eq!((drawing.status, drawing.header("content-type")), (200, "image/svg+xml"), "{url}");
    let chosen =
        format!("{}?fields-schema=map%7Bsectors%7Bname,seats%7D,svg%7Bmap%7D%7D,sets%7Bseats%7D", path(&event.id));
    assert_eq!(org.get(&chosen).await.ok()["map"]["sectors"][1], json!({"name": "Floor", "seats": null}));
}

#[tokio::test]
async fn every_field_can_be_chosen() {
    let shop = Shop::open().await;
    let (_, event, agent) = gala(&shop).await;
    let whole = agent.get(&path(&event.id)).await.ok();
    let fields: Vec<&str> = whole.as_object().unwrap().keys().map(String::as_str).collect();
    let schema = fields.join(",");
    assert_eq!(agent.get(&format!("{}?fields-schema={schema}", path(&event.id))).await.ok(), whole);
    let schema = "title{text},deal{org,pfc},media{cover{md5hash}},org{name,contact{phones}},partner{id},\
        sets{name,rules{price}},ticket_template{name},venue{city{name{ru},country{id}},country{name{en}},point{type}},\
        legal_detail{inn}";
    let encoded = schema.replace('{', "%7B").replace('}', "%7D");
    let chosen = agent.get(&format!("{LIST}?fields-schema={encoded}")).await;
    assert_eq!(chosen.total(), 1);
    let prices = |prices: &[&str]| prices.iter().map(|price| json!({"price": price})).collect::<Value>();
    assert_eq!(
        chosen.ok(),
        json!([{
            "title": {"text": "Gala"},
            "deal": {"org": "93.00%", "pfc": false},
            "media": {"cover": {"md5hash": whole["media"]["cover"]["md5hash"]}},
            "org": {"name": "Partner of org@example.org", "contact": {"phones": ["1"]}},
            "partner": {"id": agent.id},
            "sets": [
                {"name": "Balcony", "rules": prices(&["52.00"])},
                {"name": "Parterre", "rules": prices(&["104.00", "156.00"])},
            ],
            "ticket_template": {"name": null},
            "venue": {"city": {"name": {"ru": whole["venue"]["city"]["name"]["ru"]}, "country": {"id": "RU"}},
                "country": {"name": {"en": "Russia"}}, "point": {"type": "Point"}},
            "legal_detail": {"inn": "7"},
        }])
    );
    for schema in ["nonsense", "org%7Blegal%7D", "sets%7Bevent%7D", "id%7Bx%7D"] {
        agent.get(&format!("{LIST}?fields-schema={schema}")).await.refused(400, "bad_fields_schema");
    }
}

#[tokio::test]
async fn what_is_not_said_is_null() {
    let shop = Shop::open().await;
    let (org, agent) = (shop.organizer("org@example.org").await, shop.organizer("agent@example.org").await);
    let event = org.event_with(json!({"title": "Bare", "status": "public", "lifetime": OPEN_END})).await;
    event.set_with(json!({"name": "Free"})).await;
    deal(&org, &event.id, &agent.id, json!({"org": 90})).await;
    let bare = org.get(&path(&event.id)).await.ok();
    for field in ["venue", "legal_detail", "deal", "map"] {
        assert_eq!(bare[field], json!(null), "{field}");
    }
    assert_eq!((&bare["media"], &bare["tags"]), (&json!({}), &json!([])));
    let legal = json!({"legal": {"detail": {"name": "A", "inn": 7, "ogrnip": "9"}}});
    org.patch(&org.path(), legal).await.ok();
    let detail = json!({"name": "A", "inn": null, "ogrnip": "9", "address": null});
    assert_eq!(agent.get(&path(&event.id)).await.ok()["legal_detail"], detail);
    // Nobody sells the events of a removed partner.
    org.patch(&org.path(), json!({"removed": true})).await.ok();
    agent.get(&path(&event.id)).await.refused(404, "not_found");
    assert_eq!(agent.get(LIST).await.ok(), json!([]));
}
