//! What is sold: the first page, organizers and agents.

use kassa_domain::partner::PartnerRole;
use kassa_http::http::StatusCode;
use serde_json::json;

use crate::harness::Shop;

/// In which order texts stand in a page.
#[track_caller]
fn assert_order(html: &str, texts: &[&str]) {
    let places: Vec<Option<usize>> = texts.iter().map(|text| html.find(text)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{texts:?} are at {places:?}");
}

fn evening(date: &str) -> String {
    format!("BEGIN:VEVENT\r\nDTSTART:{date}T180000Z\r\nDTEND:{date}T210000Z\r\nEND:VEVENT\r\n")
}

#[tokio::test]
async fn the_first_page_lists_what_is_public_and_not_over_the_next_first() {
    let shop = Shop::open().await;
    shop.get("/").await.assert_has(&["Nothing is on sale just now"]);
    let org = shop.organizer().await;
    for (title, date) in [("Third", "20260901"), ("First", "20260201"), ("Second", "20260301")] {
        let event = org.event(title, json!({"lifetime": evening(date), "venue": org.venue().await})).await;
        org.set(&event, json!({"name": "Hall", "amount": 10, "price": "20.00"})).await;
    }
    org.event("Draft", json!({"status": "stand_by"})).await;
    let page = shop.get("/").await;
    assert_order(page.html(), &[">First<", ">Second<", ">Third<"]);
    assert!(!page.html().contains("Draft"));
    page.assert_has(&["Harbour Hall, Hamburg", "€20", ">Feb<"]);
    shop.pass_days(40);
    assert!(!shop.get("/").await.html().contains(">First<"), "it is over");
}

#[tokio::test]
async fn a_long_list_has_pages() {
    let shop = Shop::open().await;
    let org = shop.organizer().await;
    for number in 10..40 {
        org.event(&format!("Evening {number}"), json!({"lifetime": evening(&format!("202603{:02}", number / 2))}))
            .await;
    }
    let first = shop.get("/").await;
    first.assert_has(&[">Evening 10<", "href=\"/?page=2\""]);
    assert!(!first.html().contains(">Evening 39<"));
    let second = shop.get("/?page=2").await;
    second.assert_has(&[">Evening 39<", "href=\"/\"", "/?page=2&#38;lang=de"]);
    assert!(!second.html().contains(">Evening 10<"));
}

#[tokio::test]
async fn an_organizer_has_its_events_as_a_list_and_by_the_month() {
    let shop = Shop::open().await;
    let (org, other) = (shop.organizer().await, shop.partner("Old Depot", &[PartnerRole::Organizer]).await);
    org.event("Lanterns", json!({"lifetime": evening("20260314")})).await;
    other.event("Puppets", json!({"lifetime": evening("20260315")})).await;
    let path = format!("/o/harbour-hall-{}", org.id);
    assert_eq!(shop.get(&format!("/o/{}", org.id)).await.moved_to(), path);
    let month = format!("{path}?view=calendar&month=2026-03");
    assert_eq!(shop.get(&format!("/o/{}?view=calendar&month=2026-03", org.id)).await.moved_to(), month);
    let list = shop.get(&path).await;
    list.assert_has(&["<h1>Harbour Hall</h1>", ">Lanterns<", "Organizer"]);
    assert!(!list.html().contains("Puppets"));
    let calendar = shop.get(&month).await;
    calendar.assert_has(&["March 2026", "Saturday, 14 March 2026", "day--busy", "<abbr title=\"Monday\">Mon</abbr>"]);
    assert_eq!(
        shop.get(&format!("{path}?view=calendar")).await.html().matches("day--busy").count(),
        1,
        "the first month"
    );
    shop.get(&format!("{path}?view=calendar&month=2026-04&lang=de"))
        .await
        .assert_has(&["April 2026", "keine Veranstaltungen"]);
    shop.get(&format!("{path}?view=calendar&month=soon")).await.assert_has(&["March 2026"]);
    assert_eq!(shop.get(&format!("/a/{}", org.id)).await.status, StatusCode::NOT_FOUND, "it is no agent");
    assert_eq!(shop.get("/o/6955b900ffffffff00000001").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_agent_has_the_events_of_its_deals() {
    let shop = Shop::open().await;
    let (org, agent) = (shop.organizer().await, shop.partner("City Tickets", &[PartnerRole::Agent]).await);
    let sold = org.event("Lanterns", json!({})).await;
    org.event("Puppets", json!({})).await;
    agent.open_shop().await;
    let path = format!("/a/city-tickets-{}", agent.id);
    shop.get(&path).await.assert_has(&["No events at the moment"]);
    org.send("POST", "deals", &json!({"event": sold, "subj": agent.id, "term": {"org": 90, "extra": 10}})).await;
    let page = shop.get(&path).await;
    page.assert_has(&["Ticket agent", &format!("/e/lanterns-{sold}?seller={}", agent.id)]);
    assert!(!page.html().contains("Puppets"));
    org.set(&sold, json!({"name": "Floor", "amount": 9, "price": "100.00"})).await;
    shop.get(&path).await.assert_has(&["€110"]);
    shop.get(&format!("/e/lanterns-{sold}?seller={}", agent.id)).await.assert_has(&["€110"]);
    shop.get(&format!("/e/lanterns-{sold}")).await.assert_has(&["€100"]);
}
