//! `/v1/resources/deals`, and what is sold under them.

use serde_json::{Value, json};

use crate::access::{Row, row};
use crate::client::{ids, shape};
use crate::harness::{Event, OPEN_END, Org, Shop, TO_END_OF_EVENING_MS, text};

/// What each kind of caller gets.
#[rustfmt::skip]
pub(crate) const ACCESS: &[Row] = &[
    row("GET deals", "", 401, [200, 200], [200, 200], 200),
    row("POST deals", r#"{"event": "{event}", "subj": "{agent}", "term": {"org": 90}}"#, 401, [403, 403], [200, 200], 400),
    row("GET deals/{deal}", "", 401, [404, 404], [200, 200], 200),
    row("PATCH deals/{deal}", "{}", 401, [404, 404], [200, 200], 200),
];

/// An organizer with an event, an agent, and a deal between them.
async fn dealt(shop: &Shop, term: Value) -> (Org, Event, Org, Value) {
    let org = shop.organizer("org@example.org").await;
    let agent = shop.organizer("agent@example.org").await;
    let event = org.event("Concert").await;
    let body = json!({"event": event.id, "subj": agent.id, "term": term, "message": "Good luck"});
    let deal = org.post("deals", body).await.ok();
    (org, event, agent, deal)
}

#[tokio::test]
async fn a_deal_of_the_organizer_is_in_force_at_once() {
    let shop = Shop::open().await;
    let (org, event, agent, deal) = dealt(&shop, json!({"org": 90, "extra": 10.5, "pfc": false})).await;
    insta::assert_snapshot!(shape(&deal), @r#"
    {
      "created_at": "2026-01-01T00:00:00.000000+00:00",
      "event": "[id]",
      "id": "[id]",
      "message": "Good luck",
      "obj": "[id]",
      "reversed_deal": false,
      "status": "accepted",
      "subj": "[id]",
      "term": {
        "core": "3.00%",
        "extra": "10.5%",
        "org": "90.00%",
        "pfc": false
      },
      "title": {
        "desc": null,
        "text": "Concert"
      },
      "updated_at": "2026-01-01T00:00:00.000000+00:00"
    }
    "#);
    assert_eq!([&deal["subj"], &deal["obj"]], [&json!(agent.id), &json!(org.id)]);
    let path = format!("deals/{}", text(&deal["id"]));
    for side in [&org, &agent] {
        assert_eq!(side.get(&path).await.ok(), deal);
        let filter = format!("deals?event={}&partner={}&status=accepted", event.id, agent.id);
        assert_eq!(side.get(&filter).await.ok(), json!([deal]));
    }
}

#[tokio::test]
async fn terms_are_percents_or_amounts() {
    let shop = Shop::open().await;
    let cases = [
        (json!({"org": 10, "extra": 10}), ["10.00%", "10.0%", "3.00%"]),
        (json!({"org": "90%", "extra": "12.345%"}), ["90.00%", "12.345%", "3.00%"]),
        (json!({"org": "80.00", "extra": "5"}), ["80.00", "5.00", "3.00%"]),
        (json!({"org": 0}), ["0.00%", "0.0%", "3.00%"]),
    ];
    let (org, event, agent, _) = dealt(&shop, json!({"org": 90})).await;
    for (term, shown) in cases {
        let body = json!({"event": event.id, "subj": agent.id, "term": term});
        let deal = org.post("deals", body).await.ok();
        let terms = ["org", "extra", "core"].map(|share| text(&deal["term"][share]));
        assert_eq!(terms, shown, "{term}");
    }
    for term in
        [json!({"org": -1}), json!({"org": "a lot"}), json!({"extra": 1}), json!([90]), json!({"org": 90, "pfc": 1})]
    {
        let body = json!({"event": event.id, "subj": agent.id, "term": term});
        org.post("deals", body).await.refused(400, "invalid_fields");
    }
    let body = json!({"event": event.id, "subj": agent.id, "term": {"org": 98}});
    org.post("deals", body).await.refused(400, "terms_exceed_price");
}

#[tokio::test]
async fn an_agent_proposes_and_the_organizer_answers() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let agent = shop.organizer("agent@example.org").await;
    let event = org.event("Concert").await;
    let set = event.set(10, "100.00").await;
    let body = json!({"event": event.id, "term": {"org": 90, "extra": 10}});
    let deal = agent.post("deals", body).await.ok();
    assert_eq!([&deal["status"], &deal["reversed_deal"]], [&json!("new"), &json!(true)]);
    let order = json!({"event": event.id, "random": {&set.id: 1}});
    agent.post("orders", order.clone()).await.refused(400, "deal_not_found");
    let path = format!("deals/{}", text(&deal["id"]));
    agent.patch(&path, json!({"status": "accepted"})).await.refused(403, "forbidden");
    let accepted = org.patch(&path, json!({"status": "accepted", "reversed_deal": false})).await.ok();
    assert_eq!([&accepted["status"], &accepted["reversed_deal"]], [&json!("accepted"), &json!(true)]);
    org.patch(&path, json!({"status": "declined"})).await.refused(400, "deal_transition");
    let sold = agent.post("orders", order).await.created();
    assert_eq!([&sold["deal"], &sold["value"], &sold["value_extra"]], [&deal["id"], &json!("110.00"), &json!("10.00")]);
    assert_eq!([&sold["vendor"], &sold["org"]], [&json!(agent.id), &json!(org.id)]);
}

#[tokio::test]
async fn prices_are_shown_as_the_caller_sells() {
    let shop = Shop::open().await;
    let (org, event, agent, deal) = dealt(&shop, json!({"org": 97, "extra": 10})).await;
    let set = event.set(10, "100.00").await;
    let prices = |set: &Value| ["price", "price_org", "price_extra"].map(|price| text(&set[price]));
    let as_agent = agent.get(&set.path).await.ok();
    assert_eq!(prices(&as_agent), ["110.00", "100.00", "10.00"]);
    assert_eq!(prices(&as_agent["current_rule"]), ["110.00", "100.00", "10.00"]);
    let listed = agent.get(&format!("events?ids={}", event.id)).await.ok();
    assert_eq!(prices(&listed[0]["sets"][0]), ["110.00", "100.00", "10.00"]);
    for plain in [org.get(&set.path).await.ok(), shop.anonymous().get(&set.path).await.ok()] {
        assert_eq!(prices(&plain), ["100.00", "100.00", "0.00"]);
    }
    let path = format!("deals/{}", text(&deal["id"]));
    agent.patch(&path, json!({"status": "terminated"})).await.ok();
    assert_eq!(prices(&agent.get(&set.path).await.ok()), ["100.00", "100.00", "0.00"]);
}

#[tokio::test]
async fn an_agent_with_a_deal_sees_an_event_that_is_not_public() {
    let shop = Shop::open().await;
    let (_, event, agent, _) = dealt(&shop, json!({"org": 90})).await;
    let stranger = shop.organizer("stranger@example.org").await;
    event.patch(json!({"status": "stand_by"})).await;
    for path in [event.path.clone(), format!("{}/sets", event.path), format!("{}/tickets", event.path)] {
        agent.get(&path).await.ok();
        stranger.get(&path).await.refused(404, "not_found");
    }
    let list = format!("events?ids={}", event.id);
    assert_eq!(agent.get(&list).await.total(), 1);
    assert_eq!(stranger.get(&list).await.total(), 0);
}

#[tokio::test]
async fn a_proposal_within_the_standard_terms_is_accepted_at_once() {
    let shop = Shop::open().await;
    let org = shop.organizer("org@example.org").await;
    let agent = shop.organizer("agent@example.org").await;
    let event = org.event("Concert").await;
    let path = format!("partners/{}", org.id);
    let standard = json!({"standard_term": {"org": 90, "extra": 10}});
    let partner = org.patch(&path, standard).await.ok();
    assert_eq!(
        partner["standard_term"],
        json!({"org": "90.00%", "extra": "10.0%", "extra_max": "100.0%", "pfc": false})
    );
    for (share, status) in [(91, "accepted"), (90, "accepted"), (89, "new")] {
        let body = json!({"event": event.id, "term": {"org": share}});
        assert_eq!(agent.post("deals", body).await.ok()["status"], status, "{share}");
    }
}

#[tokio::test]
async fn the_end_of_the_event_finishes_a_deal_in_force() {
    let shop = Shop::open().await;
    let (org, event, agent, accepted) = dealt(&shop, json!({"org": 90})).await;
    let proposed = agent.post("deals", json!({"event": event.id, "term": {"org": 80}})).await.ok();
    let open_end = org.event_with(json!({"title": "Club", "status": "public", "lifetime": OPEN_END})).await;
    let lasting = org.post("deals", json!({"event": open_end.id, "subj": agent.id, "term": {"org": 90}})).await.ok();
    let listed = async |status: &str| ids(&agent.get(&format!("deals?status={status}")).await.ok());
    let [accepted, proposed, lasting] = [&accepted, &proposed, &lasting].map(|deal| text(&deal["id"]));
    shop.pass_ms(TO_END_OF_EVENING_MS - 1);
    assert_eq!(listed("accepted").await, [lasting.as_str(), &accepted]);
    assert_eq!(listed("finished").await, [""; 0]);
    shop.pass_ms(1);
    assert_eq!(listed("accepted").await, [lasting.as_str()]);
    assert_eq!(listed("finished").await, [accepted.as_str()]);
    assert_eq!(listed("new").await, [proposed.as_str()]);
    assert_eq!(listed("finished,accepted").await, [lasting.as_str(), &accepted]);
    assert_eq!(agent.get("deals?status=finished").await.total(), 1);
    let path = format!("deals/{accepted}");
    assert_eq!(agent.get(&path).await.ok()["status"], "finished");
    org.patch(&path, json!({"status": "terminated"})).await.refused(400, "deal_transition");
}
