//! The page of an event, and its calendar entry.

use kassa_domain::partner::PartnerRole;
use kassa_http::http::{StatusCode, header};
use serde_json::{Value, json};

use crate::harness::{Page, Shop};

/// What a page says to programs.
fn json_ld(page: &Page) -> Value {
    let (_, rest) = page.html().split_once("<script type=\"application/ld+json\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[tokio::test]
async fn an_event_shows_when_where_and_what_is_left_at_which_price() {
    let shop = Shop::open().await;
    let org = shop.organizer().await;
    let venue = org.venue().await;
    let event = org.event("Night of the Lanterns", json!({"venue": venue, "age_rating": 6})).await;
    org.set(&event, json!({"name": "Stalls", "pos": 1, "amount": 300, "price": "25.00"})).await;
    org.set(&event, json!({"name": "Balcony", "pos": 2, "amount": 17, "price": "18.50"})).await;
    let page = shop.get(&format!("/e/night-of-the-lanterns-{event}")).await;
    page.assert_has(&[
        "<html lang=\"en\">",
        ">Night of the Lanterns</h1>",
        "Monday, 1 June 2026",
        "20:00–23:00",
        "CEST",
        "Am Kaispeicher 5, Hamburg, Germany",
        "https://www.openstreetmap.org/?mlat=53.541300&#38;mlon=9.984300",
        "€25",
        "€18.50",
        "from €18.50",
        "17 tickets left",
        "Available",
        "From 6 years",
        &format!("<link rel=\"canonical\" href=\"http://shop.example.org/e/night-of-the-lanterns-{event}\">"),
        "<meta property=\"og:title\" content=\"Night of the Lanterns\">",
    ]);
    let about = json_ld(&page);
    assert_eq!((&about["@type"], &about["startDate"]), (&json!("Event"), &json!("2026-06-01T20:00:00+02:00")));
    assert_eq!(about["location"]["address"]["addressLocality"], "Hamburg");
    let offer = |at: usize| {
        let offer = &about["offers"][at];
        [&offer["price"], &offer["priceCurrency"], &offer["availability"]]
            .map(|value| value.as_str().unwrap().to_owned())
    };
    assert_eq!(offer(0), ["25.00", "EUR", "https://schema.org/InStock"]);
    assert_eq!(offer(1), ["18.50", "EUR", "https://schema.org/LimitedAvailability"]);
}

#[tokio::test]
async fn an_event_has_one_address_and_all_others_lead_there() {
    let shop = Shop::open().await;
    let org = shop.organizer().await;
    let event = org.event("Night of the Lanterns", json!({})).await;
    let path = format!("/e/night-of-the-lanterns-{event}");
    for other in [event.clone(), event.to_uppercase(), format!("day-of-the-candles-{event}")] {
        assert_eq!(shop.get(&format!("/e/{other}")).await.moved_to(), path);
    }
    assert_eq!(shop.ask("HEAD", &format!("/e/{event}"), &[]).await.moved_to(), path);
    assert_eq!(shop.get(&format!("/e/{event}.ics")).await.moved_to(), format!("{path}.ics"));
    shop.get(&path).await.html();
    for nothing in ["6955b900ffffffff00000001", "night-of-the-lanterns", "x"] {
        assert_eq!(shop.get(&format!("/e/{nothing}")).await.status, StatusCode::NOT_FOUND, "{nothing}");
    }
    let draft = org.event("Rehearsal", json!({"status": "stand_by"})).await;
    assert_eq!(shop.get(&format!("/e/{draft}")).await.status, StatusCode::NOT_FOUND, "it is not for everybody");
}

#[tokio::test]
async fn an_event_is_told_in_the_language_of_its_reader_at_one_address() {
    let shop = Shop::open().await;
    let org = shop.organizer().await;
    let translations =
        json!([{"lang": "de-AT", "title": "Lange Nacht", "desc": "Am Wasser"}, {"lang": "ru", "desc": "У воды"}]);
    let texts = json!({"title": {"text": "Long Night", "desc": "By the water"}, "translations": translations});
    let event = org.event("Long Night", texts).await;
    let path = format!("/e/long-night-{event}");
    for (language, title, about) in [
        ("en", "Long Night", "By the water"),
        ("de", "Lange Nacht", "Am Wasser"),
        ("ru", "Long Night", "У воды"),
        ("fr", "Long Night", "By the water"),
    ] {
        let read = async |path: &str| shop.ask("GET", path, &[("accept-language", language)]).await;
        let page = read(&path).await;
        page.assert_has(&[&format!(">{title}</h1>"), about]);
        assert_eq!(json_ld(&page)["name"], title);
        read("/").await.assert_has(&[title, &format!("href=\"{path}\"")]);
        let calendar = read(&format!("{path}.ics")).await;
        assert!(calendar.text().contains(&format!("SUMMARY:{title}")), "{language}");
    }
}

#[tokio::test]
async fn an_event_says_how_far_its_sale_is() {
    let shop = Shop::open().await;
    let org = shop.organizer().await;
    let page = async |event: &str, title: &str| shop.get(&format!("/e/{title}-{event}")).await;

    let later = org.event("Later", json!({})).await;
    let rules = json!([
        {"start": "2026-03-01T00:00:00Z", "finish": "2026-04-01T00:00:00Z", "price": "10.00"},
        {"start": "2026-04-01T00:00:00Z", "price": "15.00"},
    ]);
    org.set(&later, json!({"name": "Hall", "amount": 100, "rules": rules})).await;
    page(&later, "later").await.assert_has(&[
        "Not on sale yet",
        "On sale from 1 March 2026",
        "From 1 April 2026:",
        "€15",
    ]);

    let gone = org.event("Gone", json!({})).await;
    let set = org.set(&gone, json!({"name": "Hall", "amount": 2, "price": "10.00"})).await;
    org.send("POST", "orders", &json!({"event": gone, "random": {set: 2}})).await;
    page(&gone, "gone").await.assert_has(&["notice--sold-out", "Sold out", "offer--sold-out"]);
    shop.get("/").await.assert_has(&["card--sold-out", "tag--sold-out"]);

    let empty = org.event("Empty", json!({})).await;
    page(&empty, "empty").await.assert_has(&["Not on sale yet"]);

    shop.pass_days(200);
    page(&gone, "gone").await.assert_has(&["This event is over"]);
}

#[tokio::test]
async fn prices_that_come_are_told() {
    let shop = Shop::open().await;
    let org = shop.organizer().await;
    let event = org.event("Festival", json!({"venue": org.venue().await})).await;
    let rules = json!([
        {"finish": "2026-02-01T00:00:00Z", "price": "89.00"},
        {"start": "2026-02-01T00:00:00Z", "finish": "2026-03-31T22:00:00Z", "price": "109.00"},
        {"start": "2026-03-31T22:00:00Z", "price": "1129.00"},
    ]);
    org.set(&event, json!({"name": "Pass", "amount": 100, "rules": rules})).await;
    let path = format!("/e/festival-{event}");
    shop.get(&path).await.assert_has(&["€89", "From 1 February 2026, 01:00:", "€109", "From 1 April 2026:", "€1,129"]);
    shop.get(&format!("{path}?lang=de")).await.assert_has(&["Ab 1. April 2026:", "1129\u{a0}€"]);
}

#[tokio::test]
async fn an_agent_sells_under_its_own_name() {
    let shop = Shop::open().await;
    let org = shop.organizer().await;
    let agent = shop.partner("City Tickets", &[PartnerRole::Agent]).await;
    let event = org.event("Lanterns", json!({})).await;
    let nowhere = shop.get(&format!("/e/{event}?seller={}", agent.id)).await;
    assert_eq!(nowhere.status, StatusCode::NOT_FOUND, "its shop is closed");
    agent.open_shop().await;
    let path = format!("/e/lanterns-{event}?seller={}", agent.id);
    let page = shop.get(&path).await;
    page.assert_has(&["Sold by", &format!("/a/city-tickets-{}", agent.id)]);
    assert_eq!(shop.get(&format!("/e/{event}?seller={}", agent.id)).await.moved_to(), path);
    assert_eq!(shop.get(&format!("/e/{event}?seller=nobody")).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn an_event_is_a_calendar_entry() {
    let shop = Shop::open().await;
    let org = shop.organizer().await;
    let title = json!({"title": {"text": "Lanterns, boats; and more", "desc": "First line\nsecond"}});
    let event = org.event("", json!({"venue": org.venue().await, "title": title["title"]})).await;
    let file = shop.get(&format!("/e/lanterns-boats-and-more-{event}.ics")).await;
    assert_eq!((file.status, file.header(header::CONTENT_TYPE)), (StatusCode::OK, "text/calendar; charset=utf-8"));
    let text = file.text().replace("\r\n ", "");
    let lines: Vec<&str> = text.split("\r\n").collect();
    assert_eq!((lines[0], lines[lines.len() - 2], lines[lines.len() - 1]), ("BEGIN:VCALENDAR", "END:VCALENDAR", ""));
    for line in [
        &format!("UID:{event}@kassa"),
        "DTSTART:20260601T180000Z",
        "DTEND:20260601T210000Z",
        "SUMMARY:Lanterns\\, boats\\; and more",
        "DESCRIPTION:First line\\nsecond",
        "LOCATION:Harbour Hall\\, Hamburg\\, Am Kaispeicher 5",
        "GEO:53.541300;9.984300",
        &format!("URL:http://shop.example.org/e/lanterns-boats-and-more-{event}"),
    ] {
        assert!(lines.contains(&line), "{line} is not in {lines:?}");
    }
}

#[tokio::test]
async fn what_is_partly_free_says_so_and_what_is_sold_out_offers_nothing() {
    let shop = Shop::open().await;
    let organizer = shop.organizer().await;
    organizer.open_shop().await;
    let event = organizer.event("Open Garden", json!({})).await;
    let lawn = organizer.set(&event, json!({"name": "Lawn", "amount": 1, "price": "0.00"})).await;
    let chairs = organizer.set(&event, json!({"name": "Chairs", "amount": 1, "price": "12.00"})).await;
    let path = format!("/e/open-garden-{event}");
    shop.get(&path).await.assert_has(&["class=\"dock\"", "Free, and from €12"]);
    let form = format!("random.{lawn}=1&random.{chairs}=1");
    assert!(shop.post(&format!("/e/{event}/order"), &form).await.leads_to().starts_with("/order/"));
    let page = shop.get(&path).await;
    page.assert_has(&["Sold out"]);
    assert!(!page.text().contains("class=\"dock\""), "{}", page.text());
}

#[tokio::test]
async fn a_title_that_would_fill_the_page_is_set_smaller() {
    let shop = Shop::open().await;
    let organizer = shop.organizer().await;
    let title = "Schlussveranstaltung des internationalen Festivals für elektroakustische Musik";
    let event = organizer.event(title, json!({})).await;
    let path = shop.get(&format!("/e/{event}")).await.moved_to().to_owned();
    shop.get(&path).await.assert_has(&[&format!("<h1 dir=\"auto\" class=\"is-long\">{title}</h1>")]);
}
