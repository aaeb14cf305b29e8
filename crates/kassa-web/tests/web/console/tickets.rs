//! Tickets one by one, seats and their prices.

use kassa_domain::set::BLOCKED_MAX;
use kassa_http::http::StatusCode;
use serde_json::{Value, json};

use super::{Browser, after, draft, sale};
use crate::harness::{Page, Shop};

/// An event on sale in a hall of two rows of eight seats and a balcony of four: its browser, its path and its id.
async fn hall(shop: &Shop) -> (Browser<'_>, String, String) {
    let (ann, event) = draft(shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    let row = |row: &str, to: u16| json!({"row": row, "from": 1, "to": to});
    let venue = ann.api(home, "POST", "/v1/resources/venues", &json!({"name": "Old Pier"})).await;
    let venue = venue["id"].as_str().unwrap();
    let sectors = json!([
        {"id": "S", "name": "Stalls", "rows": [row("1", 8), row("2", 8)]},
        {"id": "B", "name": "Balcony", "rows": [row("A", 4)]},
    ]);
    let maps = format!("/v1/resources/venues/{venue}/maps");
    ann.api(home, "POST", &maps, &json!({"name": "Great hall", "sectors": sectors})).await;
    ann.api(home, "PATCH", &format!("/v1/resources/events/{id}"), &json!({"venue": venue})).await;
    (ann, event.clone(), id.to_owned())
}

/// The sets of an event: ids, names, prices, seats and what is left, by their names.
async fn sets(ann: &Browser<'_>, event: &str) -> Value {
    let (home, id) = event.split_once("/events/").unwrap();
    let sets = ann.api(home, "GET", &format!("/v1/resources/events/{id}/sets"), &Value::Null).await;
    let by_name = sets.as_array().unwrap().iter().map(|set| (set["name"].as_str().unwrap().to_owned(), set.clone()));
    Value::Object(by_name.collect())
}

/// The values of the boxes of tickets on a page.
fn boxes(page: &Page) -> Vec<String> {
    let marks = page.html().split("name=\"ticket\" value=\"").skip(1);
    marks.map(|rest| rest.split_once('"').unwrap().0.to_owned()).collect()
}

#[tokio::test]
async fn tickets_are_found_and_held_back_one_by_one() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    let tickets = format!("{event}/tickets");
    let page = ann.get(&tickets).await;
    page.assert_has(&["10 tickets", "Stalls", "Free"]);
    let all = boxes(&page);
    assert_eq!(all.len(), 10);
    let blocked = ann.send(&tickets, &[("_do", "block"), ("ticket", &all[0]), ("ticket", &all[1])]).await;
    assert_eq!(blocked.leads_to(), format!("{tickets}?done=saved"));
    // Others are held back besides, and not in their place.
    ann.send(&format!("{tickets}?status=vacant&set={set}"), &[("_do", "block"), ("ticket", &all[2])]).await.leads_to();
    let held = ann.get(&format!("{tickets}?status=blocked")).await;
    held.assert_has(&["3 tickets", "Held back", "Show all"]);
    ann.send(&tickets, &[("_do", "free"), ("ticket", &all[1])]).await.leads_to();
    assert_eq!(boxes(&ann.get(&format!("{tickets}?status=blocked&set={set}")).await), [all[0].clone(), all[2].clone()]);
    assert_eq!(sets(&ann, &event).await["Stalls"]["amount_vacant"], 8);
    let none = ann.send(&tickets, &[("_do", "block")]).await;
    assert_eq!(none.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(none.text().contains("Choose tickets first."), "{}", none.text());
    // A sold ticket is found by its barcode and by its number, and stays sold.
    let form = [(format!("random.{set}"), "1"), ("_key".to_owned(), "till-1")];
    let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    ann.send(&format!("{home}/sale/{id}"), &form).await.leads_to();
    let sold = ann.api(home, "GET", &format!("/v1/resources/events/{id}/tickets?status=sold"), &Value::Null).await;
    let (barcode, number) = (sold[0]["barcode"].as_str().unwrap(), sold[0]["number"].to_string());
    for text in [barcode, number.as_str(), &format!("{} {number}", sold[0]["serial"].as_str().unwrap())] {
        let found = ann.get(&format!("{tickets}?q={}", text.replace(' ', "%20"))).await;
        found.assert_has(&["1 ticket<", barcode, "Sold"]);
        assert!(boxes(&found).is_empty());
    }
    ann.get(&format!("{tickets}?q=999999")).await.assert_has(&["No ticket is here"]);
    let ticket = format!("{set}.{}", sold[0]["id"].as_str().unwrap());
    let refused = ann.send(&tickets, &[("_do", "block"), ("ticket", &ticket)]).await;
    assert!(refused.text().contains("Some of them are held by an order or sold."), "{}", refused.text());
}

#[tokio::test]
async fn a_ticket_has_a_page_where_it_is_held_back_and_freed() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let page = ann.get(&format!("{event}/tickets")).await;
    let path = after(page.html(), &format!("href=\"{event}/sets/{set}/tickets/")).to_owned();
    let path = format!("{event}/sets/{set}/tickets/{path}");
    ann.get(&path).await.assert_has(&["Free", "Stalls", "value=\"block\""]);
    assert_eq!(ann.send(&path, &[("_do", "block")]).await.leads_to(), format!("{path}?done=saved"));
    ann.get(&path).await.assert_has(&["Held back", "value=\"free\""]);
    ann.send(&path, &[("_do", "free")]).await.leads_to();
    ann.get(&path).await.assert_has(&["Free"]);
    let missing = format!("{event}/sets/{set}/tickets/{}", "0".repeat(24));
    assert_eq!(ann.get(&missing).await.status, StatusCode::NOT_FOUND);
    ann.get(&format!("{event}/sets/{set}/history")).await.assert_has(&["It was changed", "It was made"]);
}

#[tokio::test]
async fn of_tickets_without_seats_as_many_are_held_back_as_the_organizer_says() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let tickets = format!("{event}/tickets?set={set}");
    ann.get(&tickets).await.assert_has(&["Held back of Stalls", "max=\"10\""]);
    for (count, left) in [("4", 6), ("7", 3), ("2", 8), ("0", 10)] {
        ann.send(&tickets, &[("_do", "count"), ("_set", &set), ("count", count)]).await.leads_to();
        assert_eq!(sets(&ann, &event).await["Stalls"]["amount_vacant"], left, "{count} are held back");
    }
    let wrong = ann.send(&tickets, &[("_do", "count"), ("_set", &set), ("count", "some")]).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    let many = (BLOCKED_MAX + 1).to_string();
    let many = ann.send(&tickets, &[("_do", "count"), ("_set", &set), ("count", &many)]).await;
    assert_eq!(many.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(many.text().contains("That is too many."), "{}", many.text());
}

#[tokio::test]
async fn where_fewer_tickets_are_free_than_shall_be_held_back_the_page_says_how_many_are() {
    let shop = Shop::open().await;
    let (ann, event, set) = sale(&shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    ann.send(&format!("{home}/sale/{id}"), &[(&format!("random.{set}"), "3"), ("_key", "till-1")]).await.leads_to();
    let tickets = format!("{event}/tickets?set={set}");
    let hold = async |count: &str| {
        ann.send(&tickets, &[("_do", "count"), ("_set", &set), ("count", count)]).await.leads_to().to_owned()
    };
    let all = ann.get(&hold("7").await).await;
    all.assert_has(&["Saved."]);
    assert!(!all.text().contains("no more were free"), "it is as it was asked for");
    ann.get(&hold("9").await).await.assert_has(&["Saved. Only 7 are held back: no more were free."]);
}

#[tokio::test]
async fn long_lists_of_tickets_have_pages() {
    let shop = Shop::open().await;
    let (ann, event) = draft(&shop).await;
    ann.send(&format!("{event}/new-set"), &[("name", "Floor"), ("amount", "120"), ("price", "5")]).await.leads_to();
    let tickets = format!("{event}/tickets");
    let mut all = Vec::new();
    for (page, count) in [("1", 50), ("2", 50), ("3", 20)] {
        let page = ann.get(&format!("{tickets}?page={page}")).await;
        page.assert_has(&["120 tickets"]);
        let here = boxes(&page);
        assert_eq!(here.len(), count);
        all.extend(here);
    }
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 120, "each is on one page");
}

#[tokio::test]
async fn rows_get_prices_are_held_back_and_given_to_others() {
    let shop = Shop::open().await;
    let (ann, event, _) = hall(&shop).await;
    let path = format!("{event}/seats");
    let page = ann.get(&path).await;
    page.assert_has(&["Hall map", "Great hall", "No numbered seats"]);
    let map = after(page.html(), "<option value=\"").to_owned();
    ann.send(&path, &[("_do", "map"), ("map", &map)]).await.leads_to();
    let page = ann.get(&path).await;
    page.assert_has(&["No price yet", "16 seats", "<legend>Row 1</legend>", "Balcony"]);
    let none = ann.send(&path, &[("_do", "block")]).await;
    assert!(none.text().contains("Choose rows or seats first."), "{}", none.text());
    let early = ann.send(&path, &[("_do", "block"), ("rows.map0", "1")]).await;
    assert!(early.text().contains("give them one first"), "{}", early.text());
    // The first row, and half of the second.
    let first =
        [("_do", "price"), ("rows.map0", "1"), ("name", "Front"), ("price", "40"), ("_rows", "map0.0"), ("_key", "k1")];
    ann.send(&path, &first).await.leads_to();
    let wrong = ann.send(&path, &[("_do", "price"), ("seats.map0.2", "1-4"), ("name", ""), ("price", "a lot")]).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    for part in ["id=\"wrong-name\"", "id=\"wrong-price\"", "value=\"a lot\""] {
        assert!(wrong.text().contains(part), "{part} is not in\n{}", wrong.text());
    }
    let second = [
        ("_do", "price"),
        ("seats.map0.2", "1-4"),
        ("rows.map1", "A"),
        ("name", "Side"),
        ("price", "20"),
        ("_key", "k2"),
    ];
    ann.send(&path, &second).await.leads_to();
    let now = sets(&ann, &event).await;
    assert_eq!(now["Front"]["seats"], json!({"1": [[1, 8]]}));
    assert_eq!((now["Front"]["sector"].as_str(), now["Front"]["price"].as_str()), (Some("S"), Some("40.00")));
    let page = ann.get(&path).await;
    page.assert_has(&["Front", "€40", "8 free, 0 held back, 0 taken", "4 free, 0 held back, 0 taken", "No price yet"]);
    // What has no price gets that of the first row, and two seats are held back.
    let front = now["Front"]["id"].as_str().unwrap().to_owned();
    let give = [("_do", "give"), ("target", front.as_str()), ("seats.map0.2", "5"), ("seats.map0.2", "6-8")];
    ann.send(&path, &give).await.leads_to();
    assert_eq!(sets(&ann, &event).await["Front"]["seats"], json!({"1": [[1, 8]], "2": [[5, 8]]}));
    let seats = format!("seats.{front}.1");
    ann.send(&path, &[("_do", "block"), (&seats, "3"), (&seats, "4")]).await.leads_to();
    ann.get(&path).await.assert_has(&["10 free, 2 held back, 0 taken", "box--held"]);
    let row = format!("rows.{front}");
    let stuck = ann.send(&path, &[("_do", "price"), (&row, "1"), ("name", "Best"), ("price", "60")]).await;
    assert!(stuck.text().contains("held back keep their price"), "{}", stuck.text());
    ann.send(&path, &[("_do", "free"), (&row, "1")]).await.leads_to();
    ann.send(&path, &[("_do", "price"), (&row, "1"), ("name", "Best"), ("price", "60")]).await.leads_to();
    let now = sets(&ann, &event).await;
    assert_eq!((&now["Best"]["seats"], &now["Front"]["seats"]), (&json!({"1": [[1, 8]]}), &json!({"2": [[5, 8]]})));
}

#[tokio::test]
async fn seats_that_nobody_takes_go_back_to_their_set() {
    let shop = Shop::open().await;
    let (ann, event, id) = hall(&shop).await;
    let path = format!("{event}/seats");
    let map = after(ann.get(&path).await.html(), "<option value=\"").to_owned();
    ann.send(&path, &[("_do", "map"), ("map", &map)]).await.leads_to();
    for (rows, name) in [("rows.map0", "Front"), ("rows.map1", "Up")] {
        let row = if name == "Up" { "A" } else { "1" };
        ann.send(&path, &[("_do", "price"), (rows, row), ("name", name), ("price", "40")]).await.leads_to();
    }
    let before = sets(&ann, &event).await;
    let (front, up) = (before["Front"]["id"].as_str().unwrap(), before["Up"]["id"].as_str().unwrap());
    let row = format!("rows.{front}");
    let elsewhere = ann.send(&path, &[("_do", "give"), ("target", up), (&row, "1")]).await;
    assert!(elsewhere.text().contains("A set is in one part of the hall."), "{}", elsewhere.text());
    // The new set is refused after its seats were given up: they are there again.
    let refused = ann.send(&path, &[("_do", "price"), (&row, "1"), ("name", "Best"), ("price", "-1")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text().contains("id=\"wrong-price\""), "{}", refused.text());
    assert_eq!(sets(&ann, &event).await["Front"]["seats"], before["Front"]["seats"]);
    // What somebody holds is neither chosen nor moved.
    ann.send(&format!("{event}/publish"), &[]).await.leads_to();
    let (home, _) = event.split_once("/events/").unwrap();
    let order = json!({"event": id, "seats": {front: {"1": [[2, 3]]}}});
    ann.api(home, "POST", "/v2/resources/orders", &order).await;
    ann.get(&format!("{path}?rows={front}.0"))
        .await
        .assert_has(&["value=\"2\" disabled>", "6 free, 0 held back, 2 taken"]);
    let seats = format!("seats.{front}.1");
    let taken = ann.send(&path, &[("_do", "block"), (&seats, "1-8")]).await;
    assert!(taken.text().contains("Some of them are held by an order or sold."), "{}", taken.text());
    ann.send(&path, &[("_do", "block"), (&row, "1")]).await.leads_to();
    ann.get(&path).await.assert_has(&["0 free, 6 held back, 2 taken"]);
}

#[tokio::test]
async fn seats_that_the_hall_has_not_are_not_chosen() {
    let shop = Shop::open().await;
    let (ann, event, _) = hall(&shop).await;
    let path = format!("{event}/seats");
    let map = after(ann.get(&path).await.html(), "<option value=\"").to_owned();
    ann.send(&path, &[("_do", "map"), ("map", &map)]).await.leads_to();
    let many: Vec<String> = (0..200).map(|row| format!("seats.{}.{row}x", "ab".repeat(12))).collect();
    let mut form: Vec<(&str, &str)> = many.iter().map(|name| (name.as_str(), "0-65535")).collect();
    form.extend([("_do", "price"), ("name", "Front"), ("price", "40"), ("seats.map0.99", "0-65535")]);
    let none = ann.send(&path, &form).await;
    assert!(none.text().contains("Choose rows or seats first."), "{}", none.text());
    form.extend([("seats.map0.1", "0-65535"), ("seats.map0.1", "3"), ("seats.map0.2", "7-65535,2")]);
    ann.send(&path, &form).await.leads_to();
    assert_eq!(sets(&ann, &event).await["Front"]["seats"], json!({"1": [[1, 8]], "2": [[2, 2], [7, 8]]}));
}
