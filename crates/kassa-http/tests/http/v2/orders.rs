//! `/v2/resources/orders`.

use serde_json::{Value, json};

use super::{ORDERS, at, given};
use crate::access::{Row, row};
use crate::harness::{EVENING, Event, MINUTE_MS, NOTHING, OPEN_END, Org, Promocode, Set, Shop, text};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET /v2/resources/orders", "", 401, [200, 200], [200, 200], 200),
    row("POST /v2/resources/orders", r#"{"event": "{event}"}"#, 401, [400, 400], [200, 200], 400),
    row("GET /v2/resources/orders/{order}", "", 401, [404, 404], [200, 200], 200),
    row("GET /v2/resources/orders/{paid}/tickets.pdf", "", 401, [404, 404], [200, 200], 200),
    row("GET /v2/resources/orders/{paid}/event.ics", "", 401, [404, 404], [200, 200], 200),
    row("PATCH /v2/resources/orders/{order}", "{}", 401, [404, 404], [200, 200], 200),
];

/// The sets of an event with their ids, which an order's body names.
fn per_set(values: &Value, set: &str) -> Value {
    values["sets_values"][set].clone()
}

/// An order of an agent for one of two seats, with the names of all that it is shown with.
struct Sold {
    org: Org,
    agent: Org,
    venue: String,
    event: Event,
    set: Set,
    other: Set,
    promocode: Promocode,
    ticket: String,
    made: Value,
}

async fn sold_by_an_agent(shop: &Shop) -> Sold {
    let (org, agent) = (shop.organizer("org@example.org").await, shop.organizer("agent@example.org").await);
    let venue = json!({"name": "Old Pier", "address": "1 Quay", "city": 520_555, "country": "RU"});
    let venue = text(&org.post("venues", venue).await.created()["id"]);
    let body = json!({
        "title": {"text": "Concert", "desc": "Loud"}, "lifetime": EVENING, "status": "public", "venue": venue,
        "age_rating": 16,
    });
    let event = org.event_with(body).await;
    let set = event.set_with(json!({"name": "Hall", "sector": "A", "price": 150, "seats": {"2": [[14, 15]]}})).await;
    let other = event.set(1, "10.00").await;
    let gone = event.set(1, "5.00").await;
    org.delete(&gone.path).await.ok();
    let promocode = event.promocode("Ten", json!({"fix": "10.00"}), json!({})).await;
    org.post("deals", json!({"event": event.id, "subj": agent.id, "term": {"org": 90, "extra": 4}})).await.ok();
    let tickets = event.tickets().await;
    let ticket = text(&tickets.iter().find(|ticket| ticket["set"] == set.id).unwrap()["id"]);
    let body = json!({
        "tickets": [ticket],
        "promocodes": ["TEN"],
        "settings": {
            "send_tickets": true,
            "subscribe_agree": true,
            "customer": {"name": "Ann Mary Fox", "email": "ann@example.org", "phone": "+1", "lang": "en"},
        },
        "vendor_data": {"order_id": "A-17", "raw": {"sure": true, "till": 3, "text": "x"}},
    });
    let made = agent.order_v2(&event, body).await;
    Sold { org, agent, venue, event, set, other, promocode, ticket, made }
}

impl Sold {
    fn data(&self) -> Value {
        let Self { org, agent, event, set, other, promocode, ticket, made, .. } = self;
        json!({
            "id": made["data"]["id"], "status": "executed",
            "created_at": "2026-01-01 00:00:00", "expired_after": "2026-01-01 00:15:00",
            "event": event.id, "number": made["data"]["number"], "org": org.id, "vendor": agent.id, "origin": "api",
            "promocodes": [promocode.id],
            "settings": {
                "invitation": false, "send_tickets": true, "subscribe_agree": true,
                "customer": {"name": "Ann Mary Fox", "email": "ann@example.org", "phone": "+1", "lang": "en"},
            },
            "tickets": [{
                "id": ticket, "set": set.id, "serial": made["data"]["tickets"][0]["serial"], "number": 1,
                "barcode": null, "status": "reserved", "price": "150.00", "discount": "10.00", "nominal": "140.00",
                "extra": "5.60", "full": "145.60", "tariff": null,
                "seat": {"row": "2", "number": "14", "sector": "A"},
            }],
            "values": {
                "price": "150.00", "discount": "10.00", "nominal": "140.00", "extra": "5.60", "full": "145.60",
                "sets_values": {
                    &set.id: {"id": set.id, "price": "150.00", "discount": "10.00", "nominal": "140.00",
                              "promocode": promocode.id, "promotion": null},
                    &other.id: {"id": other.id, "price": "10.00", "discount": "10.00", "nominal": "0.00",
                                "promocode": promocode.id, "promotion": null},
                },
                "viral_promocodes": [],
            },
            "refund_policy": {"kept_percent": "0%", "days_before": 0, "after_start": false},
            "refunded": "0.00",
            "vendor_data": {"order_id": "A-17", "raw": {"sure": true, "till": 3, "text": "x"}},
        })
    }

    fn refs(&self) -> Value {
        let Self { org, agent, venue, event, set, promocode, made, .. } = self;
        let named = |place: &str| made["refs"]["venues"][venue][place]["name"].clone();
        json!({
            "events": {&event.id: {
                "id": event.id, "org": org.id, "venue": venue, "status": "public", "age_rating": 16,
                "title": {"text": "Concert", "desc": "Loud"}, "timezone": "Europe/Moscow",
                "lifetime": {"start": "2026-06-01 18:00:00", "finish": "2026-06-01 21:00:00"},
            }},
            "partners": {
                &org.id: {"id": org.id, "name": "Partner of org@example.org"},
                &agent.id: {"id": agent.id, "name": "Partner of agent@example.org"},
            },
            "promocodes": {&promocode.id: {
                "id": promocode.id, "code": "Ten", "discount": {"fix": "10.00"}, "lifetime": null, "viral": false,
            }},
            "sets": {&set.id: {"id": set.id, "name": "Hall", "price": "150.00", "with_seats": true}},
            "venues": {venue: {
                "id": venue, "name": "Old Pier", "desc": null, "address": "1 Quay",
                "city": {"_id": 520_555, "name": named("city"), "timezone": "Europe/Moscow"},
                "country": {"_id": "RU", "name": named("country")},
            }},
        })
    }
}

pub(crate) async fn an_order_is_shown_in_every_field(shop: Shop) {
    let sold = sold_by_an_agent(&shop).await;
    let Sold { org, agent, venue, made, .. } = &sold;
    assert_eq!(*made, json!({"data": sold.data(), "refs": sold.refs(), "details": []}));
    assert_eq!(made["refs"]["venues"][venue]["country"]["name"]["default"], "Russia");
    let read = json!({"data": sold.data(), "refs": sold.refs()});
    assert_eq!([agent.get(&at(made)).await.ok(), org.get(&at(made)).await.ok()], [read.clone(), read.clone()]);
    let list = agent.get(ORDERS).await.ok();
    assert_eq!((&list["data"][0], &list["refs"]), (&read["data"], &read["refs"]));
}

pub(crate) async fn a_users_order_comes_in_by_another_door(shop: Shop) {
    let user = shop.user("user@example.org").await;
    let own = user.partner("Own").await;
    let user = user.for_partner(&own);
    let event = user.post("events", json!({"title": "X", "status": "public", "lifetime": OPEN_END})).await.ok();
    let made = user.post(ORDERS, json!({"event": event["id"]})).await.ok();
    assert_eq!((&made["data"]["origin"], &made["data"]["vendor_data"]), (&json!("control_panel"), &json!({})));
    let settings = json!({"invitation": false, "send_tickets": false, "subscribe_agree": false});
    assert_eq!(made["data"]["settings"], settings);
    let shown = &made["refs"]["events"][text(&event["id"])];
    let lifetime = json!({"start": "2026-06-01 18:00:00", "finish": "2099-06-01 21:00:00"});
    assert_eq!([&shown["lifetime"], &shown["venue"], &shown["timezone"]], [&lifetime, &Value::Null, &json!("UTC")]);
    assert_eq!(made["refs"]["venues"], json!({}));
}

pub(crate) async fn a_paid_order_has_a_code_a_time_and_barcodes(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let made = org.order_v2(&event, set.random(2)).await;
    shop.pass_ms(MINUTE_MS);
    let done = org.patch(&at(&made), json!({"status": "done"})).await.ok();
    let order = &done["data"];
    assert_eq!((&order["status"], &order["done_at"]), (&json!("done"), &json!("2026-01-01 00:01:00")));
    let code = text(&order["code"]);
    assert!(code.len() == 8 && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()), "{code}");
    for ticket in order["tickets"].as_array().unwrap() {
        assert_eq!(ticket["status"], "sold");
        assert_eq!(text(&ticket["barcode"]).len(), 16);
        assert_eq!(ticket.get("seat"), None, "it has no chair");
    }
    let read = org.get(&at(&made)).await.ok();
    assert_eq!(&read["data"], order);
    let other = org.order_v2(&event, set.random(1)).await;
    let canceled = org.patch(&at(&other), json!({"status": "cancelled"})).await.ok();
    let ticket = &canceled["data"]["tickets"][0];
    assert_eq!((&canceled["data"]["status"], &ticket["status"]), (&json!("cancelled"), &json!("vacant")));
    assert_eq!(canceled["data"]["values"]["full"], "100.00", "it keeps showing what it held");
    assert_eq!((canceled["data"].get("code"), canceled["data"].get("done_at")), (None, None));
}

pub(crate) async fn the_event_follows_from_what_is_wanted(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let tickets = event.ticket_ids().await;
    let by_tickets = org.post(ORDERS, json!({"tickets": [tickets[0]]})).await.ok();
    let by_sets = org.post(ORDERS, set.random(1)).await.ok();
    assert_eq!([&by_tickets["data"]["event"], &by_sets["data"]["event"]], [&json!(event.id); 2]);
    for (body, text) in [
        (json!({}), "event is required"),
        (json!({"tickets": []}), "event is required"),
        (json!({"tickets": [tickets[0]], "random": {&set.id: 1}}), "Only one of tickets or random can be set"),
    ] {
        assert_eq!(org.post(ORDERS, body).await.told(400, "invalid_fields"), [text]);
    }
    let nothing = format!("ticket (id = {NOTHING}) does not belong to current event");
    assert_eq!(org.post(ORDERS, json!({"tickets": [NOTHING]})).await.told(400, "ticket_not_found"), [nothing]);
    let of_none = json!({"random": {NOTHING: 1}});
    org.post(ORDERS, of_none).await.refused(400, "set_not_found");
    let unknown = format!("Event {NOTHING} not found");
    assert_eq!(org.post(ORDERS, json!({"event": NOTHING})).await.told(400, "event_not_found"), [unknown]);
}

pub(crate) async fn an_empty_order_shows_what_every_set_costs(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let dear = event.set(1, "200.00").await;
    let empty = org.order_v2(&event, json!({})).await;
    let order = &empty["data"];
    assert_eq!((&order["tickets"], &order["values"]["full"]), (&json!([]), &json!("0.00")));
    assert_eq!(
        [per_set(&order["values"], &set.id)["price"].clone(), per_set(&order["values"], &dear.id)["price"].clone()],
        ["100.00", "200.00"]
    );
    assert_eq!(empty["refs"]["sets"], json!({}), "only those of which it has tickets");
    // What it holds keeps its price, what it does not hold has today's.
    org.patch(&at(&empty), set.random(1)).await.ok();
    set.patch(json!({"price": "120.00"})).await;
    dear.patch(json!({"price": "220.00"})).await;
    let later = org.get(&at(&empty)).await.ok();
    let values = &later["data"]["values"];
    assert_eq!(
        [per_set(values, &set.id)["price"].clone(), per_set(values, &dear.id)["price"].clone()],
        ["100.00", "220.00"]
    );
    assert_eq!(later["refs"]["sets"][&set.id]["price"], "120.00");
}

pub(crate) async fn what_is_not_to_be_had_stands_beside_the_data(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let tickets = event.ticket_ids().await;
    let first = org.order_v2(&event, json!({"tickets": [tickets[0], tickets[1]]})).await;
    assert_eq!(first["details"], json!([]));
    let second = org.order_v2(&event, json!({"tickets": [tickets[1], tickets[2]]})).await;
    let short = json!({"ticket": tickets[1], "reason": "reserved", "reserved_till": "2026-01-01 00:15:00"});
    assert_eq!((&second["details"], second["data"]["tickets"].as_array().unwrap().len()), (&json!([short]), 1));
    let mut greedy = set.random(9);
    greedy["all_or_nothing"] = json!("true");
    let none = org.patch(&at(&second), greedy.clone()).await.ok();
    assert_eq!(none["details"], json!([{"set": set.id, "wanted": 9, "got": 1, "reason": "reserved"}]));
    assert_eq!(none["data"]["tickets"], second["data"]["tickets"]);
    let empty = org.order_v2(&event, greedy).await;
    assert_eq!(empty["data"]["tickets"], json!([]));
    assert_eq!(org.get(&at(&none)).await.ok().get("details"), None, "in answers to writes only");
}

pub(crate) async fn codes_that_cannot_be_used_are_left_out_and_told(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let good = event.promocode("GOOD", json!({"percengate": "25%"}), json!({})).await;
    event.promocode("MANY", json!({"fix": 1}), json!({"tickets_count": {"min": 3}})).await;
    event.promocode("FEW", json!({"fix": 1}), json!({"tickets_count": {"max": 1}})).await;
    event.promocode("ONCE", json!({"fix": 1}), json!({"amount": 0})).await;
    let codes = json!(["NONE", "many", "few", "once", "good"]);
    let made = org.order_v2(&event, json!({"random": {&set.id: 2}, "promocodes": codes})).await;
    let told = json!([
        {"code": "promocode_not_found", "msg": "Promocode not found"},
        {"code": "promocode_limit_min_tickets",
         "msg": "Mimimum count of tickets in order for promocode activation is 3"},
        {"code": "promocode_apply_info", "msg": "Cant apply promocode by some reason"},
        {"code": "promocode_already_used", "msg": "Promocode already used"},
    ]);
    assert_eq!(made["errors"], told);
    assert_eq!(
        (&made["data"]["promocodes"], &made["data"]["values"]["discount"]),
        (&json!([good.id]), &json!("50.00"))
    );
    assert_eq!(made["refs"]["promocodes"][&good.id]["discount"], json!({"percentage": "25%"}));
    let changed = org.patch(&at(&made), json!({"promocodes": ["NONE"]})).await.ok();
    assert_eq!(
        (&changed["errors"][0]["code"], &changed["data"]["promocodes"]),
        (&json!("promocode_not_found"), &json!([]))
    );
    let fine = org.patch(&at(&made), json!({"promocodes": ["GOOD"]})).await.ok();
    assert_eq!(fine.get("errors"), None);
    assert_eq!(good.uses().await, [1, 0]);
}

pub(crate) async fn settings_and_vendor_data_change_key_by_key(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let made = org.order_v2(&event, set.random(1)).await;
    let path = at(&made);
    let steps = [
        (
            json!({"settings": {"customer": {"name": "Cher", "email": "cher@example.org"}}}),
            json!({"name": "Cher", "email": "cher@example.org", "phone": null, "lang": null}),
        ),
        (
            json!({"settings": {"customer": {"phone": "+7"}, "send_tickets": true}}),
            json!({"name": "Cher", "email": "cher@example.org", "phone": "+7", "lang": null}),
        ),
        (
            json!({"settings": {"customer": {"name": "Anna Maria  Lopez", "email": null}}}),
            json!({"name": "Anna Maria  Lopez", "email": null, "phone": "+7", "lang": null}),
        ),
    ];
    for (body, customer) in steps {
        assert_eq!(org.patch(&path, body).await.ok()["data"]["settings"]["customer"], customer);
    }
    let cleared = org.patch(&path, json!({"settings": null})).await.ok();
    assert_eq!(
        cleared["data"]["settings"],
        json!({"invitation": false, "send_tickets": false, "subscribe_agree": false})
    );

    let data = |order: Value| order["data"]["vendor_data"].clone();
    let body = json!({"vendor_data": {"order_id": "7", "raw": {"a": "x", "b": false}}});
    org.patch(&path, body).await.ok();
    let merged = org.patch(&path, json!({"vendor_data": {"raw": {"a": null, "c": -5}}})).await.ok();
    assert_eq!(data(merged), json!({"order_id": "7", "raw": {"b": false, "c": -5}}));
    let many: serde_json::Map<String, Value> = (0..19).map(|at| (format!("k{at}"), json!("v"))).collect();
    org.patch(&path, json!({"vendor_data": {"raw": many}})).await.refused(400, "too_many");
    assert_eq!(data(org.get(&path).await.ok()), json!({"order_id": "7", "raw": {"b": false, "c": -5}}));
    for bad in [
        json!({"order_id": "x".repeat(65)}),
        json!({"raw": {"k".repeat(41): 1}}),
        json!({"raw": {"k": "v".repeat(129)}}),
        json!({"raw": {"k": [1]}}),
        json!({"raw": {"k": 1.5}}),
        json!({"raw": (0..21).map(|at| (at.to_string(), json!(1))).collect::<serde_json::Map<_, _>>()}),
    ] {
        org.patch(&path, json!({"vendor_data": bad})).await.refused(400, "invalid_fields");
    }
    assert_eq!(data(org.patch(&path, json!({"vendor_data": null})).await.ok()), json!({}));
}

pub(crate) async fn an_invitation_costs_nothing(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let mut body = set.random(1);
    body["settings"] = json!({"invitation": true, "customer": {"email": "guest@example.org"}});
    let made = org.order_v2(&event, body.clone()).await;
    let shown = |order: &Value| {
        let ticket = &order["data"]["tickets"][0];
        [&order["data"]["settings"]["invitation"], &ticket["discount"], &ticket["full"]].map(Value::to_string)
    };
    assert_eq!(shown(&made), ["true", "\"100.00\"", "\"0.00\""]);
    let paid = org.patch(&at(&made), json!({"settings": {"invitation": false}})).await.ok();
    assert_eq!(shown(&paid), ["false", "\"0.00\"", "\"100.00\""]);
    org.patch(&at(&made), json!({"settings": {"invitation": true}})).await.ok();
    let done = org.patch(&at(&made), json!({"status": "done"})).await.ok();
    assert_eq!((&done["data"]["status"], &done["data"]["values"]["full"]), (&json!("done"), &json!("0.00")));
    let agent = shop.organizer("agent@example.org").await;
    let deal = json!({"event": event.id, "subj": agent.id, "term": {"org": 90}});
    org.post("deals", deal).await.ok();
    body["event"] = json!(event.id);
    let told = agent.post(ORDERS, body).await.told(400, "invitation_forbidden");
    assert_eq!(told, ["invitation can send from control panel or salespoint only"]);
}

pub(crate) async fn a_hold_can_be_made_shorter_and_no_longer_than_the_event_lets_it(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let made = org.order_v2(&event, set.random(1)).await;
    let path = at(&made);
    let till = |order: Value| text(&order["data"]["expired_after"]);
    let told = org.patch(&path, json!({"expired_after": "2026-01-01 00:15:01"})).await.told(400, "expired_after_limit");
    assert_eq!(told, ["max expired_after is 2026-01-01 00:15:00"]);
    let sooner = org.patch(&path, json!({"expired_after": "2026-01-01T00:05:00Z"})).await.ok();
    assert_eq!(till(sooner), "2026-01-01 00:05:00");
    let held = org.get(&format!("{}/tickets?status=reserved", event.path)).await.ok();
    assert_eq!(held[0]["reserved_till"], "2026-01-01T00:05:00.000000+00:00");
    let back = org.patch(&path, json!({"expired_after": "2026-01-01 00:15:00", "random": {&set.id: 2}})).await.ok();
    assert_eq!(till(back), "2026-01-01 00:15:00");
    let begun = org.patch(&path, json!({"status": "in_progress"})).await.ok();
    let same = json!({"expired_after": begun["data"]["expired_after"]});
    assert_eq!(org.patch(&path, same).await.status, 200, "what it is already is no change");
    let told = org.patch(&path, json!({"expired_after": "2026-01-01 00:20:00"})).await.told(400, "expired_after_fixed");
    assert_eq!(told, ["expired_after is not changable"]);
    let short = org.order_v2(&event, json!({"random": {&set.id: 1}, "expired_after": "2026-01-01 00:01:00"})).await;
    assert_eq!(shop.expire_after_ms(MINUTE_MS).await, 1);
    assert_eq!(org.get(&at(&short)).await.ok()["data"]["status"], "expired");
}

pub(crate) async fn late_money_is_told(shop: Shop) {
    let (org, event, _) = given(&shop).await;
    let set = event.set(1, "10.00").await;
    let late = org.order_v2(&event, set.random(1)).await;
    shop.expire_after_ms(15 * MINUTE_MS).await;
    let other = org.order_v2(&event, set.random(1)).await;
    let told = org.patch(&at(&late), json!({"status": "done"})).await.told(409, "tickets_gone");
    assert_eq!(told, ["The order has expired and its tickets are gone"]);
    org.patch(&at(&other), json!({"status": "cancelled"})).await.ok();
    let saved = org.patch(&at(&late), json!({"status": "done"})).await.ok();
    assert_eq!(saved["data"]["status"], "done");
}

pub(crate) async fn orders_are_for_their_own(shop: Shop) {
    let (org, event, set) = given(&shop).await;
    let mut body = set.random(1);
    body["settings"] = json!({"customer": {"email": "ann@example.org"}});
    let made = org.order_v2(&event, body).await;
    let stranger = shop.organizer("stranger@example.org").await;
    assert_eq!(stranger.get(&at(&made)).await.told(404, "not_found"), ["The order was not found"]);
    stranger.patch(&at(&made), json!({"status": "cancelled"})).await.refused(404, "not_found");
    assert_eq!(stranger.get(ORDERS).await.ok()["total_count"], 0);
    for path in [format!("{ORDERS}/{NOTHING}"), format!("{ORDERS}/x")] {
        org.get(&path).await.refused(404, "not_found");
        org.patch(&path, json!({})).await.refused(404, "not_found");
    }
    // An organizer may give up what its agent sold, and no more.
    let agent = shop.organizer("agent@example.org").await;
    let deal = json!({"event": event.id, "subj": agent.id, "term": {"org": 90}});
    org.post("deals", deal).await.ok();
    let sold = agent.order_v2(&event, set.random(1)).await;
    org.patch(&at(&sold), set.random(2)).await.refused(403, "forbidden");
    assert_eq!(org.patch(&at(&sold), json!({"status": "cancelled"})).await.ok()["data"]["status"], "cancelled");
}
