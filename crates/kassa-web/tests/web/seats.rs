//! Somebody chooses seats, by forms alone.

use kassa_http::http::{StatusCode, header};
use serde_json::{Value, json};

use crate::harness::{Page, Partner, Shop};

/// An event with two rows of eight seats at 40.00, one row of four at 20.00, and standing places.
struct Sale {
    shop: Shop,
    organizer: Partner,
    event: String,
    stalls: String,
    balcony: String,
}

impl Sale {
    async fn open(more: Value) -> Self {
        let shop = Shop::open().await;
        let organizer = shop.organizer().await;
        organizer.open_shop().await;
        let event = organizer.event("Night Concert", more).await;
        let stalls =
            json!({"name": "Stalls", "sector": "s", "seats": {"1": [[1, 8]], "2": [[1, 8]]}, "price": "40.00"});
        let balcony = json!({"name": "Balcony", "sector": "b", "seats": {"A": [[1, 4]]}, "price": "20.00", "pos": 1});
        let stalls = organizer.set(&event, stalls).await;
        let balcony = organizer.set(&event, balcony).await;
        organizer.set(&event, json!({"name": "Standing", "amount": 5, "price": "10.00", "pos": 2})).await;
        Self { shop, organizer, event, stalls, balcony }
    }

    /// These seats of a set as a form names them: `"1-4 1-5"`.
    fn fields(set: &str, seats: &str) -> String {
        let field = |seat: &str| {
            let (row, number) = seat.split_once('-').unwrap();
            format!("seats.{set}.{row}={number}")
        };
        seats.split(' ').map(field).collect::<Vec<_>>().join("&")
    }

    async fn page(&self, query: &str) -> Page {
        self.shop.get(&format!("/e/{}/seats?{query}", self.event)).await
    }

    /// Sends seats of the stalls: where that leads.
    async fn reserve(&self, seats: &str, more: &str) -> String {
        let form = format!("{}{more}", Self::fields(&self.stalls, seats));
        self.shop.post(&format!("/e/{}/order", self.event), &form).await.leads_to().to_owned()
    }

    /// Where a way leads that a form has taken, as text.
    async fn follow(&self, path: &str) -> Page {
        self.shop.get(path).await
    }
}

/// The boxes of a page that are ticked: `"1-4 1-5"`.
fn ticked(page: &Page) -> String {
    let mut seats = Vec::new();
    for tag in page.html().split("<input ").skip(1).map(|rest| rest.split_once('>').unwrap().0) {
        let value_of =
            |name: &str| tag.split_once(&format!("{name}=\"")).map(|(_, rest)| rest.split_once('"').unwrap().0);
        if tag.ends_with(" checked") {
            let row = value_of("name").unwrap().rsplit('.').next().unwrap();
            seats.push(format!("{row}-{}", value_of("value").unwrap()));
        }
    }
    seats.join(" ")
}

#[tokio::test]
async fn seats_are_chosen_row_by_row_and_exactly_these_are_reserved() {
    let sale = Sale::open(json!({})).await;
    let event = sale.shop.get(&format!("/e/night-concert-{}", sale.event)).await;
    event.assert_has(&[&format!("href=\"/e/{}/seats?rows={}.0\"", sale.event, sale.stalls), "name=\"random."]);
    assert!(!event.html().contains(&format!("name=\"random.{}\"", sale.stalls)), "these seats are chosen elsewhere");
    let page = sale.page("").await;
    page.assert_has(&[
        "Choose seats",
        "16 seats free",
        "<legend>Row 1</legend>",
        &format!("<input type=\"checkbox\" name=\"seats.{}.1\" value=\"8\"><span>8</span>", sale.stalls),
        "€40",
        "Balcony",
    ]);
    let modules: Vec<&str> = page.text().split("rel=\"modulepreload\" href=\"").skip(1).collect();
    assert_eq!(modules.len(), 7, "what the script imports is asked for at once");
    for module in modules {
        let path = module.split_once('"').unwrap().0;
        assert_eq!(sale.shop.get(path).await.status, StatusCode::OK, "{path}");
    }
    let order = sale.reserve("1-4 1-5", "").await;
    let cart = sale.follow(&order).await;
    cart.assert_has(&["Your tickets are held", "Row 1", "seat 4", "seat 5", "€80"]);
    let page = sale.page("").await;
    page.assert_has(&["14 seats free", "value=\"4\" disabled>", "value=\"6\"><span>6"]);
}

#[tokio::test]
async fn what_is_chosen_goes_with_the_form_to_other_rows() {
    let sale = Sale::open(json!({})).await;
    let chosen = Sale::fields(&sale.stalls, "1-4 2-5");
    let page = sale.page(&format!("{chosen}&rows={}.0", sale.balcony)).await;
    page.assert_has(&["<legend>Row A</legend>", "Stalls, row 1, seat 4", "2 seats", "€80"]);
    assert_eq!(ticked(&page), "1-4 2-5");
    let both = format!("{chosen}&{}", Sale::fields(&sale.balcony, "A-2"));
    let order = sale.shop.post(&format!("/e/{}/order", sale.event), &both).await.leads_to().to_owned();
    sale.follow(&order).await.assert_has(&["€100", "Balcony", "Stalls"]);
}

#[tokio::test]
async fn the_best_together_are_in_the_middle_of_what_is_free() {
    let sale = Sale::open(json!({})).await;
    let best = |set: &str, count: u16| format!("best=1&best_set={set}&best_count={count}");
    assert_eq!(ticked(&sale.page(&best(&sale.stalls, 2)).await), "1-4 1-5");
    assert_eq!(ticked(&sale.page(&best(&sale.balcony, 4)).await), "A-1 A-2 A-3 A-4");
    sale.reserve("1-4 1-5", "").await;
    assert_eq!(ticked(&sale.page(&best(&sale.stalls, 2)).await), "2-4 2-5");
    let missing = sale.page(&best(&sale.balcony, 5)).await;
    missing.assert_has(&["not so many seats together"]);
    assert_eq!(ticked(&missing), "");
}

#[tokio::test]
async fn whoever_comes_too_late_is_told_and_offered_the_nearest() {
    let sale = Sale::open(json!({})).await;
    sale.reserve("1-4 1-5", "").await;
    let back = sale.reserve("1-5 1-6", "").await;
    assert!(
        back.starts_with(&format!("/e/{}/seats?seats", sale.event)) && back.ends_with("notice=seats-gone"),
        "{back}"
    );
    let page = sale.follow(&back).await;
    page.assert_has(&[
        "Some of these seats were taken a moment ago. Nothing was reserved yet.",
        "Somebody else has just taken Stalls, row 1, seat 5.",
        "Take Stalls, row 1, seat ",
    ]);
    assert_eq!(ticked(&page), "1-6", "what is free is still chosen");
    let offer = page.text().split_once("<p><a href=\"").unwrap().1.split_once('"').unwrap().0.replace("&#38;", "&");
    let page = sale.follow(&offer).await;
    let seats = ticked(&page);
    assert_eq!(seats.split(' ').count(), 2, "{seats}");
    let order = sale.reserve(&seats, "").await;
    sale.follow(&order).await.assert_has(&["Your tickets are held", "€80"]);
}

#[tokio::test]
async fn where_single_seats_are_forbidden_none_is_left_while_there_are_other_places() {
    let sale = Sale::open(json!({"single_seats": "forbid"})).await;
    let back = sale.reserve("1-2 1-3", "&_sure=1").await;
    assert!(back.ends_with("notice=single-seats"), "{back}");
    sale.follow(&back).await.assert_has(&["Stalls, row 1, seat 1 would be left alone. Please choose seats"]);
    for seats in ["1-1 1-2", "1-3 1-4 1-5", "1-6 1-7 1-8", "2-1 2-2 2-3 2-4 2-5"] {
        assert!(sale.reserve(seats, "").await.starts_with("/order/"), "{seats}");
    }
    // Only three are left: whoever wants two leaves one, wherever that is.
    assert!(sale.reserve("2-6 2-7", "").await.starts_with("/order/"));
}

#[tokio::test]
async fn where_single_seats_are_no_good_people_are_told_once() {
    let sale = Sale::open(json!({"single_seats": "warn"})).await;
    // While the choice is made, nothing is said of it: the second of two seats may be missing yet.
    let half = sale.page(&Sale::fields(&sale.stalls, "1-2")).await;
    assert!(!half.html().contains("seat 1 would be left alone"), "{}", half.html());
    let back = sale.reserve("1-2 1-3", "").await;
    let page = sale.follow(&back).await;
    page.assert_has(&[
        "Stalls, row 1, seat 1 would be left alone: hardly anybody",
        "name=\"_sure\"",
        "Reserve all the same",
    ]);
    assert!(sale.reserve("1-2 1-3", "&_sure=1").await.starts_with("/order/"));
    assert!(sale.reserve("2-1 2-2", "").await.starts_with("/order/"), "nobody is alone");
}

#[tokio::test]
async fn the_names_and_places_of_seats_are_kept_for_good_under_their_tag() {
    let sale = Sale::open(json!({})).await;
    let page = sale.page("").await;
    let path = page.text().split_once("data-hall=\"").unwrap().1.split_once('"').unwrap().0;
    let hall = sale.shop.get(path).await;
    assert_eq!(hall.header(header::CACHE_CONTROL), "public, max-age=31536000, immutable");
    let told: Value = serde_json::from_str(hall.text()).unwrap();
    assert_eq!(told["sets"][0]["rows"][0], json!(["1", [[1, 8]], [-140, 0, 40, 0]]));
    let other = sale.shop.get(&format!("/e/{}/hall/0123456789abcdef", sale.event)).await;
    assert_eq!((other.header(header::CACHE_CONTROL), &other.bytes), ("no-cache", &hall.bytes));
    assert_eq!(sale.shop.get(&format!("/e/{}x/hall/1", sale.event)).await.status, StatusCode::NOT_FOUND);
    let more = json!({"seats": {"1": [[1, 8]], "2": [[1, 8]], "3": [[1, 2]]}});
    sale.organizer.send("PATCH", &format!("events/{}/sets/{}", sale.event, sale.stalls), &more).await;
    let changed = sale.page("").await;
    assert!(!changed.text().contains(path), "it has other seats");
}

#[tokio::test]
async fn odd_addresses_choose_nothing() {
    let sale = Sale::open(json!({})).await;
    for query in
        ["seats.x.1=1", "seats.=1", "rows=x", "rows=0a.9", "best=1", "best=1&best_set=x&best_count=99999", "seats=1"]
    {
        assert_eq!(ticked(&sale.page(query).await), "", "{query}");
    }
    let gone = sale.page(&Sale::fields(&sale.stalls, "9-1 1-99")).await;
    assert_eq!(ticked(&gone), "", "there are no such seats");
    let refused = sale.shop.post(&format!("/e/{}/order", sale.event), &Sale::fields(&sale.stalls, "9-1")).await;
    assert!(refused.leads_to().ends_with("notice=not-reserved"), "{}", refused.leads_to());
    let without = sale.organizer.event("Standing only", json!({})).await;
    sale.organizer.set(&without, json!({"name": "Floor", "amount": 5, "price": "10.00"})).await;
    assert!(sale.shop.get(&format!("/e/{without}/seats")).await.leads_to().starts_with("/e/standing-only-"));
}

#[tokio::test]
async fn whoever_reserves_without_a_seat_stays_at_the_seats() {
    let sale = Sale::open(json!({})).await;
    let page = sale.page("").await;
    page.assert_has(&["<input type=\"hidden\" name=\"_from\" value=\"seats\">"]);
    let path = format!("/e/{}/order", sale.event);
    let back = sale.shop.post(&path, "_from=seats").await.leads_to().to_owned();
    assert_eq!(back, format!("/e/{}/seats?notice=nothing-chosen", sale.event));
    sale.follow(&back).await.assert_has(&["Please choose at least one ticket.", "<legend>Row 1</legend>"]);
    let elsewhere = sale.shop.post(&path, "").await.leads_to().to_owned();
    assert_eq!(elsewhere, format!("/e/{}?notice=nothing-chosen#tickets", sale.event));
}

/// The cookie that an answer has set, as the browser sends it.
fn cookie_of(page: &Page) -> String {
    page.header(header::SET_COOKIE).split(';').next().unwrap().to_owned()
}

#[tokio::test]
async fn whoever_comes_back_from_the_order_sees_its_own_seats_as_its_own() {
    let sale = Sale::open(json!({})).await;
    let form = Sale::fields(&sale.stalls, "1-4 1-5");
    let made = sale.shop.post(&format!("/e/{}/order", sale.event), &form).await;
    let order = made.leads_to().to_owned();
    let set = made.header(header::SET_COOKIE);
    assert!(set.ends_with("; Path=/e; HttpOnly; SameSite=Lax"), "{set}");
    let cookie = cookie_of(&made);
    let path = format!("/e/{}/seats?{form}", sale.event);
    let own = sale.shop.ask("GET", &path, &[("cookie", &cookie)]).await;
    own.assert_has(&[
        "You hold 2 tickets for this event.",
        "Held for you until",
        &format!("href=\"{order}\""),
        "value=\"4\" disabled><span>4<span class=\"hidden\">, in your order</span>",
    ]);
    assert!(!own.text().contains("Somebody else has just taken Stalls"), "{}", own.text());
    assert_eq!(own.header(header::CACHE_CONTROL), "private, no-store");
    assert_eq!(ticked(&own), "");
    // To others they are taken, and the page of others says nothing of the order.
    let other = sale.shop.get(&path).await;
    other.assert_has(&["Somebody else has just taken Stalls, row 1, seat 4"]);
    assert!(!other.text().contains(&order), "nobody else reads the link of the order");
    // Given up from here, they are free again, and the browser forgets the order.
    let back = format!("/e/{}/seats", sale.event);
    let given_up = sale.shop.post(&format!("{order}/cancel"), &format!("_back={back}")).await;
    assert_eq!(given_up.leads_to(), format!("{back}?notice=canceled"));
    let free = sale.shop.ask("GET", &path, &[("cookie", &cookie)]).await;
    assert_eq!(ticked(&free), "1-4 1-5");
    assert_eq!(free.header(header::SET_COOKIE), "orders=; Path=/e; Max-Age=0; HttpOnly; SameSite=Lax");
    for elsewhere in ["https://evil.example/", "//evil.example/", "/order/x", "/e/x%0d%0ay:z"] {
        let order = sale.reserve("2-1", "").await;
        let given_up = sale.shop.post(&format!("{order}/cancel"), &format!("_back={elsewhere}")).await;
        assert_eq!(given_up.leads_to(), format!("{order}?notice=canceled"), "{elsewhere}");
    }
}

#[tokio::test]
async fn whoever_holds_the_last_tickets_is_led_to_them_from_the_page_of_the_event() {
    let sale = Sale::open(json!({})).await;
    let standing = sale.organizer.event("Standing only", json!({})).await;
    let set = sale.organizer.set(&standing, json!({"name": "Floor", "amount": 2, "price": "10.00"})).await;
    let made = sale.shop.post(&format!("/e/{standing}/order"), &format!("random.{set}=2")).await;
    let (order, cookie) = (made.leads_to().to_owned(), cookie_of(&made));
    let path = format!("/e/standing-only-{standing}");
    let own = sale.shop.ask("GET", &path, &[("cookie", &cookie)]).await;
    own.assert_has(&["Sold out", "You hold 2 tickets for this event.", &format!("href=\"{order}\"")]);
    let other = sale.shop.ask("GET", &format!("/e/night-concert-{}", sale.event), &[("cookie", &cookie)]).await;
    assert!(!other.html().contains(&order), "it is about another event");
    let strange = format!("orders={standing}:{standing}.nonsense~{standing}:~:~x");
    let page = sale.shop.ask("GET", &path, &[("cookie", &strange)]).await;
    assert!(!page.html().contains("You hold"), "an order of nobody is not shown");
}

#[tokio::test]
async fn a_choice_goes_with_whoever_changes_the_language() {
    let sale = Sale::open(json!({})).await;
    let seats = sale.page("").await;
    let way = |path: &str, code: &str| {
        format!(
            "form=\"choice\" formmethod=\"get\" formaction=\"{path}\" formnovalidate name=\"lang\" value=\"{code}\""
        )
    };
    seats.assert_has(&["id=\"choice\"", &way(&format!("/e/{}/seats", sale.event), "de")]);
    let chosen = Sale::fields(&sale.stalls, "1-4 1-5");
    let page = sale.page(&format!("{chosen}&best_count=2&lang=de")).await;
    page.assert_has(&["<html lang=\"de\">", "2 Plätze"]);
    assert_eq!(ticked(&page), "1-4 1-5");
    let standing = sale.organizer.event("Standing only", json!({})).await;
    let set = sale.organizer.set(&standing, json!({"name": "Floor", "amount": 5, "price": "10.00"})).await;
    let path = format!("/e/standing-only-{standing}");
    sale.shop.get(&path).await.assert_has(&["id=\"choice\"", &way(&path, "ru")]);
    let chosen = sale.shop.get(&format!("{path}?random.{set}=3&lang=ru")).await;
    chosen.assert_has(&["<html lang=\"ru\">", "<option selected>3</option>"]);
    let plain = sale.shop.get(&format!("{path}?lang=ru")).await;
    plain.assert_has(&["<option selected>0</option>"]);
    let elsewhere = sale.shop.get(&format!("/e/{standing}?random.{set}=3")).await;
    assert_eq!(elsewhere.moved_to(), format!("{path}?random.{set}=3"));
}
