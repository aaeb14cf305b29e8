//! Fields with bad values: each is named, and nothing changes.

use serde_json::{Value, json};

use super::{House, no_lines, refuses_each};
use crate::harness::{EVENING, NOTHING, PASSWORD, text};

#[tokio::test]
async fn bad_users_are_refused() {
    let house = House::open().await;
    let with = |field: &str, value: Value| {
        let mut body = json!({"email": "new@example.org", "password": PASSWORD});
        body[field] = value;
        body
    };
    let emails = [
        json!(null),
        json!(""),
        json!("ann"),
        json!("ann@localhost"),
        json!("a b@example.org"),
        json!("ann@example.org\r\nX: 1"),
        json!(1),
        json!("x".repeat(255)),
    ];
    let passwords = [json!(null), json!("1234567"), json!("x".repeat(129)), json!(12_345_678), json!([])];
    let mut cases: Vec<(Value, &str)> = emails.into_iter().map(|email| (with("email", email), "$.email")).collect();
    cases.extend(passwords.into_iter().map(|password| (with("password", password), "$.password")));
    cases.extend(no_lines().into_iter().map(|name| (with("first_name", name), "$.first_name")));
    refuses_each(&house, "POST", "users", cases).await;
    let both = house.shop.anonymous().post("users", json!({})).await.refused(400, "invalid_fields");
    assert_eq!(
        both,
        json!([{"field": "$.email", "problem": "is required"}, {"field": "$.password", "problem": "is required"}])
    );
    let eight = json!({"email": "new@example.org", "password": "пароль12"});
    house.shop.anonymous().post("users", eight).await.created();
}

#[tokio::test]
async fn bad_log_ins_are_refused() {
    let house = House::open().await;
    let cases = vec![
        (json!({"password": PASSWORD}), "$.email"),
        (json!({"email": "ann", "password": PASSWORD}), "$.email"),
        (json!({"email": "ann@example.org"}), "$.password"),
        (json!({"email": "ann@example.org", "password": 1}), "$.password"),
        (json!({"email": ["ann@example.org"], "password": PASSWORD}), "$.email"),
    ];
    refuses_each(&house, "POST", "/v1/services/whoami", cases).await;
}

#[tokio::test]
async fn bad_partners_and_keys_are_refused() {
    let house = House::open().await;
    let mut cases: Vec<(Value, &str)> = no_lines().into_iter().map(|name| (json!({"name": name}), "$.name")).collect();
    cases.extend([
        (json!({"name": null}), "$.name"),
        (json!({"desc": "x".repeat(10_001)}), "$.desc"),
        (json!({"desc": "\u{7}"}), "$.desc"),
        (json!({"contact": "x"}), "$.contact"),
        (json!({"contact": {"phones": "1"}}), "$.contact.phones"),
        (json!({"contact": {"phones": ["1", 2]}}), "$.contact.phones[1]"),
        (json!({"contact": {"www": "x".repeat(2_049)}}), "$.contact.www"),
        (json!({"legal": "ltd"}), "$.legal"),
        (json!({"legal": {"a": {"b": {"c": {"d": 1}}}}}), "$.legal"),
        (json!({"legal": {"a": "x".repeat(1_001)}}), "$.legal"),
        (json!({"roles": ["org", "king"]}), "$.roles[1]"),
        (json!({"roles": "org"}), "$.roles"),
        (json!({"tags": vec!["x"; 51]}), "$.tags"),
        (json!({"tags": ["x".repeat(65)]}), "$.tags[0]"),
        (json!({"removed": "maybe"}), "$.removed"),
        (json!({"users": [1]}), "$.users[0]"),
        (json!({"users": ["x"]}), "$.users[0]"),
        (json!({"users": null}), "$.users"),
    ]);
    refuses_each(&house, "PATCH", &house.org.path(), cases).await;
    let mut cases: Vec<(Value, &str)> = no_lines().into_iter().map(|name| (json!({"name": name}), "$.name")).collect();
    cases.push((json!({}), "$.name"));
    refuses_each(&house, "POST", &house.keys(), cases).await;
}

#[tokio::test]
async fn bad_events_are_refused() {
    let house = House::open().await;
    let vevents = [
        json!(""),
        json!("tomorrow"),
        json!(1),
        json!(EVENING.replace("DTEND", "DTSTAMP")),
        json!(EVENING.replace("20260601T210000Z", "20260601T180000Z")),
        json!(EVENING.replace("20260601T210000Z", "20260601")),
        json!(EVENING.replace("20260601T210000Z", "20261301T210000Z")),
        json!(EVENING.replace(";VALUE=DATE-TIME", ";TZID=Europe/Moscow")),
        json!(EVENING.replace("END:VEVENT\r\n", "")),
        json!(format!("{EVENING}{EVENING}")),
        json!(EVENING.replace("END:VEVENT", "RRULE:FREQ=DAILY\r\nEND:VEVENT")),
        json!(format!("{EVENING}{}", "\r\n".repeat(10_000))),
    ];
    let with = |field: &str, value: Value| {
        let mut body = json!({"title": "X"});
        body[field] = value;
        body
    };
    let mut cases: Vec<(Value, &str)> =
        vevents.into_iter().map(|text| (with("lifetime", text), "$.lifetime")).collect();
    cases.extend(
        no_lines()
            .into_iter()
            .filter(|value| !value.is_object() && !value.is_array())
            .map(|title| (with("title", title), "$.title")),
    );
    cases.extend(no_lines().into_iter().map(|text| (with("title", json!({"text": text})), "$.title.text")));
    cases.extend([
        (json!({}), "$.title"),
        (json!({"title": null}), "$.title"),
        (json!({"title": {}}), "$.title.text"),
        (json!({"title": {"text": "X", "desc": "\u{1b}"}}), "$.title.desc"),
        (with("status", json!("open")), "$.status"),
        (with("status", json!(null)), "$.status"),
        (with("age_rating", json!(-1)), "$.age_rating"),
        (with("age_rating", json!("16")), "$.age_rating"),
        (with("age_rating", json!(1.5)), "$.age_rating"),
        (with("tags", json!({})), "$.tags"),
        (with("tags", json!(["a", null])), "$.tags[1]"),
        (with("venue", json!(1)), "$.venue"),
        (with("venue", json!("x")), "$.venue"),
        (with("tickets_limit", json!(0)), "$.tickets_limit"),
        (with("hold_minutes", json!(10_081)), "$.hold_minutes"),
        (with("removed", json!(1)), "$.removed"),
    ]);
    refuses_each(&house, "POST", "events", cases).await;
    let cases = vec![
        (json!({"title": null}), "$.title"),
        (json!({"title": {"text": null}}), "$.title.text"),
        (json!({"status": 1}), "$.status"),
    ];
    refuses_each(&house, "PATCH", &house.event.path, cases).await;
}

#[tokio::test]
async fn bad_sets_are_refused() {
    let house = House::open().await;
    let with = |field: &str, value: Value| {
        let mut body = json!({"name": "X"});
        body[field] = value;
        body
    };
    let prices = [
        json!(-1),
        json!("-1"),
        json!("1.234"),
        json!(0.001),
        json!("1e3"),
        json!(1e300),
        json!("free"),
        json!(true),
        json!([1]),
        json!(1_000_000_000.01),
        json!("1000000000.01"),
        json!(null),
    ];
    let amounts = [json!(-1), json!(1_000_001), json!(4_294_967_296_i64), json!("5"), json!(1.5), json!([])];
    let mut cases: Vec<(Value, &str)> = prices.into_iter().map(|price| (with("price", price), "$.price")).collect();
    cases.extend(amounts.into_iter().map(|amount| (with("amount", amount), "$.amount")));
    cases.extend(no_lines().into_iter().map(|name| (json!({"name": name}), "$.name")));
    cases.extend(no_lines().into_iter().map(|sector| (with("sector", sector), "$.sector")));
    cases.extend([
        (json!({}), "$.name"),
        (with("pos", json!(2_147_483_648_i64)), "$.pos"),
        (with("desc", json!(1)), "$.desc"),
        (with("rules", json!({})), "$.rules"),
        (with("rules", json!([1])), "$.rules[0]"),
        (with("rules", json!([{}])), "$.rules[0].price"),
        (with("rules", json!([{"price": 1}, {"price": "x"}])), "$.rules[1].price"),
        (with("rules", json!([{"price": 1, "cal": "x"}])), "$.rules[0].cal"),
        (with("rules", json!([{"price": 1, "start": "2026"}])), "$.rules[0].start"),
        (
            with("rules", json!([{"price": 1, "start": "2026-02-01T00:00:00Z", "finish": "2026-02-01T00:00:00Z"}])),
            "$.rules[0].finish",
        ),
        (with("rules", json!([{"price": 1, "id": "x"}])), "$.rules[0].id"),
    ]);
    refuses_each(&house, "POST", &house.sets(), cases).await;
    let cases = vec![
        (json!({"name": null}), "$.name"),
        (json!({"amount": null}), "$.amount"),
        (json!({"blocked": "all"}), "$.blocked"),
        (json!({"blocked": [house.tickets[0], "x"]}), "$.blocked[1]"),
        (json!({"rules": null}), "$.rules"),
    ];
    refuses_each(&house, "PATCH", &house.set.path, cases).await;
}

#[tokio::test]
async fn bad_orders_are_refused() {
    let house = House::open().await;
    let with = |field: &str, value: Value| {
        let mut body = json!({"event": house.event.id, "tickets": []});
        if field == "random" {
            body.as_object_mut().unwrap().remove("tickets");
        }
        body[field] = value;
        body
    };
    let set = house.set.id.as_str();
    let in_set = format!("$.random.{set}");
    let mut cases: Vec<(Value, &str)> =
        [json!(-1), json!(1_000_001), json!("2"), json!(1.5), json!(null), json!(99_999_999_999_i64)]
            .into_iter()
            .map(|count| (with("random", json!({set: count})), in_set.as_str()))
            .collect();
    cases.extend([
        (json!({"tickets": []}), "$.event"),
        (with("event", json!("x")), "$.event"),
        (with("event", json!(1)), "$.event"),
        (with("event", json!(house.event.id.to_uppercase())), "$.event"),
        (with("random", json!([])), "$.random"),
        (with("random", json!({"x": 1})), "$.random.x"),
        (with("tickets", json!("all")), "$.tickets"),
        (with("tickets", json!([house.tickets[0], 1])), "$.tickets[1]"),
        (with("tickets", json!(["x"])), "$.tickets[0]"),
        (with("tickets", json!(vec![NOTHING; 10_001])), "$.tickets"),
        (with("all_or_nothing", json!(1)), "$.all_or_nothing"),
        (with("customer", json!("ann")), "$.customer"),
        (with("customer", json!({"email": "ann"})), "$.customer.email"),
        (with("customer", json!({"first_name": 1})), "$.customer.first_name"),
        (with("customer", json!({"lang": "x".repeat(9)})), "$.customer.lang"),
        (with("payment", json!(1)), "$.payment"),
        (with("payment", json!({"system": "cash"})), "$.payment.system"),
        (with("payment", json!({"success_url": "ftp://a.example.org"})), "$.payment.success_url"),
        (with("payment", json!({"send_tickets": 1})), "$.payment.send_tickets"),
    ]);
    refuses_each(&house, "POST", "orders", cases).await;
    let cases = vec![
        (json!({"status": "paid"}), "$.status"),
        (json!({"status": null}), "$.status"),
        (json!({"tickets": [], "random": {}}), "$.random"),
        (json!({"random": {set: -1}}), in_set.as_str()),
    ];
    refuses_each(&house, "PATCH", &house.order.path, cases).await;
}

/// Sends a body of values that all are bad, and wants them named in this order.
async fn names_all(house: &House, path: &str, body: Value, fields: &[&str]) {
    let details = house.org.patch(path, body).await.refused(400, "invalid_fields");
    let named: Vec<&str> = details.as_array().unwrap().iter().filter_map(|detail| detail["field"].as_str()).collect();
    assert_eq!(named, fields);
}

#[tokio::test]
async fn bad_fields_of_events_are_named_in_a_fixed_order() {
    let house = House::open().await;
    let body = json!({
        "age_rating": [], "hold_minutes": [], "lifetime": [], "map": [], "media": 1, "refund_policy": 1,
        "buyer_name": 1, "buyer_phone": 1, "name_change_until": 1, "questions": 1,
        "removed": [], "single_seats": 1, "status": [], "tags": 1, "tickets_limit": [], "title": [],
        "translations": 1, "venue": [],
    });
    let fields = [
        "$.title",
        "$.translations",
        "$.media",
        "$.lifetime",
        "$.status",
        "$.venue",
        "$.map",
        "$.tags",
        "$.age_rating",
        "$.tickets_limit",
        "$.hold_minutes",
        "$.refund_policy",
        "$.single_seats",
        "$.buyer_name",
        "$.buyer_phone",
        "$.questions",
        "$.name_change_until",
        "$.removed",
    ];
    names_all(&house, &house.event.path, body, &fields).await;
}

#[tokio::test]
async fn bad_fields_of_partners_are_named_in_a_fixed_order() {
    let house = House::open().await;
    let body = json!({
        "channels": [], "contact": 1, "desc": [], "director": [], "legal": 1, "media": 1, "name": [],
        "refund_policy": 1, "removed": [], "roles": 1, "standard_term": 1, "tags": 1, "users": 1,
    });
    let fields = [
        "$.name",
        "$.users",
        "$.tags",
        "$.roles",
        "$.desc",
        "$.director",
        "$.channels",
        "$.contact",
        "$.legal",
        "$.media",
        "$.standard_term",
        "$.refund_policy",
        "$.removed",
    ];
    names_all(&house, &house.org.path(), body, &fields).await;
}

#[tokio::test]
async fn bad_fields_of_venues_are_named_in_a_fixed_order() {
    let house = House::open().await;
    let venue = house.org.post("venues", json!({"name": "Hall"})).await.created();
    let body = json!({
        "address": [], "city": [], "country": [], "desc": [], "description": [], "name": [], "point": 1,
        "removed": [],
    });
    let fields = ["$.name", "$.desc", "$.description", "$.removed", "$.address", "$.city", "$.country", "$.point"];
    names_all(&house, &format!("venues/{}", text(&venue["id"])), body, &fields).await;
}

#[tokio::test]
async fn every_bad_field_is_named() {
    let house = House::open().await;
    let body = json!({"title": {"text": 1, "desc": 2}, "tags": [1, "x", 2], "lifetime": 3});
    let details = house.org.post("events", body).await.refused(400, "invalid_fields");
    insta::assert_snapshot!(serde_json::to_string_pretty(&details).unwrap(), @r#"
    [
      {
        "field": "$.title.text",
        "problem": "must be a string"
      },
      {
        "field": "$.title.desc",
        "problem": "must be a string"
      },
      {
        "field": "$.lifetime",
        "problem": "must be a VEVENT text"
      },
      {
        "field": "$.tags[0]",
        "problem": "must be a string"
      },
      {
        "field": "$.tags[2]",
        "problem": "must be a string"
      }
    ]
    "#);
}

#[tokio::test]
async fn a_list_is_no_object() {
    let house = House::open().await;
    let refuses = async |method: &str, path: &str, body: Value| {
        let answer = house.org.json(method, path, &body).await;
        assert_eq!(answer.status, 400, "{method} {path} {body}");
    };
    for list in [json!([]), json!(["x"])] {
        refuses("PATCH", &house.org.path(), json!({"contact": list})).await;
        refuses("PATCH", &house.event.path, json!({"title": list})).await;
    }
    refuses("PATCH", &house.set.path, json!({"rules": [[null, null, null, null, 1]]})).await;
    for list in [json!([]), json!(["bob@example.org"])] {
        refuses("PATCH", &house.order.path, json!({"customer": list})).await;
    }
    for list in [json!([]), json!(["system/INVITATION"])] {
        refuses("PATCH", &house.order.path, json!({"payment": list})).await;
    }
}
