//! `/v1/resources/events`.

use serde_json::json;

use crate::access::{Row, row};
use crate::client::{ids, shape};
use crate::harness::{EVENING, NOTHING, Shop, TO_END_OF_EVENING_MS, text};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET events", "", 200, [200, 200], [200, 200], 200),
    row("POST events", r#"{"title": "X"}"#, 401, [200, 200], [200, 200], 400),
    row("GET events/{event}", "", 200, [200, 200], [200, 200], 200),
    row("GET events/{hidden}", "", 404, [404, 404], [200, 200], 200),
    row("PATCH events/{event}", "{}", 401, [403, 403], [200, 200], 200),
    row("PATCH events/{hidden}", "{}", 401, [404, 404], [200, 200], 200),
    row("DELETE events/{event}", "", 401, [403, 403], [400, 400], 400),
    row("DELETE events/{hidden}", "", 401, [404, 404], [200, 200], 200),
];

#[tokio::test]
async fn a_new_event_stands_by() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let made = org.post("events", json!({"title": {"text": "Concert"}, "lifetime": EVENING})).await.ok();
    insta::assert_snapshot!(shape(&made), @r#"
    {
      "age_rating": 0,
      "buyer_name": "optional",
      "buyer_phone": "optional",
      "created_at": "2026-01-01T00:00:00.000000+00:00",
      "hold_minutes": 15,
      "id": "[id]",
      "lifetime": "BEGIN:VEVENT\r\nDTSTART;VALUE=DATE-TIME:20260601T180000Z\r\nDTEND;VALUE=DATE-TIME:20260601T210000Z\r\nEND:VEVENT\r\n",
      "map": null,
      "media": {},
      "name_change_until": null,
      "org": "[id]",
      "place": null,
      "questions": [],
      "refund_policy": null,
      "removed": false,
      "sets": [],
      "single_seats": "off",
      "status": "stand_by",
      "tags": [],
      "tickets_limit": 100,
      "title": {
        "desc": null,
        "text": "Concert"
      },
      "translations": [],
      "updated_at": "2026-01-01T00:00:00.000000+00:00",
      "venue": null
    }
    "#);
    let path = format!("events/{}", text(&made["id"]));
    assert_eq!(org.get(&path).await.ok(), made);
}

#[tokio::test]
async fn all_forms_of_a_lifetime_are_shown_in_full() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let forms = [
        EVENING.replace(";VALUE=DATE-TIME", ""),
        EVENING.replace("0Z\r", "0\r"),
        EVENING.replace("\r\n", "\n"),
        format!("BEGIN:VCALENDAR\r\n{EVENING}END:VCALENDAR\r\n"),
    ];
    for form in forms {
        let made = org.post("events", json!({"title": "Concert", "lifetime": form})).await.ok();
        assert_eq!(made["lifetime"], EVENING, "{form}");
    }
}

#[tokio::test]
async fn an_event_shows_its_sets_whole_and_by_position() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let back = event.set_with(json!({"name": "Back", "amount": 1, "price": 1, "pos": 2})).await;
    let front = event.set_with(json!({"name": "Front", "amount": 1, "price": 9, "pos": 1})).await;
    let gone = event.set(1, "1.00").await;
    org.delete(&gone.path).await.ok();
    let sets = event.now().await["sets"].clone();
    assert_eq!(ids(&sets), [front.id.clone(), back.id.clone()]);
    assert_eq!(sets[0], front.now().await);
    assert_eq!(shop.anonymous().get(&event.path).await.ok()["sets"], sets);
    assert_eq!(org.get("events").await.ok()[0]["sets"], sets);
    assert_eq!(event.patch(json!({})).await["sets"], sets);
}

#[tokio::test]
async fn a_change_merges_the_title_and_replaces_tags() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    event.patch(json!({"title": {"desc": "Two\nlines"}, "tags": ["a", "b"], "age_rating": 16})).await;
    let changed = event.patch(json!({"title": {"text": "Gala"}, "tags": ["c"]})).await;
    assert_eq!(changed["title"], json!({"text": "Gala", "desc": "Two\nlines"}));
    assert_eq!((&changed["tags"], &changed["age_rating"]), (&json!(["c"]), &json!(16)));
    let nothing = json!({"title": {"desc": null}, "tags": null, "lifetime": null, "age_rating": null});
    let details = org.patch(&event.path, nothing.clone()).await.refused(400, "lifetime_required");
    assert_eq!(details[0]["field"], "$.lifetime");
    event.patch(json!({"status": "stand_by"})).await;
    let cleared = event.patch(nothing).await;
    assert_eq!(cleared["title"], json!({"text": "Gala", "desc": null}));
    assert_eq!((&cleared["tags"], &cleared["lifetime"], &cleared["age_rating"]), (&json!([]), &json!(null), &json!(0)));
    assert_eq!(event.now().await, cleared);
}

#[tokio::test]
async fn texts_in_further_languages_replace_those_that_there_are() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let german = json!({"lang": "de", "title": "Konzert", "desc": "Zwei\nZeilen"});
    let changed = event.patch(json!({"translations": [german, {"lang": "pt-BR"}]})).await;
    assert_eq!(changed["translations"], json!([german, {"lang": "pt-BR", "title": null, "desc": null}]));
    let own =
        shop.anonymous().get(&format!("{}?fields-schema=title{{text}},translations{{title}}", event.path)).await.ok();
    assert_eq!(own, json!({"title": {"text": "Concert"}, "translations": [{"title": "Konzert"}, {"title": null}]}));
    for (wrong, field) in [
        (json!([{"title": "Konzert"}]), "$.translations[0].lang"),
        (json!([{"lang": "German"}]), "$.translations[0].lang"),
        (json!([{"lang": "de-at"}]), "$.translations[0].lang"),
        (json!([{"lang": "de", "title": "a\nb"}]), "$.translations[0].title"),
        (json!([{"lang": "de"}, {"lang": "de"}]), "$.translations[1].lang"),
    ] {
        let details = org.patch(&event.path, json!({"translations": wrong})).await.refused(400, "invalid_fields");
        assert_eq!(details[0]["field"], field, "{wrong}");
    }
    assert_eq!(event.patch(json!({"translations": null})).await["translations"], json!([]));
}

#[tokio::test]
async fn an_event_is_hidden_until_it_is_public_and_hidden_again_when_removed() {
    let shop = Shop::open().await;
    let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
    let event = org.event_with(json!({"title": "Concert", "lifetime": EVENING})).await;
    let sets = format!("{}/sets", event.path);
    for client in [&shop.anonymous(), &other.clone()] {
        client.get(&event.path).await.refused(404, "not_found");
        client.get(&sets).await.refused(404, "not_found");
        assert_eq!(client.get("events").await.ok(), json!([]));
    }
    other.patch(&event.path, json!({"title": "Mine"})).await.refused(404, "not_found");
    event.patch(json!({"status": "public"})).await;
    assert_eq!(ids(&shop.anonymous().get("events").await.ok()), [event.id.as_str()]);
    other.patch(&event.path, json!({"title": "Mine"})).await.refused(403, "forbidden");
    assert_eq!(org.delete(&event.path).await.ok(), json!({}));
    shop.anonymous().get(&event.path).await.refused(404, "not_found");
    assert_eq!(shop.anonymous().get("events?removed=true").await.ok(), json!([]));
    assert_eq!(org.get("events").await.ok(), json!([]));
    assert_eq!(org.get("events?removed=true").await.ok()[0]["removed"], true);
    assert_eq!(event.now().await["removed"], true);
}

#[tokio::test]
async fn the_clock_finishes_an_event() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let (public, waiting) =
        (org.event("Concert").await, org.event_with(json!({"title": "X", "lifetime": EVENING})).await);
    shop.pass_ms(TO_END_OF_EVENING_MS - 1);
    assert_eq!((&public.now().await["status"], &waiting.now().await["status"]), (&json!("public"), &json!("stand_by")));
    shop.pass_ms(1);
    assert_eq!(
        (&public.now().await["status"], &waiting.now().await["status"]),
        (&json!("finished"), &json!("finished"))
    );
    assert_eq!(ids(&shop.anonymous().get("events?status=finished").await.ok()), [public.id.as_str()]);
    assert_eq!(org.get("events?status=public,stand_by").await.ok(), json!([]));
    assert_eq!(org.get("events?status=finished").await.total(), 2);
}

#[tokio::test]
async fn a_canceled_event_stays_so() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    assert_eq!(event.patch(json!({"status": "stand_by"})).await["status"], "stand_by");
    assert_eq!(event.patch(json!({"status": "public"})).await["status"], "public");
    assert_eq!(event.patch(json!({"status": "canceled"})).await["status"], "canceled");
    for status in ["public", "stand_by"] {
        org.patch(&event.path, json!({"status": status})).await.refused(400, "event_canceled");
    }
    org.patch(&event.path, json!({"status": "finished"})).await.refused(400, "event_not_finished");
    assert_eq!(event.patch(json!({"title": "Canceled", "status": "canceled"})).await["title"]["text"], "Canceled");
}

#[tokio::test]
async fn events_and_sets_with_orders_are_not_removed() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("Concert").await;
    let (sold, held) = (event.set(5, "1.00").await, event.set(5, "1.00").await);
    org.order(&event, sold.random(1)).await.becomes("done").await;
    let live = org.order(&event, held.random(1)).await;
    for set in [&sold, &held] {
        org.delete(&set.path).await.refused(400, "has_orders");
    }
    org.delete(&event.path).await.refused(400, "has_orders");
    org.patch(&event.path, json!({"removed": true})).await.refused(400, "has_orders");
    org.delete(&live.path).await.ok();
    assert_eq!(org.delete(&held.path).await.ok()["removed"], true);
    org.delete(&event.path).await.refused(400, "has_orders");
    assert_eq!(event.now().await["removed"], false);
}

#[tokio::test]
async fn the_list_filters_by_organizer_and_ids() {
    let shop = Shop::open().await;
    let (org, other) = (shop.organizer("org@example.org").await, shop.organizer("other@example.org").await);
    let (one, two) = (org.event("One").await, other.event("Two").await);
    let anyone = shop.anonymous();
    assert_eq!(ids(&anyone.get("events").await.ok()), [two.id.clone(), one.id.clone()]);
    assert_eq!(ids(&anyone.get(&format!("events?org={}", org.id)).await.ok()), [one.id.as_str()]);
    let both = format!("events?ids={},{},{NOTHING}", one.id, two.id);
    assert_eq!(anyone.get(&both).await.total(), 2);
    assert_eq!(anyone.get("events?filter=whatever&fields=x").await.total(), 2);
    for bad in ["events?org=x", "events?ids=1,2", "events?status=open", "events?removed=maybe"] {
        anyone.get(bad).await.refused(400, "invalid_fields");
    }
}

#[tokio::test]
async fn a_title_is_not_blank_in_either_form() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    for title in [json!({"text": " "}), json!({"text": ""}), json!(" "), json!("")] {
        org.post("events", json!({"title": title})).await.refused(400, "invalid_fields");
    }
}
