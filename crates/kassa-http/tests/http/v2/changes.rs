//! The feed of changes: in answers, and in streams.

use std::time::Duration;

use kassa_domain::Timestamp;
use kassa_engine::metrics::Limit;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::given;
use crate::access::{Row, row};
use crate::client::Client;
use crate::events_stream::StreamEvent;
use crate::harness::{DAY_MS, Event, Org, Set, Shop, text};

const CHANGES: &str = "/v2/resources/changes";
const STREAM: &str = "/v2/resources/changes/stream";

#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET /v2/resources/changes", "", 401, [200, 200], [200, 200], 200),
    row("GET /v2/resources/changes/stream", "", 401, [200, 200], [200, 200], 200),
];

/// The types of some changes.
fn types(list: &Value) -> Vec<String> {
    list["data"].as_array().unwrap().iter().map(|change| text(&change["type"])).collect()
}

fn cursor(list: &Value) -> String {
    text(&list["pagination"]["cursor"])
}

/// What comes next for somebody, with these parameters besides.
async fn changes(client: &Client, query: &str) -> Value {
    client.get(&format!("{CHANGES}?{query}")).await.ok()
}

/// A shop with an event, and the end of the feed.
async fn sale(shop: &Shop) -> (Org, Event, Set, String) {
    let (org, event, set) = given(shop).await;
    let end = cursor(&changes(&org, "after=end").await);
    (org, event, set, end)
}

#[tokio::test]
async fn the_feed_tells_what_happened_in_order_and_goes_on_from_a_cursor() {
    let shop = Shop::open().await;
    let (org, event, set, end) = sale(&shop).await;
    let order = org.order(&event, set.random(2)).await;
    order.becomes("canceled").await;
    let list = changes(&org, &format!("after={end}")).await;
    assert_eq!(types(&list), ["order.reserved", "order.canceled"]);
    assert_eq!((&list["refs"], &list["pagination"]["has_more"]), (&json!({}), &json!(false)));
    let [reserved, canceled] = [&list["data"][0], &list["data"][1]];
    assert_eq!(reserved["resource"], json!({"type": "order", "id": order.id, "version": 1}));
    assert_eq!(canceled["resource"], json!({"type": "order", "id": order.id, "version": 2}));
    assert_eq!(
        (&reserved["event"], &reserved["actor"]),
        (&json!(event.id), &json!({"type": "api_key", "id": org.key, "partner": org.id}))
    );
    assert_eq!(canceled["facts"]["status"], json!({"from": "executed", "to": "cancelled"}));
    // The resource is as it is now, also with what happened before.
    assert_eq!([&reserved["data"]["status"], &canceled["data"]["status"]], ["cancelled", "cancelled"]);
    let first = changes(&org, &format!("after={end}&limit=1")).await;
    assert_eq!((types(&first), &first["pagination"]["has_more"]), (vec!["order.reserved".to_owned()], &json!(true)));
    for after in [cursor(&first), text(&first["data"][0]["cursor"])] {
        assert_eq!(changes(&org, &format!("after={after}")).await["data"], json!([canceled]), "{after}");
    }
    let thin = changes(&org, &format!("after={end}&payload=thin")).await;
    assert_eq!(types(&thin), types(&list));
    assert!(thin["data"].as_array().unwrap().iter().all(|change| change.get("data").is_none()), "{thin}");
}

#[tokio::test]
async fn without_a_cursor_all_that_is_kept_is_told() {
    let shop = Shop::open().await;
    let (org, ..) = given(&shop).await;
    let all = changes(&org, "").await;
    assert_eq!(all, changes(&org, "after=start").await);
    let told = types(&all);
    for kind in ["partner.created", "api_key.created", "event.created", "set.created"] {
        assert!(told.iter().any(|other| other == kind), "{kind} is not in {told:?}");
    }
    assert!(changes(&org, "after=end").await["data"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn each_partner_is_told_what_it_may_see() {
    let shop = Shop::open().await;
    let (org, event, set, end) = sale(&shop).await;
    let (agent, stranger) = (shop.organizer("agent@example.org").await, shop.organizer("other@example.org").await);
    let told = async |reader: &Client| {
        let (mut told, mut at) = (Vec::new(), end.clone());
        loop {
            let list = changes(reader, &format!("after={at}&types=order.*,set.*,deal.*")).await;
            told.extend(types(&list));
            at = cursor(&list);
            if list["pagination"]["has_more"] == false {
                return told;
            }
        }
    };
    set.patch(json!({"name": "Before the deal"})).await;
    let body = json!({"event": event.id, "subj": agent.id, "term": {"org": 90}});
    let deal = text(&org.post("deals", body).await.ok()["id"]);
    agent.patch(&format!("deals/{deal}"), json!({"status": "accepted"})).await.ok();
    set.patch(json!({"name": "After it"})).await;
    let sold = agent.order(&event, set.random(1)).await;
    org.order(&event, set.random(1)).await;
    let of_agent = told(&agent).await;
    // The order of the organizer itself is none of its business.
    assert_eq!(of_agent.iter().filter(|kind| *kind == "order.reserved").count(), 1, "{of_agent:?}");
    assert!(of_agent.iter().any(|kind| kind == "set.changed") && of_agent.contains(&"deal.accepted".to_owned()));
    let of_org = told(&org).await;
    assert_eq!(of_org.iter().filter(|kind| *kind == "order.reserved").count(), 2, "{of_org:?}");
    assert_eq!(told(&stranger).await, [""; 0]);
    let shown = changes(&agent, &format!("after={end}&types=order.reserved")).await;
    assert_eq!(shown["data"][0]["data"]["id"], json!(sold.id));
    assert_eq!(shown["data"][0]["actor"]["id"], json!(agent.key));
    let of_the_other = changes(&agent, &format!("after={end}&types=set.changed")).await;
    assert_eq!(of_the_other["data"][0]["actor"], json!({"type": "api_key", "partner": org.id}), "not which key");
    shop.anonymous().get(CHANGES).await.refused(401, "credential_required");
    shop.anonymous().get(STREAM).await.refused(401, "credential_required");
    let nobody = shop.user("nobody@example.org").await;
    nobody.get(CHANGES).await.refused(400, "partner_required");
}

#[tokio::test]
async fn only_a_key_with_the_scope_is_told_of_customers() {
    let shop = Shop::open().await;
    let (org, event, set, end) = sale(&shop).await;
    let key = json!({"name": "CRM", "scopes": ["customers"]});
    let token = text(&org.post(&format!("{}/api_keys", org.path()), key).await.created()["key"]);
    let (told, manager) = (shop.anonymous().with_key(&token), shop.user("ann@example.org").await);
    shop.manage(&org.id, &[&manager.id]).await;
    let body = json!({"event": event.id, "random": {&set.id: 1}, "customer": {"email": "nina@example.org"}});
    let order = text(&org.post("orders", body).await.created()["id"]);
    let query = format!("after={end}&types=order.*");
    let readers: [(&Client, bool); 3] = [(&told, true), (&org, false), (&manager, false)];
    for (reader, is_told) in readers {
        let list = changes(reader, &query).await;
        let data = &list["data"][0]["data"];
        assert_eq!((&data["id"], list.to_string().contains("nina")), (&json!(order), is_told), "{list}");
        let mut stream = reader.stream(&format!("{STREAM}?{query}")).await;
        assert_eq!(&stream.next_change().await.data["data"], data);
        // By its id, whoever may see the order sees who bought it.
        let shown = reader.get(&format!("/v2/resources/orders/{order}")).await.ok();
        assert!(shown.to_string().contains("nina@example.org"), "{shown}");
    }
    let thin = changes(&told, &format!("{query}&payload=thin")).await;
    assert!(!thin.to_string().contains("nina"), "{thin}");
}

#[tokio::test]
async fn types_and_an_event_select() {
    let shop = Shop::open().await;
    let (org, event, set, end) = sale(&shop).await;
    let other = org.event("Other").await;
    org.order(&event, set.random(1)).await.becomes("canceled").await;
    let told = async |query: &str| types(&changes(&org, &format!("after={end}&{query}")).await);
    assert_eq!(told("types=order.canceled").await, ["order.canceled"]);
    assert_eq!(told("types=order.*,event.created").await, ["event.created", "order.reserved", "order.canceled"]);
    assert_eq!(told(&format!("types=*&event={}", other.id)).await, ["event.created", "event.published"]);
    assert_eq!(told(&format!("types=order.*&event={}", other.id)).await, [""; 0]);
    // The cursor moves on where nothing is wanted.
    let none = changes(&org, &format!("after={end}&types=venue.*")).await;
    assert_eq!((cursor(&none), &none["data"]), (cursor(&changes(&org, "after=end").await), &json!([])));
}

#[tokio::test]
async fn bad_parameters_are_named() {
    let shop = Shop::open().await;
    let (org, ..) = given(&shop).await;
    let named = async |query: &str| {
        let details = org.get(&format!("{CHANGES}?{query}")).await.refused(400, "invalid_fields");
        let details = details.as_array().unwrap().clone();
        details.iter().map(|detail| text(&detail["field"])).collect::<Vec<String>>()
    };
    for (query, field) in [
        ("after=x", "after"),
        ("after=1200", "after"),
        ("after=999999-0", "after"),
        ("types=order", "types"),
        ("types=order.lost", "types"),
        ("event=x", "event"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("wait=31", "wait"),
        ("wait=-1", "wait"),
        ("payload=fat", "payload"),
    ] {
        assert_eq!(named(query).await, [field], "{query}");
    }
    assert_eq!(named("after=x&limit=0&wait=x").await, ["after", "limit", "wait"]);
    org.get(&format!("{STREAM}?after=999999-0")).await.refused(400, "invalid_fields");
    let details = org.with("last-event-id", "x").get(STREAM).await.refused(400, "invalid_fields");
    assert_eq!(details[0]["field"], "Last-Event-ID");
}

#[tokio::test]
async fn what_is_kept_no_longer_is_gone() {
    gone_is_told(Shop::open().await).await;
}

/// Both endpoints say so.
pub(crate) async fn gone_is_told(shop: Shop) {
    let (org, event, set, end) = sale(&shop).await;
    let told = changes(&org, "").await;
    let seen = text(&told["data"].as_array().unwrap().last().unwrap()["cursor"]);
    shop.pass_ms(DAY_MS);
    org.order(&event, set.random(1)).await;
    let before: Timestamp = shop.engine.now().plus_ms(-DAY_MS / 2);
    assert!(shop.engine.purge_batches(before).await.unwrap() > 0);
    let details = org.get(&format!("{CHANGES}?after=1-0")).await.refused(410, "changes_gone");
    assert_eq!(details[0]["field"], "after");
    assert!(text(&details[0]["problem"]).contains(&end), "{details} should name {end}");
    org.get(&format!("{STREAM}?after=1-0")).await.refused(410, "changes_gone");
    org.with("last-event-id", "1-0").get(STREAM).await.refused(410, "changes_gone");
    assert_eq!(types(&changes(&org, "").await), ["order.reserved"]);
    let missed_nothing = changes(&org, &format!("after={seen}")).await;
    assert_eq!(types(&missed_nothing), ["order.reserved"], "whoever has seen the last of a batch");
}

#[tokio::test]
async fn who_waits_is_told_at_once_and_keeps_nobody_from_reading() {
    let shop = Shop::open().await;
    let (org, event, set, end) = sale(&shop).await;
    let waiting: Vec<_> = (0..32)
        .map(|_| {
            let (org, path) = (org.clone(), format!("{CHANGES}?after={end}&types=order.*&wait=30"));
            tokio::spawn(async move {
                loop {
                    let answer = org.get(&path).await;
                    // While it is tried whether all places are taken, one of them is.
                    if answer.status != 429 {
                        return answer.ok();
                    }
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();
    // Each of them has a place, and one more finds none.
    let crowded = loop {
        let answer = org.get(&format!("{CHANGES}?after={end}&wait=1")).await;
        if answer.status == 429 {
            break answer;
        }
        // The last of them gets the place that this had.
        tokio::task::yield_now().await;
    };
    assert_eq!(crowded.header("retry-after"), "10");
    crowded.refused(429, "too_many_requests");
    assert!(shop.engine.limit_hits().get(Limit::FeedReaders) > 0);
    // Neither short reads nor lists wait for them; nor does another partner.
    org.get("orders").await.ok();
    org.get(&event.path).await.ok();
    let other = shop.organizer("other@example.org").await;
    assert_eq!(changes(&other, &format!("after={end}&types=order.*")).await["data"], json!([]));
    // What they do not want wakes nobody.
    set.patch(json!({"name": "Stalls"})).await;
    let began = Instant::now();
    let order = org.order(&event, set.random(1)).await;
    for answer in waiting {
        let list = answer.await.unwrap();
        assert_eq!(
            (types(&list), &list["data"][0]["resource"]["id"]),
            (vec!["order.reserved".into()], &json!(order.id))
        );
    }
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

#[tokio::test]
async fn who_waits_in_vain_gets_an_empty_page_in_the_end() {
    let shop = Shop::open().await;
    let (org, .., end) = sale(&shop).await;
    let began = Instant::now();
    let list = changes(&org, &format!("after={end}&wait=1")).await;
    assert_eq!((&list["data"], cursor(&list)), (&json!([]), end));
    assert!(began.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn a_stream_says_where_it_begins_and_what_happens_then() {
    let shop = Shop::open().await;
    let (org, event, set, end) = sale(&shop).await;
    let mut stream = org.with("accept-encoding", "gzip").stream(&format!("{STREAM}?types=order.*")).await;
    let header = |name: &str| stream.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
    assert_eq!(header("content-type").as_deref(), Some("text/event-stream"));
    assert_eq!(
        (header("cache-control").as_deref(), header("x-accel-buffering").as_deref()),
        (Some("no-store"), Some("no"))
    );
    assert_eq!((header("content-encoding"), header("content-length")), (None, None));
    let first = stream.next().await.unwrap();
    assert_eq!((first.kind.as_str(), &first.data), ("cursor", &json!({"cursor": end})));
    let order = org.order(&event, set.random(1)).await;
    let told = stream.next().await.unwrap();
    order.becomes("canceled").await;
    let list = changes(&org, &format!("after={end}&types=order.*")).await;
    assert_eq!((told.kind.as_str(), &told.id), ("order.reserved", &text(&list["data"][0]["cursor"])));
    assert_eq!(told.data["resource"], list["data"][0]["resource"]);
    assert_eq!(stream.next().await.unwrap().data, list["data"][1]);
}

#[tokio::test]
async fn a_stream_goes_on_where_it_was_cut_off_with_nothing_lost_and_nothing_twice() {
    let shop = Shop::open().await;
    let (org, event, set, end) = sale(&shop).await;
    let mut told: Vec<StreamEvent> = Vec::new();
    let mut at = end.clone();
    for round in 0..4 {
        let order = org.order(&event, set.random(1)).await;
        // The header wins: it says where the client is that was cut off.
        let reader = org.with("last-event-id", at);
        let mut stream = reader.stream(&format!("{STREAM}?after=start&types=order.*")).await;
        order.becomes("canceled").await;
        for _ in 0..=round % 2 {
            told.push(stream.next_change().await);
        }
        at = told.last().unwrap().id.clone();
    }
    let mut stream = org.with("last-event-id", at).stream(&format!("{STREAM}?types=order.*")).await;
    while told.len() < 8 {
        told.push(stream.next_change().await);
    }
    let list = changes(&org, &format!("after={end}&types=order.*")).await;
    let all: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|change| &change["id"]).collect();
    let seen: Vec<&Value> = told.iter().map(|event| &event.data["id"]).collect();
    assert_eq!(seen, all);
}

#[tokio::test]
async fn a_stream_ends_with_its_key() {
    let shop = Shop::open().await;
    let (org, event, set, _) = sale(&shop).await;
    let user = shop.user("ann@example.org").await;
    shop.manage(&org.id, &[&user.id]).await;
    let mut stream = org.stream(&format!("{STREAM}?types=order.*")).await;
    assert_eq!(stream.next().await.unwrap().kind, "cursor");
    user.delete(&format!("{}/api_keys/{}", org.path(), org.key)).await.ok();
    let order = json!({"event": event.id, "random": {&set.id: 1}});
    user.post("orders", order).await.created();
    assert_eq!(stream.next().await, None, "nothing is told to who has no key any more");
}

#[tokio::test]
async fn who_acts_for_a_partner_no_longer_is_told_nothing_more_of_it() {
    let shop = Shop::open().await;
    let (lost, lost_event, lost_set, end) = sale(&shop).await;
    let kept = shop.organizer("kept@example.org").await;
    let kept_event = kept.event("Kept").await;
    let kept_set = kept_event.set(10, "1.00").await;
    shop.run_jobs().await;
    let (ann, bob) = (shop.user("ann@example.org").await, shop.user("bob@example.org").await);
    shop.manage(&lost.id, &[&ann.id]).await;
    shop.manage(&kept.id, &[&ann.id]).await;
    let mut stream = ann.stream(&format!("{STREAM}?types=order.*")).await;
    assert_eq!(stream.next().await.unwrap().kind, "cursor");
    let mut others = Vec::new();
    while others.len() < 30 {
        others.push(ann.stream(STREAM).await);
    }
    let poll = tokio::spawn({
        let (ann, path) =
            (ann.with("accept", "application/json"), format!("{CHANGES}?after={end}&types=order.*&wait=20"));
        async move {
            loop {
                let answer = ann.get(&path).await;
                // While it is tried whether all places are taken, one of them is.
                if answer.status != 429 {
                    return answer.ok();
                }
                tokio::task::yield_now().await;
            }
        }
    });
    // It has the last place.
    while ann.get(&format!("{CHANGES}?after={end}&types=order.*&wait=1")).await.status != 429 {
        tokio::task::yield_now().await;
    }
    shop.manage(&lost.id, &[&bob.id]).await;
    lost.order(&lost_event, lost_set.random(1)).await;
    let told = kept.order(&kept_event, kept_set.random(1)).await;
    assert_eq!(stream.next_change().await.data["resource"]["id"], json!(told.id));
    let polled = poll.await.unwrap();
    let orders: Vec<&Value> = polled["data"].as_array().unwrap().iter().map(|one| &one["resource"]["id"]).collect();
    assert_eq!(orders, [&json!(told.id)], "{polled}");
}

#[tokio::test]
async fn streams_are_places_that_come_back() {
    let shop = Shop::open().await;
    let (org, ..) = given(&shop).await;
    let mut streams = Vec::new();
    for _ in 0..32 {
        streams.push(org.stream(STREAM).await);
    }
    let crowded = org.get(STREAM).await;
    assert_eq!(crowded.header("retry-after"), "10");
    crowded.refused(429, "too_many_requests");
    streams.pop();
    // The server learns that nobody reads any more when it looks.
    let began = Instant::now();
    while org.get(STREAM).await.status == 429 {
        assert!(began.elapsed() < Duration::from_secs(20));
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn who_hears_nothing_hears_a_comment_and_now_and_then_where_the_feed_is() {
    let shop = Shop::open().await;
    let (org, _, _, end) = sale(&shop).await;
    let mut stream = org.stream(&format!("{STREAM}?types=order.*")).await;
    assert!(stream.piece().await.unwrap().starts_with("retry: 2000\nid: "));
    // From here on time passes while nothing else happens.
    tokio::time::pause();
    let began = Instant::now();
    assert_eq!(stream.piece().await.unwrap(), ":\n");
    assert_eq!(began.elapsed().as_secs(), 15);
    shop.organizer("other@example.org").await;
    let moved = loop {
        let piece = stream.piece().await.unwrap();
        if piece != ":\n" {
            break piece;
        }
    };
    let now = cursor(&changes(&org, "after=end").await);
    assert_ne!(now, end);
    assert_eq!(moved, format!("id: {now}\nevent: cursor\ndata: {{\"cursor\":\"{now}\"}}\n\n"));
    assert!(began.elapsed() >= Duration::from_mins(1));
}
