//! `fields-schema`: which fields of an answer the client wants, and which references as objects.

use serde_json::{Value, json};

use crate::client::Client;
use crate::harness::{EVENING, Event, Order, Org, PASSWORD, Set, Shop, text};

/// A public event of an organizer, with a set of tickets.
struct Sale {
    shop: Shop,
    org: Org,
    event: Event,
    set: Set,
}

async fn sale(amount: u32) -> Sale {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let event = org.event("test").await;
    let set = event.set(amount, "100.00").await;
    Sale { shop, org, event, set }
}

impl Sale {
    async fn order(&self, count: u32) -> Order {
        self.org.order(&self.event, self.set.random(count)).await
    }

    /// An order that is paid.
    async fn sold(&self, email: &str) -> Order {
        let order = self.order(1).await;
        order.patch(json!({"customer": {"email": email}, "payment": {"system": "api/BASE"}})).await;
        order.becomes("in_progress").await;
        order.becomes("done").await;
        order
    }
}

/// The path with a schema, as clients write it.
fn with(path: &str, schema: &str) -> String {
    let mark = if path.contains('?') { '&' } else { '?' };
    format!("{path}{mark}fields-schema={}", schema.replace('{', "%7B").replace('}', "%7D"))
}

async fn get(client: &Client, path: &str, schema: &str) -> Value {
    client.get(&with(path, schema)).await.ok()
}

/// The object with these fields alone.
fn only(value: &Value, names: &[&str]) -> Value {
    names.iter().filter_map(|name| Some(((*name).to_owned(), value.get(name)?.clone()))).collect()
}

#[tokio::test]
async fn the_worked_sample_of_the_documentation_works() {
    let sale = sale(3).await;
    let order = sale.order(1).await;
    let schema = "id,tickets{id,serial,number,seat{row,number}},event{title{text}}";
    let shown = get(&sale.org, &order.path, schema).await;
    let ticket = &sale.event.tickets().await[0];
    assert_eq!(
        shown,
        json!({
            "id": order.id,
            "event": {"title": {"text": "test"}},
            "tickets": [{"id": ticket["id"], "number": ticket["number"], "seat": {}, "serial": ticket["serial"]}],
        })
    );
}

#[tokio::test]
async fn references_are_ids_and_objects_are_whole_unless_more_is_said() {
    let sale = sale(3).await;
    let order = sale.order(2).await;
    let whole = order.now().await;
    for names in [&["id"][..], &["org", "event", "tickets", "deal"], &["customer", "payment", "values", "rules"]] {
        assert_eq!(get(&sale.org, &order.path, &names.join(",")).await, only(&whole, names));
    }
    let shown = get(&sale.org, &order.path, "values{full,sets{id}},customer{email,user{email}},payment{system}").await;
    assert_eq!(
        shown,
        json!({
            "values": {"full": "200.00", "sets": [{"id": sale.set.id}]},
            "customer": {},
            "payment": {"system": null},
        })
    );
    let blanks = sale.org.get(&format!("{}?limit=1&fields-schema=+id+,%20status%20", order.path)).await.ok();
    assert_eq!(blanks, only(&whole, &["id", "status"]));
    assert_eq!(sale.org.get(&format!("{}?fields-schem%61=number", order.path)).await.ok(), only(&whole, &["number"]));
}

/// A schema that names every field of a value, and every field of objects in it.
fn schema_of(value: &Value) -> Option<String> {
    let value = value.as_array().map_or(Some(value), |items| items.first())?;
    let fields = value.as_object().filter(|fields| !fields.is_empty())?;
    // Keys that begin with digits are no names.
    if fields.keys().any(|name| name.starts_with(|c: char| c.is_ascii_digit())) {
        return None;
    }
    let field = |(name, value): (&String, &Value)| match schema_of(value) {
        Some(inner) => format!("{name}{{{inner}}}"),
        None => name.clone(),
    };
    Some(fields.iter().map(field).collect::<Vec<String>>().join(","))
}

#[tokio::test]
async fn every_field_of_every_answer_can_be_asked_for() {
    let sale = sale(3).await;
    let user = sale.shop.user("buyer@example.org").await;
    let partner = user.partner("Buyers").await;
    let contact = json!({"contact": {"email": "a@example.org"}, "legal": {"type": "ltd", "bank": {"bic": "1"}}});
    user.patch(&format!("partners/{partner}"), contact).await.ok();
    let limited = json!({"sets": [sale.set.id], "tickets_count": {"min": 1, "max": 9}});
    let promocode = sale.event.promocode("SPRING", json!({"fixed": "1.00"}), limited).await;
    let promotion = sale.event.promotion(json!([{"from": 1, "value": 10}]), &json!({"sets": [sale.set.id]})).await;
    let order = sale.sold("buyer@example.org").await;
    sale.shop.confirm(&user.id, "buyer@example.org").await;
    let keys = format!("{}/api_keys", sale.org.path());
    let paths = [
        (&*sale.org, order.path.clone()),
        (&*sale.org, "orders".to_owned()),
        (&*sale.org, sale.event.path.clone()),
        (&*sale.org, "events".to_owned()),
        (&*sale.org, sale.set.path.clone()),
        (&*sale.org, format!("{}/sets", sale.event.path)),
        (&*sale.org, format!("{}/tickets", sale.event.path)),
        (&*sale.org, promocode.path),
        (&*sale.org, format!("{}/promocodes", sale.event.path)),
        (&*sale.org, promotion.path),
        (&*sale.org, format!("{}/promotions", sale.event.path)),
        (&*sale.org, sale.org.path()),
        (&*sale.org, keys.clone()),
        (&*sale.org, format!("{keys}/{}", sale.org.key)),
        (&*user, "partners".to_owned()),
        (&*user, format!("partners/{partner}")),
        (&*user, user.path()),
        (&*user, "/v1/services/whoami".to_owned()),
    ];
    for (client, path) in paths {
        let plain = client.get(&path).await.ok();
        let schema = schema_of(&plain).unwrap();
        assert_eq!(get(client, &path, &schema).await, plain, "{path} with {schema}");
    }
}

#[tokio::test]
async fn what_is_expanded_is_what_the_caller_would_read_by_id() {
    let sale = sale(3).await;
    let anonymous = sale.shop.anonymous();
    let everything = "id,name,desc,director,channels,contact,legal,media,roles,tags,standard_term,refund_policy,require_second_factor,shop,removed,\
                      suspended,user,users,invited,created_at,updated_at";
    let schema = format!("org{{{everything}}}");
    for client in [&anonymous, &*sale.org] {
        let partner = client.get(&sale.org.path()).await.ok();
        assert_eq!(get(client, &sale.event.path, &schema).await, json!({"org": partner}));
    }
    let face = get(&anonymous, &sale.event.path, "org{name,contact{www,email},users{id}}").await;
    assert_eq!(face, json!({"org": {"name": "Partner of org@example.org", "contact": {"www": null}}}));
    let event = get(&anonymous, &sale.set.path, "event{id,status,sets{id}}").await;
    assert_eq!(event, json!({"event": {"id": sale.event.id, "status": "public", "sets": [{"id": sale.set.id}]}}));
}

#[tokio::test]
async fn customers_are_expanded_for_those_who_sold_to_them() {
    let sale = sale(3).await;
    let user = sale.shop.user("buyer@example.org").await;
    let order = sale.sold("buyer@example.org").await;
    sale.shop.confirm(&user.id, "buyer@example.org").await;
    let fields = "id,email,partners,crm";
    let by_id = only(&sale.org.get(&user.path()).await.ok(), &["id", "email", "partners", "crm"]);
    assert_eq!(by_id["crm"]["values"]["sum"], "100.00");
    let shown = get(&sale.org, &order.path, &format!("customer{{user{{{fields}}}}}")).await;
    assert_eq!(shown, json!({"customer": {"user": by_id}}));
    let own = only(&user.get(&user.path()).await.ok(), &["id", "email", "partners", "crm"]);
    assert_eq!(own["crm"]["counters"]["orders"], 1);
    let shown = get(&user, "orders", &format!("customer{{user{{{fields}}}}}")).await;
    assert_eq!(shown, json!([{"customer": {"user": own}}]));
    // The organizer's own manager is no customer of it.
    let manager = sale.org.get(&sale.org.path()).await.ok()["users"].clone();
    assert_eq!(get(&sale.org, &sale.event.path, "org{users{email}}").await, json!({"org": {"users": manager}}));
}

#[tokio::test]
async fn barcodes_are_for_those_who_may_know_them() {
    let sale = sale(1).await;
    let user = sale.shop.user("buyer@example.org").await;
    sale.shop.confirm(&user.id, "buyer@example.org").await;
    let lapsed = sale.order(1).await;
    lapsed.patch(json!({"customer": {"email": "buyer@example.org"}})).await;
    lapsed.becomes("canceled").await;
    let sold = sale.sold("other@example.org").await;
    let schema = "tickets{status,barcode}";
    let ticket = &sale.event.tickets().await[0];
    let seen = json!({"tickets": [only(ticket, &["status", "barcode"])]});
    assert!(text(&ticket["barcode"]).len() == 16 && ticket["status"] == "sold");
    assert_eq!(get(&sale.org, &sold.path, schema).await, seen);
    // The same ticket, seen by somebody who had it once.
    assert_eq!(get(&user, &lapsed.path, schema).await, json!({"tickets": [{"status": "sold", "barcode": null}]}));
    let list = get(&sale.shop.anonymous(), &format!("{}/tickets", sale.event.path), "barcode,set{name}").await;
    assert_eq!(list, json!([{"barcode": null, "set": {"name": "Parterre"}}]));
}

#[tokio::test]
async fn what_the_caller_may_not_see_stays_an_id() {
    let sale = sale(2).await;
    let user = sale.shop.user("buyer@example.org").await;
    sale.shop.confirm(&user.id, "buyer@example.org").await;
    let order = sale.sold("buyer@example.org").await;
    let lapsed = sale.order(1).await;
    lapsed.patch(json!({"customer": {"email": "buyer@example.org"}})).await;
    lapsed.becomes("canceled").await;
    let schema = "event{status},tickets{status,set{name}}";
    let set = json!({"name": "Parterre"});
    let open = json!({"event": {"status": "public"}, "tickets": [{"status": "sold", "set": set}]});
    assert_eq!(get(&user, &order.path, schema).await, open);
    sale.event.patch(json!({"status": "stand_by"})).await;
    let closed = json!({"event": sale.event.id, "tickets": [{"status": "sold", "set": sale.set.id}]});
    assert_eq!(get(&user, &order.path, schema).await, closed);
    assert_eq!(get(&user, &lapsed.path, "tickets{status}").await, json!({"tickets": lapsed.tickets().await}));
    let own = json!({"event": {"status": "stand_by"}, "tickets": [{"status": "sold", "set": set}]});
    assert_eq!(get(&sale.org, &order.path, schema).await, own);
    assert_eq!(get(&user, &order.path, "org{id}").await, json!({"org": {"id": sale.org.id}}));
    sale.org.patch(&sale.org.path(), json!({"removed": true})).await.ok();
    assert_eq!(get(&user, &order.path, "org{id}").await, json!({"org": sale.org.id}));
}

#[tokio::test]
async fn promocodes_are_expanded_for_whoever_sees_the_order() {
    let sale = sale(2).await;
    let promocode = sale.event.promocode("SPRING", json!({"percengate": 30}), json!({"sets": [sale.set.id]})).await;
    let agent = sale.shop.organizer("agent@example.org").await;
    let deal = json!({"event": sale.event.id, "subj": agent.id, "term": {"org": 90}});
    sale.org.post("deals", deal).await.ok();
    let order = json!({"event": sale.event.id, "random": {&sale.set.id: 1}, "promocodes": ["spring"]});
    let schema = "promocodes{code,discount{percengate,fixed},sets{name}}";
    let made = agent.post(&with("orders", "id,promocodes{code}"), order).await.created();
    assert_eq!(made["promocodes"], json!([{"code": "SPRING"}]), "whoever sees an order sees its codes");
    let path = format!("orders/{}", text(&made["id"]));
    let seen = json!({"code": "SPRING", "discount": {"percengate": "30%"}, "sets": [{"name": "Parterre"}]});
    assert_eq!(get(&agent, &path, schema).await, json!({"promocodes": [seen]}));
    assert_eq!(get(&sale.org, &path, schema).await, json!({"promocodes": [seen]}));
    assert_eq!(get(&sale.org, &path, "promocodes").await, json!({"promocodes": [promocode.id]}));
    let shown = get(&sale.org, &promocode.path, "code,event{status},counter{reserved}").await;
    assert_eq!(shown, json!({"code": "SPRING", "event": {"status": "public"}, "counter": {"reserved": 1}}));
}

#[tokio::test]
async fn promotions_are_expanded_for_their_organizer() {
    let sale = sale(2).await;
    let levels = json!([{"from": 1, "value": "10%"}]);
    let promotion = sale.event.promotion(levels.clone(), &json!({"sets": [sale.set.id]})).await;
    let agent = sale.shop.organizer("agent@example.org").await;
    let deal = json!({"event": sale.event.id, "subj": agent.id, "term": {"org": 90}});
    sale.org.post("deals", deal).await.ok();
    let order = json!({"event": sale.event.id, "random": {&sale.set.id: 1}});
    let schema = "promotions{by,levels{value},sets{name}}";
    let made = agent.post(&with("orders", "id,promotions{by}"), order).await.created();
    assert_eq!(made["promotions"], json!([promotion.id]), "the vendor knows that there is one, and no more");
    let path = format!("orders/{}", text(&made["id"]));
    let seen = json!({"by": "count", "levels": [{"value": "10%"}], "sets": [{"name": "Parterre"}]});
    assert_eq!(get(&sale.org, &path, schema).await, json!({"promotions": [seen]}));
    assert_eq!(get(&agent, &path, schema).await, json!({"promotions": [promotion.id]}));
    let shown = get(&sale.org, &promotion.path, "levels,event{status},lifetime{finish}").await;
    assert_eq!(shown, json!({"levels": levels, "event": {"status": "public"}, "lifetime": {"finish": null}}));
}

#[tokio::test]
async fn bad_schemas_are_refused() {
    let sale = sale(2).await;
    let order = sale.order(1).await;
    for schema in [
        "id,",
        ",id",
        "id,,event",
        "event{}",
        "event{",
        "event{id",
        "event}",
        "event{id}}",
        "id;event",
        "nonsense",
        "event{nonsense}",
        "tickets{seat{floor}}",
        "id{x}",
        "event{lifetime{x}}",
        "event{org{user{id{x}}}}",
        "é",
    ] {
        sale.org.get(&with(&order.path, &schema.replace('é', "%C3%A9"))).await.refused(400, "bad_fields_schema");
    }
    sale.org.get(&format!("{}?fields-schema=%zz", order.path)).await.refused(400, "malformed_query");
    let answer = sale.org.get(&with(&order.path, "event{org{x}}")).await;
    assert_eq!(answer.error()["reason"], "fields-schema: there is no field event.org.x");
    let answer = sale.org.get(&with(&order.path, "id,event{id")).await;
    assert_eq!(answer.error()["reason"], "fields-schema: the brace at character 9 is never closed");
    let deep = "event{sets{event{sets{event{id}}}}}";
    let shown = get(&sale.org, &order.path, deep).await;
    assert_eq!(shown["event"]["sets"][0]["event"]["sets"][0]["event"], json!({"id": sale.event.id}));
    let deeper = "event{sets{event{sets{event{title{text}}}}}}";
    sale.org.get(&with(&order.path, deeper)).await.refused(400, "bad_fields_schema");
}

#[tokio::test]
async fn a_bad_schema_changes_nothing() {
    let sale = sale(2).await;
    let wanted = json!({"event": sale.event.id, "random": {&sale.set.id: 1}});
    sale.org.post(&with("orders", "id,nonsense"), wanted.clone()).await.refused(400, "bad_fields_schema");
    let orders = sale.org.get("orders").await;
    assert_eq!((orders.total(), sale.set.amounts().await), (0, (2, 2)));
    sale.org.patch(&with(&sale.set.path, "nonsense"), json!({"amount": 9})).await.refused(400, "bad_fields_schema");
    sale.org.delete(&with(&sale.set.path, "nonsense")).await.refused(400, "bad_fields_schema");
    assert_eq!(sale.set.amounts().await, (2, 2));
    let body = json!({"email": "a@example.org", "password": PASSWORD});
    sale.shop.anonymous().post(&with("users", "id{x}"), body.clone()).await.refused(400, "bad_fields_schema");
    sale.shop.anonymous().post("users", body).await.created();
    // Who must be known is told so first.
    sale.shop.anonymous().post(&with("orders", "nonsense"), wanted).await.refused(401, "credential_required");
    sale.shop.anonymous().get(&with("orders", "nonsense")).await.refused(401, "credential_required");
    sale.shop.anonymous().get(&with("events", "nonsense")).await.refused(400, "bad_fields_schema");
}

#[tokio::test]
async fn writes_and_sessions_are_answered_by_schema() {
    let sale = sale(2).await;
    let body = json!({"event": sale.event.id, "random": {&sale.set.id: 9}});
    let made = sale.org.post(&with("orders", "event{title{text}},tickets{status},details{wanted,got}"), body).await;
    let tickets = json!([{"status": "reserved"}, {"status": "reserved"}]);
    assert_eq!(
        made.created(),
        json!({
            "event": {"title": {"text": "test"}}, "tickets": tickets, "details": [{"wanted": 9, "got": 2}],
        })
    );
    let path = with(&sale.event.path, "title{text},sets{name,amount_vacant},org{name}");
    let changed = sale.org.patch(&path, json!({"title": {"text": "new"}})).await.ok();
    let set = json!({"name": "Parterre", "amount_vacant": 0});
    assert_eq!(
        changed,
        json!({"title": {"text": "new"}, "sets": [set], "org": {"name": "Partner of org@example.org"}})
    );
    let spare = sale.event.set(1, "1.00").await;
    let removed = sale.org.delete(&with(&spare.path, "removed,event{status}")).await.ok();
    assert_eq!(removed, json!({"removed": true, "event": {"status": "public"}}));
    let order = text(&sale.org.get("orders").await.ok()[0]["id"]);
    assert_eq!(sale.org.delete(&with(&format!("orders/{order}"), "nonsense")).await.ok(), json!({}));

    let user = sale.shop.user("a@example.org").await;
    let partner = user.partner("Mine").await;
    let whoami = "/v1/services/whoami";
    let shown = get(&user, whoami, "id,email,partners{name,users{email}}").await;
    let mine = json!({"name": "Mine", "users": [{"email": "a@example.org"}]});
    assert_eq!(shown, json!({"id": user.id, "email": "a@example.org", "partners": [mine]}));
    let credentials = json!({"email": "a@example.org", "password": PASSWORD});
    let answer = sale.shop.anonymous().post(&with(whoami, "partners"), credentials).await;
    assert_eq!(answer.session_token().len(), user.token.len());
    assert_eq!(answer.ok(), json!({"partners": [partner]}));
}

#[tokio::test]
async fn lists_keep_their_headers_and_their_order() {
    let sale = sale(2_500).await;
    sale.org.event_with(json!({"title": {"text": "later"}, "lifetime": EVENING})).await;
    let answer = sale.org.get(&with("events?limit=1", "title{text},org{name}")).await;
    assert_eq!(answer.total(), 2);
    let later = json!({"title": {"text": "later"}, "org": {"name": "Partner of org@example.org"}});
    assert_eq!(answer.ok(), json!([later]));
    // Streamed, and longer than a page of the database.
    let path = format!("{}/tickets?status=vacant", sale.event.path);
    let answer = sale.shop.anonymous().get(&with(&path, "number,set{event{title{text}}}")).await;
    assert_eq!((answer.total(), answer.status), (2_500, 200));
    let list = answer.json();
    assert_eq!(list.as_array().unwrap().len(), 2_500);
    assert_eq!(list[2_499], json!({"number": list[2_499]["number"], "set": {"event": {"title": {"text": "test"}}}}));
    assert!(list.as_array().unwrap().is_sorted_by_key(|ticket| ticket["number"].as_i64()));
}

#[tokio::test]
async fn head_answers_the_head_of_get() {
    let sale = sale(1).await;
    for path in [with(&sale.event.path, "id"), with("events", "id,org{name}"), sale.event.path.clone()] {
        let answer = sale.org.get(&path).await;
        let head = sale.org.send("HEAD", &path, None, Vec::new()).await;
        assert_eq!((head.status, head.bytes.len(), &head.headers), (200, 0, &answer.headers), "{path}");
        assert_eq!(head.header("content-length"), answer.bytes.len().to_string(), "{path}");
    }
    let bad = sale.org.send("HEAD", &with("events", "x"), None, Vec::new()).await;
    assert_eq!((bad.status, bad.bytes.len()), (400, 0));
}

#[tokio::test]
async fn an_answer_expands_ten_thousand_objects_at_most() {
    let sale = sale(2_100).await;
    for _ in 0..20 {
        sale.order(100).await;
    }
    // Five for each of 2,000 tickets.
    let schema = "tickets{set{event{org{users{id}}}}}";
    let shown = get(&sale.org, "orders", schema).await;
    assert_eq!(shown[19]["tickets"][99]["set"]["event"]["org"]["users"].as_array().unwrap().len(), 1);
    let last = sale.order(1).await;
    sale.org.get(&with("orders", schema)).await.refused(400, "bad_fields_schema");
    get(&sale.org, "orders?limit=20", schema).await;

    // What a write has changed is not answered by an error: references stay ids.
    for _ in 0..110 {
        sale.event.set_with(json!({"name": "x", "price": "1.00"})).await;
    }
    let path = with(&last.path, "tickets{set{event{sets{event{id}}}}}");
    let changed = sale.org.patch(&path, sale.set.random(99)).await.ok();
    assert_eq!(changed["tickets"].as_array().unwrap().len(), 99);
    assert_eq!(changed["tickets"][0]["set"], json!(null));
    assert_eq!(changed, json!({"tickets": last.tickets().await}));
    sale.org.get(&path).await.refused(400, "bad_fields_schema");
}
