//! What was sold, in figures.

use kassa_http::http::StatusCode;
use serde_json::{Value, json};

use super::{Browser, concerts, sale};
use crate::harness::Shop;

#[tokio::test]
async fn what_was_sold_is_told_by_set_seller_and_day() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    let count = format!("random.{set}");
    ann.get(home).await.assert_has(&["Sold in the last 30 days", "Nothing was sold in this time.", "Older orders"]);
    ann.get(&format!("{event}/sales")).await.assert_has(&["Nothing was sold yet."]);
    for key in ["a", "b"] {
        ann.send(&format!("{home}/sale/{id}"), &[(count.as_str(), "2"), ("_key", key)]).await.leads_to();
    }
    shop.count_sales().await;
    let overview = ann.get(home).await;
    overview.assert_has(&["Customers paid", "€100", "As a table", "class=\"plot\"", "<rect class=\"plot__column\""]);
    assert!(!overview.text().contains("Older orders"), "all are counted");
    let page = ann.get(&format!("{event}/sales")).await;
    page.assert_has(&["Stalls", "€100", "By seller", "Tickets by day", "Sold", "Held", "Free"]);
    assert!(!page.text().contains("style="), "no page has styles within it");
    let (eve, other) = Browser::with_partner(&shop, "eve@example.org", "Other Hall").await;
    assert_eq!(eve.get(&format!("{other}/events/{id}/sales")).await.status, StatusCode::NOT_FOUND);
    eve.get(&other).await.assert_has(&["Put your first event on sale"]);
}

#[tokio::test]
async fn an_agent_sees_what_it_sold_owes_and_earns() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    let (eve, agency) = Browser::with_partner(&shop, "eve@example.org", "City Tickets").await;
    ann.get(&format!("{home}/agents")).await.assert_has(&["No agent has sold anything of yours yet."]);
    let form = [("event", id), ("org", "91"), ("extra", "10"), ("_key", "d1")];
    let made = eve.send(&format!("{agency}/deals/new"), &form).await.leads_to().to_owned();
    let deal = made.split('?').next().unwrap().rsplit('/').next().unwrap();
    ann.send(&format!("{home}/deals/{deal}"), &[("answer", "accepted")]).await.leads_to();
    let cookie = eve.session.borrow().clone();
    let headers = [
        ("cookie", cookie.as_str()),
        ("x-partner", agency.rsplit('/').next().unwrap()),
        ("content-type", "application/json"),
    ];
    let made = shop.send("POST", "/v2/resources/orders", &headers, &json!({"random": {set: 2}}).to_string()).await;
    let made: Value = serde_json::from_slice(&made.bytes).unwrap();
    let order = format!("/v2/resources/orders/{}", made["data"]["id"].as_str().unwrap());
    let paid = shop.send("PATCH", &order, &headers, &json!({"status": "done"}).to_string()).await;
    assert_eq!(paid.status, StatusCode::OK, "{}", paid.text());
    shop.count_sales().await;
    // 27.50 each, of which 22.75 are the organizer's, 0.75 the platform's, and 4.00 the agent's.
    eve.get(&format!("{agency}/agents")).await.assert_has(&["Night Concert", "€55", "€47", "€8", "Total"]);
    ann.get(&format!("{home}/agents")).await.assert_has(&["City Tickets", "Night Concert", "€55", "€47", "€8"]);
    ann.get(&format!("{event}/sales")).await.assert_has(&["City Tickets", "€45.50", "€8"]);
}

#[tokio::test]
async fn what_is_on_sale_is_added_up_over_all_events_and_not_over_those_that_are_shown() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    ann.send(&format!("{home}/sale/{id}"), &[(&format!("random.{set}"), "3"), ("_key", "a")]).await.leads_to();
    let figures = |events: &str, taken: &str, left: &str| {
        [("Events on sale", events), ("Tickets sold or held", taken), ("Left", left)]
            .map(|(name, figure)| format!("<dt>{name}</dt><dd>{figure}</dd>"))
    };
    let page = ann.get(home).await;
    page.assert_has(&figures("1", "3", "7").each_ref().map(String::as_str));
    assert!(!page.text().contains("class=\"more\""), "all are shown");
    for id in concerts(&ann, home, 20).await {
        let set = json!({"name": "Stalls", "amount": 10, "price": "25"});
        ann.api(home, "POST", &format!("/v1/resources/events/{id}/sets"), &set).await;
    }
    let page = ann.get(home).await;
    // The first one is not among the newest any more, which are shown.
    assert!(!page.text().contains("Night Concert"));
    page.assert_has(&figures("21", "3", "207").each_ref().map(String::as_str));
    page.assert_has(&[&format!("<a class=\"more\" href=\"{home}/events?status=public\">1 more</a>")]);
}
