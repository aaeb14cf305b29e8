//! `GET /v1/services/simple/events`: what the list shows, in which order, and how it is cut.

use kassa_domain::event::{CreateEvent, EventDetailsPatch, EventId, EventPatch, EventStatus};
use kassa_domain::{Actor, Patch, Timestamp, Window};
use serde_json::{Value, json};

use crate::client::{Client, ids};
use crate::harness::{EVENING, Event, MINUTE_MS, NOTHING, OPEN_END, Org, Shop, TO_END_OF_EVENING_MS, text};
use crate::simple::{LIST, deal, path};

/// What the list shows for a query, as titles.
async fn titles(client: &Client, query: &str) -> Vec<String> {
    let answer = client.get(&format!("{LIST}?{query}")).await;
    let list = answer.ok();
    list.as_array().unwrap().iter().map(|event| text(&event["title"]["text"])).collect()
}

fn vevent(start: &str, finish: &str) -> String {
    format!("BEGIN:VEVENT\r\nDTSTART;VALUE=DATE-TIME:{start}\r\nDTEND;VALUE=DATE-TIME:{finish}\r\nEND:VEVENT\r\n")
}

pub(crate) async fn the_list_shows_what_is_on_sale_unless_it_is_asked_for_more(shop: Shop) {
    let (org, agent) = (shop.organizer("org@example.org").await, shop.organizer("agent@example.org").await);
    for (title, status) in
        [("public", "public"), ("stand_by", "stand_by"), ("canceled", "canceled"), ("over", "public")]
    {
        let lifetime = if title == "over" { EVENING.to_owned() } else { EVENING.replace("2026", "2027") };
        let event = org.event_with(json!({"title": title, "lifetime": lifetime, "status": "public"})).await;
        deal(&org, &event.id, &agent.id, json!({"org": 90})).await;
        event.patch(json!({"status": status})).await;
    }
    shop.pass_ms(TO_END_OF_EVENING_MS);
    for client in [&org, &agent] {
        assert_eq!(titles(client, "").await, ["public"]);
        assert_eq!(titles(client, "view_limit=salespoint").await, ["public"]);
        assert_eq!(titles(client, "status=finished,public").await, ["over", "public"]);
        assert_eq!(titles(client, "status=stand_by&status=canceled").await, ["canceled", "stand_by"]);
        assert_eq!(titles(client, "status=").await, ["public"]);
    }
}

/// Events of two organizers that differ in what lists are filtered by, newest first: `late`, `cheap`,
/// `plain`; and who sells all of them.
async fn season(shop: &Shop) -> (Org, Org, [Event; 3]) {
    let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
    let agent = shop.organizer("agent@example.org").await;
    let plain = other
        .event_with(json!({"title": "plain", "status": "public",
        "lifetime": vevent("20260701T180000Z", "20260701T190000Z")}))
        .await;
    shop.pass_ms(MINUTE_MS);
    let venue = |city: u32| json!({"name": "Hall", "city": city});
    let [moscow, berlin] = [524_901, 2_950_159].map(venue);
    let moscow = org.post("venues", moscow).await.created()["id"].clone();
    let berlin = org.post("venues", berlin).await.created()["id"].clone();
    let cheap = json!({"title": "cheap", "status": "public", "tags": ["Rock", "jazz"], "venue": moscow,
        "lifetime": vevent("20260601T180000Z", "20260603T180000Z")});
    let cheap = org.event_with(cheap).await;
    shop.pass_ms(MINUTE_MS);
    let late = json!({"title": "late", "status": "public", "tags": ["rock"], "venue": berlin,
        "lifetime": vevent("20260602T180000Z", "20260602T200000Z")});
    let late = org.event_with(late).await;
    shop.pass_ms(MINUTE_MS);
    for event in [&late, &cheap] {
        deal(&org, &event.id, &agent.id, json!({"org": 90, "extra": 10})).await;
    }
    deal(&other, &plain.id, &agent.id, json!({"org": 80, "extra": 50})).await;
    late.set(1, "130.00").await;
    cheap.set(1, "200.00").await;
    cheap.set(1, "100.00").await;
    (org, agent, [late, cheap, plain])
}

pub(crate) async fn the_list_is_filtered(shop: Shop) {
    let (org, agent, [late, cheap, plain]) = season(&shop).await;
    let (moscow, berlin) = (text(&cheap.now().await["venue"]), text(&late.now().await["venue"]));
    let other = text(&agent.get(&path(&plain.id)).await.ok()["org"]["id"]);
    plain.patch(json!({"age_rating": 6})).await;
    let cases: [(String, &[&str]); 31] = [
        (format!("ids={},{},{NOTHING}", late.id, plain.id), &["late", "plain"]),
        ("ids=".to_owned(), &["late", "cheap", "plain"]),
        (format!("org={}", org.id), &["late", "cheap"]),
        (format!("org={},{other}", org.id), &["late", "cheap", "plain"]),
        ("tags=rock".to_owned(), &["late"]),
        ("tags=jazz,rock".to_owned(), &["late", "cheap"]),
        ("tags=roc".to_owned(), &[]),
        (format!("venue={moscow}"), &["cheap"]),
        (format!("venue={moscow},{berlin}"), &["late", "cheap"]),
        ("country=de".to_owned(), &["late"]),
        ("country=RU&country=De".to_owned(), &["late", "cheap"]),
        ("city=524901".to_owned(), &["cheap"]),
        ("city=524901&country=DE".to_owned(), &[]),
        ("lifetime=2026-06-02T20:00:00Z,2026-06-02T23:00:00Z".to_owned(), &["cheap"]),
        ("lifetime__range=2026-06-02T19:59:59Z,2026-06-02T23:00:00Z".to_owned(), &["late", "cheap"]),
        ("lifetime__range=2026-05-01%2000:00:00,2026-06-01%2017:59:59".to_owned(), &[]),
        ("lifetime__range=2026-05-01T00:00:00,2026-06-01T18:00:00".to_owned(), &["cheap"]),
        ("price=0,110".to_owned(), &["cheap"]),
        ("price__range=110,143.00".to_owned(), &["late", "cheap"]),
        ("price__range=110.01,142.99".to_owned(), &[]),
        ("created_at__since=2026-01-01T00:01:00Z".to_owned(), &["late", "cheap"]),
        ("created_at__since=2026-01-01T00:01:00.001Z".to_owned(), &["late"]),
        ("updated_at__since=2026-01-01T00:02:00Z".to_owned(), &["late", "plain"]),
        ("updated_at__gt=2026-01-01T00:02:00Z".to_owned(), &["plain"]),
        ("updated_at__gt=2026-01-01T00:03:00Z".to_owned(), &[]),
        ("view_limit=showroom,salespoint".to_owned(), &["late", "cheap", "plain"]),
        ("limit=1&offset=1".to_owned(), &["cheap"]),
        ("offset=2".to_owned(), &["plain"]),
        ("page=2&page_size=2".to_owned(), &["plain"]),
        ("page-size=2".to_owned(), &["late", "cheap"]),
        ("page=2".to_owned(), &[]),
    ];
    for (query, expected) in cases {
        assert_eq!(titles(&agent, &query).await, expected, "{query}");
    }
    assert_eq!(agent.get(&format!("{LIST}?page=2&page_size=2")).await.total(), 3);
    assert_eq!(agent.get(&format!("{LIST}?price=0,110")).await.total(), 1);
    // The organizer sells without an extra.
    assert_eq!(titles(&org, "price=110,143").await, ["late"]);
}

pub(crate) async fn the_list_is_sorted(shop: Shop) {
    let (org, agent, [_, _, plain]) = season(&shop).await;
    let cases: [(&str, &[&str]); 10] = [
        ("start", &["cheap", "late", "plain"]),
        ("-start", &["plain", "late", "cheap"]),
        ("end", &["late", "cheap", "plain"]),
        ("-end", &["plain", "cheap", "late"]),
        ("price", &["cheap", "late", "plain"]),
        ("-price,start", &["late", "cheap", "plain"]),
        ("", &["late", "cheap", "plain"]),
        ("-price&limit=1&offset=1", &["cheap"]),
        ("start&page=2&page_size=2", &["plain"]),
        ("start&price=120,1000", &["late"]),
    ];
    for (sort, expected) in cases {
        assert_eq!(titles(&agent, &format!("sort={sort}")).await, expected, "{sort}");
    }
    assert_eq!(agent.get(&format!("{LIST}?sort=price&page_size=2")).await.total(), 3);
    // An extra of a half makes the cheapest the dearest.
    plain.set(1, "99.00").await;
    assert_eq!(titles(&agent, "sort=price").await, ["cheap", "late", "plain"]);
    let body = json!({"title": "same", "status": "public", "lifetime": vevent("20260602T180000Z", "20260602T190000Z")});
    let same = org.event_with(body).await;
    same.set(1, "130.00").await;
    assert_eq!(titles(&org, "sort=price,-end").await, ["cheap", "late", "same"]);
    assert_eq!(titles(&org, "sort=price,end").await, ["cheap", "same", "late"]);
    assert_eq!(titles(&org, "sort=-price").await, ["same", "late", "cheap"], "newest first");
}

#[tokio::test]
async fn what_is_asked_wrong_is_named() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    for name in [
        "ids",
        "org",
        "venue",
        "country",
        "city",
        "status",
        "lifetime__range",
        "lifetime",
        "price__range",
        "price",
        "created_at__since",
        "updated_at__since",
        "updated_at__gt",
        "page",
        "page_size",
        "sort",
        "view_limit",
    ] {
        let details = org.get(&format!("{LIST}?{name}=%C3%A9")).await.refused(400, "invalid_fields");
        let named: Vec<&Value> = details.as_array().unwrap().iter().map(|detail| &detail["field"]).collect();
        assert_eq!(named, [name]);
    }
    for (name, value) in [
        ("price", "1"),
        ("price", "1,2,3"),
        ("price", "2,1"),
        ("price", "-1,2"),
        ("price__range", "1,1000000000.01"),
        ("lifetime", "2026-01-01T00:00:00Z"),
        ("lifetime", "2026-01-02T00:00:00Z,2026-01-01T00:00:00Z"),
        ("created_at__since", "2026-01-01"),
        ("tags", "a%0Ab"),
        ("page", "0"),
    ] {
        let details = org.get(&format!("{LIST}?{name}={value}")).await.refused(400, "invalid_fields");
        assert_eq!(details[0]["field"], name, "{value}");
    }
    let tags = vec!["a"; 101].join(",");
    org.get(&format!("{LIST}?tags={tags}")).await.refused(400, "invalid_fields");
    assert_eq!(titles(&org, "price=&lifetime__range=&country=&sort=&unknown=1").await, [""; 0]);
}

/// Makes events straight in the engine: many are too many for requests.
async fn many(shop: &Shop, org: &Org, count: usize) {
    let (id, actor) = (org.id.parse().unwrap(), Actor::Partner(org.id.parse().unwrap()));
    for _ in 0..count {
        let patch = EventPatch {
            details: EventDetailsPatch { title: Patch::Set("X".to_owned()), ..EventDetailsPatch::default() },
            status: Patch::Set(EventStatus::Public),
            lifetime: Patch::Set(Window { start: Timestamp::from_ms(0), finish: None }),
            ..EventPatch::default()
        };
        shop.engine.execute(&actor, CreateEvent { organizer: id, patch }, |_, _| ()).await.unwrap();
    }
}

pub(crate) async fn the_whole_list_is_streamed(shop: Shop) {
    let org = shop.organizer("org@example.org").await;
    assert_eq!(org.get(LIST).await.ok(), json!([]));
    many(&shop, &org, 1_203).await;
    let whole = org.get(LIST).await;
    assert_eq!(whole.total(), 1_203);
    let whole = ids(&whole.ok());
    assert_eq!(whole.len(), 1_203);
    let keys: Vec<EventId> = whole.iter().map(|id| id.parse().unwrap()).collect();
    assert!(keys.windows(2).all(|pair| pair[0] > pair[1]), "newest first, each once");
    for (query, from, to) in [
        ("page=2&page_size=300", 300, 600),
        ("page_size=5000", 0, 1_000),
        ("page=2", 1_000, 1_203),
        ("offset=700", 700, 1_203),
        ("limit=0", 0, 0),
        ("sort=start", 0, 1_203),
        ("sort=-end&limit=501&offset=3", 3, 504),
    ] {
        let part = org.get(&format!("{LIST}?{query}")).await;
        assert_eq!(part.total(), 1_203);
        assert_eq!(ids(&part.ok()), whole[from..to], "{query}");
    }
}

#[tokio::test]
async fn events_that_sell_by_hall_maps_are_listed_each_once() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let venue = text(&org.post("venues", json!({"name": "Hall"})).await.created()["id"]);
    let map = text(&org.post(&format!("venues/{venue}/maps"), json!({"name": "Round"})).await.created()["id"]);
    let mut made = Vec::new();
    for at in 0..30 {
        let with_map = at % 3 > 0;
        let event = json!({"title": "X", "status": "public", "lifetime": OPEN_END, "venue": venue, "map": with_map.then_some(&map)});
        made.push((org.event_with(event).await.id, with_map));
    }
    made.reverse();
    let list = org.get(LIST).await.ok();
    let shown = list.as_array().unwrap().iter().map(|event| (text(&event["id"]), event["map"]["id"] == *map));
    assert_eq!(shown.collect::<Vec<_>>(), made);
}

#[tokio::test]
async fn a_list_of_too_many_events_is_not_sorted() {
    let shop = Shop::memory().await;
    let org = shop.organizer("org@example.org").await;
    many(&shop, &org, 10_000).await;
    let first = |query: &str| format!("{LIST}?limit=1&{query}");
    for query in ["sort=start", "sort=-price", "price=0,1"] {
        org.get(&first(query)).await.ok();
    }
    many(&shop, &org, 1).await;
    for (query, name) in [("sort=start", "sort"), ("sort=-price&price=0,1", "sort"), ("price=0,1", "price")] {
        assert_eq!(org.get(&first(query)).await.refused(400, "invalid_fields")[0]["field"], name);
    }
    assert_eq!(org.get(&first("")).await.total(), 10_001);
    org.get(&first("sort=start&created_at__since=2027-01-01T00:00:00Z")).await.ok();
}
