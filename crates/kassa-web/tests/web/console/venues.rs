//! Places, and what is removed and brought back.

use kassa_http::http::StatusCode;

use serde_json::{Value, json};

use super::{Browser, after, draft, sale};
use crate::harness::Shop;

#[tokio::test]
async fn a_place_is_made_changed_removed_and_brought_back() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let (home, _) = event.split_once("/events/").unwrap();
    let list = format!("{home}/venues");
    ann.get(&list).await.assert_has(&["No place is here", "New place", "aria-current=\"page\">Places"]);
    let wrong = [("name", "Old Pier"), ("city", "Hamburk"), ("latitude", "north"), ("longitude", "")];
    let refused = ann.send(&format!("{list}/new"), &wrong).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    for part in ["id=\"wrong-city\"", "id=\"wrong-latitude\"", "value=\"Hamburk\"", "value=\"north\""] {
        assert!(refused.text().contains(part), "{part} is not in\n{}", refused.text());
    }
    let right =
        [("name", "Old Pier"), ("city", "Hamburg"), ("latitude", "53,54"), ("longitude", "9.98"), ("_key", "k")];
    ann.send(&format!("{list}/new"), &right).await.leads_to();
    assert_eq!(ann.send(&format!("{list}/new"), &right).await.leads_to(), format!("{list}?done=created"));
    let page = ann.get(&list).await;
    page.assert_has(&["Old Pier", "Hamburg, DE"]);
    let path = format!("{list}/{}", after(page.html(), &format!("list__link breaks\" href=\"{list}/")));
    ann.get(&path).await.assert_has(&["value=\"53.54\"", "value=\"Hamburg, DE\"", "Europe/Berlin"]);
    let first = ann.fill(&path, &[("address", "3 Dock Road")]).await;
    let second = ann.fill(&path, &[("name", "New Pier")]).await;
    assert_eq!(ann.send_filled(&path, &first).await.leads_to(), format!("{list}?done=saved"));
    let merged = ann.send_filled(&path, &second).await;
    assert_eq!(merged.status, StatusCode::CONFLICT);
    assert!(merged.text().contains("value=\"3 Dock Road\"") && merged.text().contains("value=\"New Pier\""));
    let removed = ann.send(&path, &[("_do", "remove")]).await;
    assert_eq!(removed.leads_to(), format!("{list}?done=removed"));
    ann.get(&list).await.assert_has(&["No place is here"]);
    ann.get(&format!("{list}?removed=true&q=pier")).await.assert_has(&["Old Pier", "Removed"]);
    ann.get(&path).await.assert_has(&["Bring it back"]);
    ann.send(&path, &[("_do", "restore")]).await.leads_to();
    ann.get(&list).await.assert_has(&["Old Pier", "3 Dock Road"]);
}

#[tokio::test]
async fn a_place_of_an_event_on_sale_is_not_removed() {
    let shop = Shop::open().await;
    let (ann, event, _) = sale(&shop).await;
    let (home, _) = event.split_once("/events/").unwrap();
    let fields = ann.fill(&format!("{event}/edit"), &[("venue_name", "Old Pier"), ("venue_city", "Hamburg")]).await;
    ann.send_filled(&format!("{event}/edit"), &fields).await.leads_to();
    let list = format!("{home}/venues");
    let page = ann.get(&list).await;
    let path = format!("{list}/{}", after(page.html(), &format!("list__link breaks\" href=\"{list}/")));
    let refused = ann.send(&path, &[("_do", "remove")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text().contains("takes place there"), "{}", refused.text());
    for part in ["value=\"Old Pier\"", "value=\"Hamburg, DE\""] {
        assert!(refused.text().contains(part), "{part} is not in\n{}", refused.text());
    }
}

#[tokio::test]
async fn an_event_stays_at_a_place_of_somebody_else() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let (eve, other) = Browser::with_partner(&shop, "eve@example.org", "Other Hall").await;
    let venue = json!({"name": "Old Pier", "city": 2_911_298});
    let venue = eve.api(&other, "POST", "/v1/resources/venues", &venue).await["id"].clone();
    let (home, id) = event.split_once("/events/").unwrap();
    let resource = format!("/v1/resources/events/{id}");
    let fields = format!("{resource}?fields-schema=venue%7Bid%7D,lifetime");
    for (name, value) in [("venue", &venue), ("name_change_until", &json!("2026-05-01T10:00:00Z"))] {
        ann.api(home, "PATCH", &resource, &json!({name: value})).await;
    }
    let before = ann.api(home, "GET", &fields, &Value::Null).await;
    assert_eq!(before["venue"]["id"], venue);
    let edit = format!("{event}/edit");
    ann.get(&edit).await.assert_has(&["selected>Old Pier, Hamburg<"]);
    let form = ann.fill(&edit, &[("desc", "New")]).await;
    ann.send_filled(&edit, &form).await.leads_to();
    assert_eq!(ann.api(home, "GET", &fields, &Value::Null).await, before);
    let copy = ann.get(&format!("{home}/events/new?copy={id}")).await;
    copy.assert_has(&["selected>Old Pier, Hamburg<"]);
}

#[tokio::test]
async fn a_place_is_made_once_though_the_button_of_its_event_is_pressed_twice() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let (home, _) = event.split_once("/events/").unwrap();
    let path = format!("{home}/events/new");
    let form = [("title", "Again"), ("venue_name", "Old Pier"), ("venue_city", "Hamburg")];
    let form = ann.fill(&path, &form).await;
    let made = ann.send_filled(&path, &form).await.leads_to().to_owned();
    shop.pass_ms(1_000);
    assert_eq!(ann.send_filled(&path, &form).await.leads_to(), made);
    let edit = format!("{event}/edit");
    let form = ann.fill(&edit, &[("venue_name", "New Pier")]).await;
    ann.send_filled(&edit, &form).await.leads_to();
    shop.pass_ms(1_000);
    ann.send_filled(&edit, &form).await;
    let org = home.strip_prefix("/console/").unwrap();
    let venues = ann.api(home, "GET", &format!("/v1/resources/venues?org={org}"), &Value::Null).await;
    assert_eq!(venues.as_array().unwrap().len(), 2, "{venues}");
}

#[tokio::test]
async fn an_event_is_removed_after_that_was_said_and_brought_back() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let (home, _) = event.split_once("/events/").unwrap();
    ann.get(&event).await.assert_has(&[&format!("href=\"{event}/remove\"")]);
    ann.get(&format!("{event}/remove")).await.assert_has(&["Night Concert will disappear from all lists."]);
    assert_eq!(ann.send(&format!("{event}/remove"), &[]).await.leads_to(), format!("{home}/events?done=removed"));
    ann.get(&format!("{home}/events")).await.assert_has(&["No event is here"]);
    ann.get(&format!("{home}/events?status=removed")).await.assert_has(&["Night Concert", "state--removed\">Removed"]);
    let page = ann.get(&event).await;
    page.assert_has(&["The event is removed", "Bring it back"]);
    assert!(!page.html().contains("/publish"), "what is removed is not put on sale");
    assert_eq!(ann.send(&format!("{event}/restore"), &[]).await.leads_to(), format!("{event}?done=restored"));
    ann.get(&format!("{home}/events")).await.assert_has(&["Night Concert"]);
}

#[tokio::test]
async fn an_event_with_sales_is_not_removed() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    ann.send(&format!("{home}/sale/{id}"), &[(&format!("random.{set}"), "1"), ("_key", "t")]).await.leads_to();
    let refused = ann.send(&format!("{event}/remove"), &[]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text().contains("Tickets of it are sold or held."), "{}", refused.text());
}
