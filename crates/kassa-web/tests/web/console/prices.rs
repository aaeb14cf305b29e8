//! Prices of a set in time, as its form changes them.

use kassa_http::http::StatusCode;
use serde_json::{Value, json};

use super::{Browser, draft, sale};
use crate::harness::Shop;

/// The path of an event in the interface, and of the console that it is of.
fn resource(event: &str) -> (&str, String) {
    let (home, id) = event.split_once("/events/").unwrap();
    (home, format!("/v1/resources/events/{id}"))
}

/// What tickets of a set cost: the start and the end of each price, and the price.
async fn prices(ann: &Browser<'_>, event: &str, set: &str) -> Vec<[String; 3]> {
    let (home, path) = resource(event);
    let set = ann.api(home, "GET", &format!("{path}/sets/{set}"), &Value::Null).await;
    let price = |rule: &Value| {
        let cal = rule["cal"].as_str().unwrap();
        let time =
            |name: &str| cal.lines().find(|line| line.starts_with(name)).map(|line| line[line.len() - 16..].to_owned());
        [time("DTSTART").unwrap(), time("DTEND").unwrap_or_default(), rule["price"].as_str().unwrap().to_owned()]
    };
    set["rules"].as_array().unwrap().iter().map(price).collect()
}

fn row(start: &str, finish: &str, price: &str) -> [String; 3] {
    [start, finish, price].map(str::to_owned)
}

/// Makes a set by the interface: its id.
async fn set(ann: &Browser<'_>, event: &str, rules: Value) -> String {
    let (home, path) = resource(event);
    let set = json!({"name": "Balcony", "amount": 10, "rules": rules});
    ann.api(home, "POST", &format!("{path}/sets"), &set).await["id"].as_str().unwrap().to_owned()
}

const NOW: &str = "20260101T000000Z";
const END: &str = "20260601T230000Z";

#[tokio::test]
async fn a_price_that_follows_is_taken_away_again() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let path = format!("{event}/sets/{set}");
    let saved = format!("{event}?done=saved");
    let more = ann.fill(&path, &[("from1", "2026-03-01T00:00"), ("price1", "30")]).await;
    assert_eq!(ann.send_filled(&path, &more).await.leads_to(), saved);
    let (before, later) = (row(NOW, "20260301T000000Z", "25.00"), row("20260301T000000Z", END, "30.00"));
    assert_eq!(prices(&ann, &event, &set).await, [before.clone(), later]);
    let alone = ann.fill(&path, &[("from1", ""), ("price1", "")]).await;
    assert_eq!(ann.send_filled(&path, &alone).await.leads_to(), saved);
    assert_eq!(prices(&ann, &event, &set).await, [row(NOW, END, "25.00")]);
    // What was sold by a price keeps it and its time, so that another one goes on.
    ann.send_filled(&path, &ann.fill(&path, &[("from1", "2026-03-01T00:00"), ("price1", "30")]).await).await.leads_to();
    let (home, id) = event.split_once("/events/").unwrap();
    ann.send(&format!("{home}/sale/{id}"), &[(&format!("random.{set}"), "1"), ("_key", "t")]).await.leads_to();
    let alone = ann.fill(&path, &[("from1", ""), ("price1", "")]).await;
    assert_eq!(ann.send_filled(&path, &alone).await.leads_to(), saved);
    assert_eq!(prices(&ann, &event, &set).await, [before, row("20260301T000000Z", END, "25.00")]);
    let sold = ann.fill(&path, &[("price", "1")]).await;
    let refused = ann.send_filled(&path, &sold).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text().contains("Tickets were sold at this price"), "{}", refused.text());
}

#[tokio::test]
async fn a_price_that_has_sold_is_followed_by_another_one() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    ann.send(&format!("{home}/sale/{id}"), &[(&format!("random.{set}"), "1"), ("_key", "t")]).await.leads_to();
    let path = format!("{event}/sets/{set}");
    let form = ann.fill(&path, &[("from1", "2026-03-01T00:00"), ("price1", "30")]).await;
    assert_eq!(ann.send_filled(&path, &form).await.leads_to(), format!("{event}?done=saved"));
    let wanted = [row(NOW, "20260301T000000Z", "25.00"), row("20260301T000000Z", END, "30.00")];
    assert_eq!(prices(&ann, &event, &set).await, wanted);
}

#[tokio::test]
async fn the_only_price_begins_when_it_did() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let set = set(&ann, &event, json!([{"start": "2026-03-01T00:00:00Z", "price": "20"}])).await;
    let path = format!("{event}/sets/{set}");
    ann.send_filled(&path, &ann.fill(&path, &[("price", "22")]).await).await.leads_to();
    assert_eq!(prices(&ann, &event, &set).await, [row("20260301T000000Z", END, "22.00")]);
}

#[tokio::test]
async fn all_prices_stay_when_one_is_changed() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let starts = [("01-02", "10"), ("01-03", "11"), ("01-04", "12"), ("02-01", "13"), ("03-01", "14"), ("04-01", "15")];
    let rule = |(day, price): (&str, &str)| json!({"start": format!("2026-{day}T00:00:07Z"), "price": price});
    let mut rules: Vec<Value> = starts.into_iter().map(rule).collect();
    for (at, finish) in [(0, "01-03"), (1, "01-04"), (2, "01-05"), (3, "03-01"), (4, "04-01"), (5, "05-01")] {
        rules[at]["finish"] = json!(format!("2026-{finish}T00:00:07Z"));
    }
    let set = set(&ann, &event, Value::Array(rules)).await;
    let mut wanted = prices(&ann, &event, &set).await;
    let path = format!("{event}/sets/{set}");
    let form = ann.fill(&path, &[("price5", "16")]).await;
    assert!(form.iter().any(|(name, _)| name == "from7"), "there are empty rows");
    ann.send_filled(&path, &form).await.leads_to();
    wanted[5][2] = "16.00".to_owned();
    assert_eq!(prices(&ann, &event, &set).await, wanted);
    // The third is taken out: what was before it ends when the fourth begins.
    ann.send_filled(&path, &ann.fill(&path, &[("from2", ""), ("price2", "")]).await).await.leads_to();
    wanted.remove(2);
    wanted[1][1] = wanted[2][0].clone();
    assert_eq!(prices(&ann, &event, &set).await, wanted);
}

#[tokio::test]
async fn a_set_whose_button_is_pressed_twice_is_made_once() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    let path = format!("{event}/new-set");
    let form = ann.fill(&path, &[("name", "Stalls"), ("amount", "10"), ("price", "25")]).await;
    for _ in 0..2 {
        assert_eq!(ann.send_filled(&path, &form).await.leads_to(), format!("{event}?done=created"));
        shop.pass_ms(1_000);
    }
    let (home, resource) = resource(&event);
    let sets = ann.api(home, "GET", &format!("{resource}/sets"), &Value::Null).await;
    assert_eq!(sets.as_array().unwrap().len(), 1);
}
